# All steps of a session, as sh, in a new directory below the working one; says in one line how far it came. `$NODE` is Node, `$MAIN` the program;
# with `$NEWHOME` the home directory is a new one, too, in which `$INCOMPLETE` goes without what a host without Perl cannot keep.
yolofs() { "$NODE" "$MAIN" "$@"; }
finish() {
  echo "result: $1"
  yolofs stop >/dev/null 2>&1
  exit 0
}
# What doctor says is what `run` does.
refused() {
  [ "$1" != run ] || ! yolofs doctor >/dev/null 2>&1 || finish "doctor finds nothing, but run: $2"
  line=$(echo "$2" | sed -n '/^yolofs: /{s/^yolofs: [a-z]*: //;p;q;}')
  finish "${line:-$1: $(echo "$2" | tail -n 1)}"
}
step() {
  said=$(yolofs "$@" 2>&1) || refused "$1" "$said"
}
is() { [ "$2" = "$3" ] || finish "$1: '$2' and not '$3'"; }
changes() { yolofs status --json | grep -o '"path":"[^"]*"' | wc -l | tr -d ' '; }

dir=$(mktemp -d "${PLACE:-${TMPDIR:-/tmp}}/home.XXXXXX") && cd "$dir" && echo base > base || exit 1
if [ -n "${NEWHOME-}" ]; then mkdir home; export HOME=$dir/home; fi
if [ -n "${INCOMPLETE-}" ]; then
  mkdir -p "$HOME/.config/yolofs" && printf '[session]\nincomplete_cage = true\n' > "$HOME/.config/yolofs/config.toml" || exit 1
fi
mkdir project && cd project && echo one > old || exit 1
step init
step run --quiet -- sh -c 'echo staged > file && rm old && cat file'
is 'what the command says' "$said" staged
is 'the real files' "$(ls)" old
yolofs run --quiet -- sh -c ': >> /proc/sys/kernel/core_pattern' 2>/dev/null && finish 'settings of the kernel are open'
proc=$(yolofs status 2>&1 >/dev/null | grep -c 'has the /proc')
is 'staged changes' "$(changes)" 2
step diff
is 'lines of the difference' "$(echo "$said" | grep -c '^[-+][a-z]')" 2
step travel 0
is 'staged changes in snapshot 0' "$(changes)" 0
step travel 1
is 'staged changes in snapshot 1' "$(changes)" 2
step commit --yes
is 'the real file' "$(cat file)" staged
is 'the real files after a commit' "$(ls)" file
step undo
is 'the real files after an undo' "$(ls)" old
step commit --yes
is 'the real files after a second commit' "$(ls)" file
yolofs run --quiet -- sh -c 'echo a > a; sleep 1' >/dev/null 2>&1 &
yolofs run --quiet -- sh -c 'echo b > b; sleep 1' >/dev/null 2>&1 &
wait
step run --quiet -- sh -c 'mkdir t && cd t && i=0 && while [ $i -lt 100 ]; do echo $i > $i; i=$((i + 1)); done && tar cf ../t.tar . && cd .. && rm -r t && mkdir t && cd t && tar xf ../t.tar && cat 99'
is 'the last of 100 files' "$said" 99
step stop
step run --quiet -- sh -c 'ls'
is 'the view after a new start' "$(echo $said)" 'a b file t t.tar'
step commit --yes
is 'the real files of two runs' "$(cat a b t/99 | tr '\n' ' ')" 'a b 99 '
said=$(yolofs doctor 2>&1) || finish "doctor: $(echo "$said" | grep '^missing' | head -n 1)"
step stop
[ "$proc" = 0 ] || finish "holds, with the container's /proc"
finish holds
