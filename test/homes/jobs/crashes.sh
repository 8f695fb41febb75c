# Commits of 60 changes, of which the daemon is killed at one moment after another: what is there then is the state before or after,
# and a second commit completes it. In a new directory below the working one; as sh, of an ordinary user.
yolofs() { "$NODE" "$MAIN" "$@"; }
finish() { echo "result: $1"; yolofs stop > /dev/null 2>&1; exit 0; }
STATE='find . -path ./.yolofs -prune -o -type f -print | LC_ALL=C sort | xargs cksum | cksum'
state() { sh -c "$STATE"; }
daemon() { for p in /proc/[0-9]*; do case $({ tr '\0' ' ' < "$p/cmdline"; } 2> /dev/null) in *daemon/main.js*"$PWD"*) echo "${p#/proc/}" ;; esac; done; }
dir=$(mktemp -d "$PWD/crash.XXXXXX") && cd "$dir" || exit 1
for i in 1 2 3 4 5 6 7 8 9; do for j in 1 2 3 4; do echo "$i" > "base-$i$j"; done; done
yolofs init > /dev/null || finish 'init fails'
old=$(state)
yolofs run --quiet -- sh -c 'for f in base-*1 base-*2; do echo new >> $f; done; rm base-*3; i=0; while [ $i -lt 33 ]; do echo $i > new-$i; i=$((i + 1)); done' || finish 'run fails'
new=$(yolofs run --quiet -- sh -c "$STATE")
[ "$old" != "$new" ] || finish 'nothing was staged'
before=0 after=0
for moment in 1 2 3 4 5 6 7 8 9 10 11 12; do
  pid=$(daemon)
  [ -n "$pid" ] || finish 'no daemon is found'
  yolofs commit --yes > /dev/null 2>&1 &
  commit=$!
  # Every second one is killed by what it has done, the others by the clock.
  if [ $((moment % 2)) = 0 ]; then
    while [ ! -e "new-$((moment * 2))" ] && kill -0 $commit 2> /dev/null; do :; done
  else
    sleep "$(echo "$moment" | awk '{ print $1 * '"${STEP:-0.15}"' }')"
  fi
  kill -9 $pid
  wait
  yolofs run --quiet -- true || finish "moment $moment: the session does not start again"
  case $(state) in
    "$old") before=$((before + 1)) ;;
    "$new") after=$((after + 1)); said=$(yolofs undo 2>&1) || finish "moment $moment: no undo: $(echo $said)" ;;
    *) finish "moment $moment: neither the state before nor after: $(echo *)" ;;
  esac
  [ "$(state)" = "$old" ] || finish "moment $moment: not as before"
done
yolofs commit --yes > /dev/null 2>&1 || finish 'the last commit fails'
[ "$(state)" = "$new" ] || finish 'the last commit is not whole'
echo "of 12: $before before, $after after" >&2
finish 'old or new each time'
