# A session with all its steps, as an ordinary user and as root.
. /opt/yolofs/repository/test/homes/jobs/common.sh
steps ordinary 'a session'
steps root 'a session'
