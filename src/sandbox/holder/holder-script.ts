/**
 * What makes the view's namespaces where holder-perl.ts cannot: POSIX sh, run with the host's own util-linux tools,
 * in three stages. Nothing is ever executed from the view with rights over its mounts: after `pivot_root`, programs come from a copy of
 * the host's tree that is detached in the end, so that only the view is left.
 *
 *     1  host's pid namespace      opens /dev/fuse, mounts the view (its requests carry the host's pids)
 *     2  session's pid namespace   mounts /proc, /sys, /dev, /tmp and the direct paths below the view
 *     3  the same, chrooted        makes the view the root, drops the host's tree, waits for the daemon's end
 *
 * It reports to the daemon in lines on stdout and goes on when it gets a line on stdin:
 *
 *     anchor PID   this process sits in the nested user namespace and waits for its id maps
 *     fuse PID     descriptor 4 of this process is the FUSE device, 6 that of the second mount, if any   (waits)
 *     root PID     descriptor 5 of this process is the view's root, 6 that of the second mount           (waits)
 *     ready PID    the session's init; commands may enter
 *     error TEXT   a step failed; the first line says which and why
 *
 * Descriptor 3 is the lifeline: it ends with the daemon, and the init, and so every process of the session, with it.
 * Paths come as words or environment variables, never as program text.
 */
import { dirname } from 'node:path';
import { COPY } from '../installed-copy.ts';
import { PROC_MASKED, PROC_READ_ONLY, SYS_MASKED } from '../kernel-files.ts';

const COMMON = `
set -u
fail() { printf 'error %s\\n' "$*"; exit 1; }
try() { step=$1; shift; why=$("$@" 2>&1) || fail "$step: $why"; }
without() { case $WITHOUT in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
`;

/**
 * The words of stage 1 are `keep:NAME` (an entry of the view's `TMP_AT` that stays visible in the private one),
 * `direct:PATH` (a host path passed through) and `own:NAME:PATH` (a directory of `OWN` that covers one of the view).
 */
export const STAGE1 = `${COMMON}
if [ "$NESTED" = yes ]; then
  try 'user namespace' "$UNSHARE" --user -- "$SH" -c :
  "$UNSHARE" --user -- "$SH" -c 'eval "$ANCHOR"' yolofs-anchor </dev/null &
fi
if [ ! -c /dev/fuse ]; then fail '/dev/fuse: no such device'; fi
why=$( (: 4<>/dev/fuse) 2>&1 ) || fail "/dev/fuse: $why"
exec 4<>/dev/fuse
try 'mount of the view' "$MOUNT" -i -n -t fuse -o "fd=4,$FUSE_OPTIONS" yolofs "$VIEW"
if [ -n "$FAST_AT" ]; then
  exec 6<>/dev/fuse
  try 'second mount of the view' "$MOUNT" -i -n -t fuse -o "fd=6,$FUSE_OPTIONS" yolofs "$FAST"
fi
export OUTER=$$
printf 'fuse %s\\n' "$$"
read -r go || exit 1
exec 4<&- 6<&-
exec "$UNSHARE" --pid --ipc \${OWN_NETWORK:+--net} --fork --kill-child -- "$SH" -c 'eval "$STAGE2"' yolofs-init "$@"
`;

export const ANCHOR = `
read -r pid rest </proc/self/stat
printf 'anchor %s\\n' "$pid"
exec >/dev/null 2>&1
read -r end <&3
`;

/** SIOCSIFFLAGS of `lo`: IFF_UP and IFF_RUNNING. */
export const LOOPBACK_UP = `
socket(my $s, 2, 2, 0) or die "socket: $!\n";
my $up = pack 'a16 s x14', 'lo', 0x41;
ioctl $s, 0x8914, $up or die "$!\n";
`;

export const STAGE2 = `${COMMON}
# A mount must land where it is meant to: what was staged earlier may have put a symbolic link on the way.
plain() {
  at=.
  rest=\${1#/}
  while [ -n "$rest" ]; do
    at=$at/\${rest%%/*}
    case $rest in */*) rest=\${rest#*/} ;; *) rest= ;; esac
    if [ -L "$at" ]; then fail "$1 in the view: a symbolic link is in the way"; fi
  done
}
# In one step, and with the flags that the mount may have to keep. $3 is the protection that this is; an empty $4: a device.
bind_read_only() {
  mode=ro
  if without "$3"; then mode=rw; fi
  try "$2" "$MOUNT" -i -n --bind -o "$mode,nosuid,noexec\${4-,nodev}" "$1" "$2"
}

proc() {
  plain /proc
  if without pid-namespace; then
    try /proc "$MOUNT" -i -n --rbind /proc ./proc
    return 0
  fi
  try /proc "$MOUNT" -i -n -t proc -o nosuid,nodev,noexec proc ./proc
  if without proc; then return 0; fi
  # An ordinary user may write none of these, and without masks programs can make sandboxes of their own.
  if [ "$MASKED" = yes ]; then
    for name in ${PROC_READ_ONLY}; do
      if [ -e "./proc/$name" ]; then bind_read_only "./proc/$name" "./proc/$name" proc; fi
    done
    for name in ${PROC_MASKED}; do
      if [ -e "./proc/$name" ]; then bind_read_only /dev/null "./proc/$name" proc ''; fi
    done
  fi
  # Whoever this is, and whatever rights it has: a view in which these can be opened for writing is none.
  for name in $PROBED; do
    if [ -e "./proc/$name" ] && (: 4<>"./proc/$name") 2>/dev/null; then
      fail "kernel settings: /proc/$name is writable in the view"
    fi
  done
}

# remount works on one mount at a time; what another mount covers cannot be reached and need not be.
sys() {
  plain /sys
  try /sys "$MOUNT" -i -n --rbind /sys ./sys
  # What the host mounts there later does not come along.
  try /sys "$MOUNT" -i -n --make-rprivate ./sys
  if without sys; then return 0; fi
  while read -r id parent device root at rest; do
    case $at in
      "$VIEW_ESCAPED"/sys | "$VIEW_ESCAPED"/sys/*)
        at=.\${at#"$VIEW_ESCAPED"}
        "$MOUNT" -i -n -o remount,bind,ro "$at" 2>/dev/null || ! "$MOUNTPOINT" -q "$at" || fail "$at read-only" ;;
    esac
  done </proc/self/mountinfo
  # Only root may read these, and in the view nobody needs to.
  [ "$MASKED" = yes ] || return 0
  for name in ${SYS_MASKED}; do
    [ -d "./sys/$name" ] || continue
    try "/sys/$name" "$MOUNT" -i -n -t tmpfs -o ro,nosuid,nodev,noexec,mode=0 none "./sys/$name"
  done
}

# The directory mqueue serves below as the place of the host's tree for a moment.
dev() {
  plain /dev
  try /dev "$MOUNT" -i -n -t tmpfs -o nosuid,noexec,mode=755,size=1m dev ./dev
  for name in null zero full random urandom tty; do
    : >"./dev/$name" || fail "/dev/$name"
    # Devices work on a read-only mount all the same; their owner and mode are the host's.
    bind_read_only "/dev/$name" "./dev/$name" dev ''
  done
  try /dev "$MKDIR" ./dev/pts ./dev/shm ./dev/mqueue
  try /dev/pts "$MOUNT" -i -n -t devpts -o nosuid,noexec,newinstance,ptmxmode=0666,mode=620 devpts ./dev/pts
  try /dev/shm "$MOUNT" -i -n -t tmpfs -o "nosuid,nodev,$SHM_OPTIONS" shm ./dev/shm
  try /dev "$LN" -s pts/ptmx ./dev/ptmx
  try /dev "$LN" -s /proc/self/fd ./dev/fd
  try /dev "$LN" -s fd/0 ./dev/stdin
  try /dev "$LN" -s fd/1 ./dev/stdout
  try /dev "$LN" -s fd/2 ./dev/stderr
  : >".$GUEST_AT" || fail "$GUEST_AT"
  bind_read_only "$GUEST" ".$GUEST_AT" dev
  if without dev; then
    for node in /dev/*; do
      if [ -e ".$node" ] || [ -d "$node" ] || [ -L "$node" ]; then continue; fi
      : >".$node" && try "$node" "$MOUNT" -i -n --bind "$node" ".$node"
    done
  fi
}

# A network of its own begins with a loopback device that is down.
network() {
  [ -n "$OWN_NETWORK" ] || return 0
  try 'own network' "$PERL" -T -e "$LOOPBACK_UP"
}

tmp() {
  [ -n "$TMP" ] || return 0
  plain "$TMP_AT"
  for word; do
    case $word in
      keep:*)
        name=\${word#keep:}
        plain "$TMP_AT/$name"
        if [ -L "$TMP/$name" ]; then fail "$TMP/$name: a symbolic link is in the way"; fi
        try "$TMP/$name" "$MKDIR" -p "$TMP/$name"
        try "$TMP_AT/$name" "$MOUNT" -i -n --bind ".$TMP_AT/$name" "$TMP/$name" ;;
    esac
  done
  try "$TMP_AT" "$MOUNT" -i -n --rbind "$TMP" ".$TMP_AT"
  try "$TMP_AT" "$MOUNT" -i -n -o remount,bind,nosuid,nodev ".$TMP_AT"
}

# After /tmp, which may lie on the way, and before the direct paths.
fast() {
  [ -n "$FAST_AT" ] || return 0
  plain "$FAST_AT"
  try "$FAST_AT" "$MOUNT" -i -n --bind "$FAST" ".$FAST_AT"
}

# In the view's own /dev and /tmp the place of a direct path is made, elsewhere it has to be there.
make_place() {
  case $1 in
    /dev/* | "\${TMP:+$TMP_AT}"/*) ;;
    *) fail "direct path $1: it does not exist in the view" ;;
  esac
  if [ -d "$1" ]; then
    try "direct path $1" "$MKDIR" -p ".$1"
  else
    try "direct path $1" "$MKDIR" -p ".\${1%/*}"
    : >".$1" || fail "direct path $1"
  fi
}

direct() {
  for word; do
    case $word in
      direct:*)
        path=\${word#direct:}
        plain "$path"
        if [ ! -e ".$path" ]; then make_place "$path"; fi
        try "direct path $path" "$MOUNT" -i -n --rbind "$path" ".$path" ;;
      own:*)
        path=/\${word#own:*/}
        plain "$path"
        name=\${word#own:}
        try "own directory $path" "$MOUNT" -i -n --bind "$OWN/\${name%%:*}" ".$path" ;;
    esac
  done
}

# As the other way does it.
hide_copy() {
  if [ ! -d ${dirname(COPY)} ] || [ ! -d .${dirname(COPY)} ]; then return 0; fi
  plain ${dirname(COPY)}
  try ${dirname(COPY)} "$MOUNT" -i -n -t tmpfs -o ro,nosuid,nodev,noexec,mode=0 none .${dirname(COPY)}
}

read -r INIT rest </proc/self/stat
export INIT
cd "$VIEW" || fail 'the view does not answer'
exec 5<.
if [ -n "$FAST_AT" ]; then exec 6<"$FAST"; fi
printf 'root %s\\n' "$INIT"
read -r go || exit 1
exec 5<&- 6<&-
proc
sys
dev
network
tmp "$@"
fast
direct "$@"
hide_copy
try 'copy of the host tree' "$MOUNT" -i -n --rbind / ./dev/mqueue
exec "$NSENTER" --root=./dev/mqueue --wd=. -- "$SH" -c 'eval "$STAGE3"' yolofs-init
`;

/**
 * Stage 3: `umount -N` acts in the session's mount namespace, at whose root the host's tree covers the view. The init
 * ends up as a program that waits for the end of the lifeline with SIGCHLD ignored, so that the kernel buries the
 * orphans of the session; shells always catch that signal. A child does what is left to do when that has happened.
 */
export const STAGE3 = `${COMMON}
finish() {
  while read -r name <"/proc/$INIT/comm" && [ "$name" != "\${CAT##*/}" ]; do :; done
  try 'unmount of the copy' "$UMOUNT" -i -c -n -N "/proc/$INIT/ns/mnt" -l /dev/mqueue
  printf 'ready %s\\n' "$INIT"
}
try pivot_root "$NSENTER" --root="/proc/$OUTER/root" --wd=. -- "$PIVOT_ROOT" . .
try 'unmount of the host tree' "$UMOUNT" -i -c -n -N "/proc/$INIT/ns/mnt" -l /
finish </dev/null 3<&- &
if "$ENV" --ignore-signal=CHLD "$SH" -c : 2>/dev/null; then
  exec "$ENV" --ignore-signal=CHLD "$CAT" <&3
fi
exec "$CAT" <&3
`;
