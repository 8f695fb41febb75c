# Ubuntu's restriction of user namespaces: before and after what the refusal says is to be done, and what src/sandbox/COPY.md says was tried.
. /opt/yolofs/repository/test/homes/jobs/common.sh
SETTING=/proc/sys/kernel/apparmor_restrict_unprivileged
HOLDER=/usr/local/libexec/yolofs/holder
export HOLDER TRIAL='trial=yes nested=no fuse_options=default_permissions,allow_other,rootmode=40000,user_id=1000,group_id=1000 without='
yolofs() { "$NODE" "$MAIN" "$@"; }
# Each prints GOT where it gets what it wants.
COPY='"$HOLDER" $TRIAL | grep -q "^namespaces" && echo GOT'
NAMESPACE='unshare -Urm sh -c "mount -t tmpfs none /mnt && echo GOT"'
PERL='my ($n, $at, $t) = ("none", "/mnt", "tmpfs");
  print "GOT\n" if syscall(272, 0x10020000) == 0 and syscall(165, $n, $at, $t, 0, 0) == 0'
NAMED="aa-exec -p yolofs-holder -- perl -e '$PERL'"
mkdir /home/dev/project && chown dev:dev /home/dev/project && cd /home/dev/project || exit 1
outside() { as ordinary sh -c "$1" 2>&1; }
inside() { as ordinary "$NODE" "$MAIN" run --quiet -- sh -c "$1" 2>&1; }
# attempt WHAT COUNTER COMMAND…: COUNTER is the same where nothing refuses it.
attempt() {
  what=$1 counter=$2
  shift 2
  case $(eval "$counter") in
    *GOT*) ;;
    *) row ordinary "$what" 'nothing is shown: it gets nothing where nothing refuses it, either'; return ;;
  esac
  said=$("$@")
  echo "$what: $said" >&2
  case $said in
    *GOT*) row ordinary "$what" 'gets it' ;;
    *) row ordinary "$what" refused ;;
  esac
}
refusal() { as ordinary "$NODE" "$MAIN" run -- true 2>&1 | sed -n 's/^yolofs: run: //p' | head -n 1; }
free() { echo 0 > ${SETTING}_userns; "$@"; echo 1 > ${SETTING}_userns; }

# As Ubuntu ships it.
sed -i 's/ flags=(complain)//' /etc/apparmor.d/unprivileged_userns
apparmor_parser --replace /etc/apparmor.d/unprivileged_userns || exit 1
echo 0 > ${SETTING}_unconfined
echo 1 > ${SETTING}_userns
as ordinary "$NODE" "$MAIN" init

steps ordinary 'one restriction, before setup'
echo 1 > ${SETTING}_unconfined
steps ordinary 'both restrictions, before setup'
hint=$(as ordinary "$NODE" "$MAIN" run -- true 2>&1 | sed -n "s/.*'sudo \([^']*\)'.*/\1/p")
row root 'does what the refusal says' "$(sh -c "$hint" 2>&1)"
[ -x "$HOLDER" ] || exit 1
attempt 'in the view: the copy' 'outside "$COPY"' inside "$COPY"
attempt 'in the view: a namespace of its own' 'free inside "$NAMESPACE"' inside "$NAMESPACE"
attempt 'outside: a namespace of its own' 'free outside "$NAMESPACE"' outside "$NAMESPACE"
attempt 'in the view: the profile by its name, both restrictions' 'free inside "$NAMED"' inside "$NAMED"
attempt 'outside: a changed copy elsewhere' 'outside "$COPY"' \
  outside 'cp "$HOLDER" /tmp/holder && echo "#" >> /tmp/holder && HOLDER=/tmp/holder && '"$COPY"
attempt 'outside: the copy by another Perl' 'outside "$COPY"' outside 'perl -T "$HOLDER" $TRIAL | grep -q "^namespaces" && echo GOT'
echo '__attribute__((constructor)) static void f(void) { __builtin_puts("GOT"); }' > /tmp/got.c
gcc -shared -fPIC -o /home/dev/got.so /tmp/got.c
attempt 'outside: LD_PRELOAD' 'outside "LD_PRELOAD=/home/dev/got.so perl -e 1"' outside 'LD_PRELOAD=/home/dev/got.so "$HOLDER" $TRIAL'
echo 'package Got; print "GOT\n"; 1;' > /home/dev/Got.pm
attempt 'outside: PERL5OPT' 'outside "PERL5LIB=/home/dev PERL5OPT=-MGot perl -e 1"' outside 'PERL5LIB=/home/dev PERL5OPT=-MGot "$HOLDER" $TRIAL'
as ordinary "$NODE" "$MAIN" run --quiet -- true
holder=$(pgrep -u dev -o yolofs-holder)
JOIN="nsenter --preserve-credentials --user --target $holder echo GOT"
attempt "another user: the namespace of a user's holder" 'outside "$JOIN"' setpriv --reuid=1001 --regid=1001 --clear-groups sh -c "$JOIN 2>&1"
yolofs_stop() { as ordinary "$NODE" "$MAIN" stop >/dev/null 2>&1; }
yolofs_stop
echo '#' >> "$HOLDER"
row ordinary 'a changed copy at its place' "$(refusal)"
row root 'makes it whole' "$(sh -c "$hint" 2>&1)"
chmod o+w "$(dirname "$HOLDER")"
row ordinary 'a copy where others may write' "$(refusal)"
chmod o-w "$(dirname "$HOLDER")"
steps ordinary 'both restrictions, after setup'
clone ordinary 'from a clone, after setup'
echo 0 > ${SETTING}_unconfined
attempt 'in the view: the profile by its name, one restriction' 'free inside "$NAMED"' inside "$NAMED"
attempt 'outside: the profile by its name, one restriction' 'free outside "$NAMED"' outside "$NAMED"
yolofs_stop
steps ordinary 'one restriction, after setup'
row root 'setup --remove' "$(sh -c "$hint --remove" 2>&1)"
row ordinary 'after it' "$(refusal)"
echo 1 > ${SETTING}_unconfined
steps root 'both restrictions, without it'
