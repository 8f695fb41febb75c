# What jobs begin with.
REPOSITORY=/opt/yolofs/repository
export NODE=/opt/yolofs/node MAIN=$REPOSITORY/dist/src/bin/yolofs.cjs
row() { echo "row: $1 | $2 | $3"; }
# as USER COMMAND…
as() {
  case $1 in
    root) shift; "$@" ;;
    ordinary) shift; setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/home/dev USER=dev "$@" ;;
  esac
}
# steps USER WHAT [VARIABLE=VALUE…]: all steps of a session.
steps() {
  who=$1 what=$2
  shift 2
  row "$who" "$what" "$(cd /var/tmp && as "$who" env "$@" sh "$REPOSITORY/test/homes/steps.sh" 2>&1 | tee /dev/stderr | sed -n 's/^result: //p')"
}
# network: qemu's, which leads where the host's does.
network() {
  [ -e /sys/class/net/eth0 ] || modprobe virtio_net
  ip link set eth0 up && ip addr add 10.0.2.15/24 dev eth0 && ip route add default via 10.0.2.2
  echo 'nameserver 10.0.2.3' > /etc/resolv.conf
}
# clone USER WHAT: what README.md says, from a clone to a session.
clone() {
  network
  row "$1" "$2" "$(cd /var/tmp && . /opt/yolofs/clone.env && as "$1" sh "$REPOSITORY/test/homes/clone.sh" 2>&1 | tee /dev/stderr | sed -n 's/^result: //p')"
}
