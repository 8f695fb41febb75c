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
