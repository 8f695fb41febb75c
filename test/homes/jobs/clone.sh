# From a clone to a session, as README.md says.
. /opt/yolofs/repository/test/homes/jobs/common.sh
clone ordinary 'from a clone'
