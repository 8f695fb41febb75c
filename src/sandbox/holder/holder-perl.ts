/**
 * The holder as one Perl program: what holder-script.ts does with sixty programs of the host takes a few milliseconds when the
 * system calls are made directly. Same reports, same descriptors, same mounts (test/sandbox/holder.test.ts compares them).
 * The build writes it to a file (holder-file.ts), of which root can have a copy with a right of its own (installed-copy.ts): there,
 * any user may start it with any words, any environment and any descriptors.
 *
 *     outer     host's pid and mounts, the latter in a namespace of its own: opens /dev/fuse, mounts the view, waits for the init;
 *               what the daemon kills
 *     anchor    root only: sits in the nested user namespace
 *     init      session's pid namespace: makes the other mounts, then the view its root; echoes what changed outside
 *               (echo-script.ts) until the daemon's end
 *
 * Nothing is executed and no module is loaded once it runs (`@INC` is empty), so nothing of the view is ever run with
 * rights over its mounts. Words: settings `name=value`, `--`, `keep:NAME`, `direct:PATH` and `own:NAME:PATH` as in
 * holder-script.ts; with `trial=yes` it only says what the host lets it do. Linux 5.12, for mount_setattr(2).
 */

import { dirname } from 'node:path';
import { COPY } from '../installed-copy.ts';
import { PROC_MASKED, PROC_READ_ONLY, SYS_MASKED } from '../kernel-files.ts';
import { ECHO } from './echo-script.ts';
import { COMMON } from './perl-common.ts';

const OUTER = String.raw`
sub make_anchor {
  my $pid = fork;
  fail("fork: $!") unless defined $pid;
  return if $pid;
  $0 = 'yolofs-anchor';
  try('user namespace', call('unshare', 0x10000000));
  report('anchor', $$);
  close STDOUT;
  close STDERR;
  close STDIN;
  wait_for_the_end();
}
sub own_user_namespace {
  my ($uid, $gid) = ($> + 0, $) + 0);
  try('user namespace', call('unshare', 0x10000000));
  write_to('/proc/self/setgroups', 'deny');
  write_to('/proc/self/uid_map', "$uid $uid 1");
  write_to('/proc/self/gid_map', "$gid $gid 1");
}
# What the kernel says first has two numbers behind a header of 40 bytes: which FUSE protocol it speaks.
sub try_out {
  if ($s{nested} eq 'yes') {
    my $pid = fork;
    fail("fork: $!") unless defined $pid;
    if (!$pid) { try('user namespace', call('unshare', 0x10000000)); exit 0 }
    waitpid $pid, 0;
    exit 1 if $?;
  }
  report('namespaces', $$);
  mount_fuse('mount of the view', 4, '/dev');
  open my $device, '<&=', 4;
  sysread $device, my $message, 135168 or fail("mount of the view: $!");
  printf "protocol %d.%d\n", unpack 'x40 L2', $message;
  exit 0;
}
sub mount_fuse {
  my ($step, $fd, $at) = @_;
  open_as('/dev/fuse', '/dev/fuse', 2, $fd);
  mount_at($step, 'yolofs', $at, 'fuse', without('nosuid') ? 0 : $NOSUID | $NODEV, "fd=$fd,$s{fuse_options}");
}

$0 = 'yolofs-holder';
call('close_range', 4, 0xffffffff, 0);
try('no_new_privs', call('prctl', 38, 1, 0, 0, 0));
own_user_namespace() if $s{nested} ne 'yes';
try('mount namespace', call('unshare', 0x20000));
mount_at('mount namespace', 'none', '/', 0, $REC | $SLAVE, 0);
# Made here, the view's /tmp can be read where the host's tree is.
mount_at('/tmp', 'tmp', $s{tmp}, 'tmpfs', $NOSUID | $NODEV, $s{tmp_options}) if $s{tmp_options} ne '';
# This process dies with the daemon.
try('parent-death signal', call('prctl', 1, 9, 0, 0, 0));
fail('/dev/fuse: no such device') unless -c '/dev/fuse';
try_out() if $s{trial} eq 'yes';
make_anchor() if $s{nested} eq 'yes';
mount_fuse('mount of the view', 4, $s{view});
mount_fuse('second mount of the view', 6, $s{fast}) if $s{fast_at} ne '';
report('fuse', $$);
wait_to_go_on();
call('close', 4);
call('close', 6) if $s{fast_at} ne '';
try('pid namespace', call('unshare', 0x20000000 | 0x08000000 | ($s{own_network} ne '' ? 0x40000000 : 0)));
pipe my $copied, my $copying or fail("pipe: $!");
my $child = fork;
fail("fork: $!") unless defined $child;
if ($child) {
  $SIG{INT} = $SIG{TERM} = 'IGNORE';
  close $copying;
  one_byte($copied);
  # Here the host's tree stays, to mount more of it into the view later (add-mounts.ts); the view is elsewhere.
  call('umount2', $_, 2) for $s{view}, $s{fast_at} ne '' ? $s{fast} : ();
  waitpid $child, 0;
  exit 1;
}
try('parent-death signal', call('prctl', 1, 9, 0, 0, 0));
try('mount namespace', call('unshare', 0x20000));
close $copying;
close $copied;
`;

const MOUNTS = String.raw`
my $init;
# A mount must land where it is meant to: what was staged earlier may have put a symbolic link on the way.
sub plain {
  my ($path) = @_;
  my $at = '.';
  for my $part (grep { $_ ne '' } split m{/}, $path) {
    $at .= "/$part";
    fail("$path in the view: a symbolic link is in the way") if -l $at;
  }
}
# $protection is the one that this is; $device: it is one.
sub bind_read_only {
  my ($source, $target, $protection, $device) = @_;
  bind_at($target, $source, $target);
  restrict($target, $target, (without($protection) ? 0 : $RO) | $NOSUID | $NOEXEC | ($device ? 0 : $NODEV));
}

# With all that is mounted below; what the host mounts there later does not come along: nobody would take anything away from it.
sub bind_alone {
  my ($source, $target) = @_;
  bind_at($source, $source, $target, $REC);
  mount_at($source, 'none', $target, 0, $REC | $PRIVATE, 0);
}
# EPERM: parts of the /proc here are covered, as in containers, and a new one would show them. This one is passed on, with its
# covers, and read-only: processes outside are in it, and some of their files are their user's to write, without any right.
sub own_proc {
  my ($type, $at) = ('proc', './proc');
  return 1 if call('mount', $type, $at, $type, $NOSUID | $NODEV | $NOEXEC, 0) >= 0;
  fail("/proc: $!") if $! != 1;
  bind_alone('/proc', $at);
  restrict('/proc read-only', $at, $RO | $NOSUID | $NOEXEC, 1);
  report('shared', $init);
  return 0;
}

sub proc {
  plain('/proc');
  return bind_at('/proc', '/proc', './proc', $REC) if without('pid-namespace');
  my $is_own = own_proc();
  return if without('proc');
  # An ordinary user may write none of these, and without masks programs can make sandboxes of their own.
  if ($s{masked} eq 'yes') {
    -e $_ and $is_own and bind_read_only($_, $_, 'proc') for map { "./proc/$_" } qw(${PROC_READ_ONLY});
    -e $_ and bind_read_only('/dev/null', $_, 'proc', 1) for map { "./proc/$_" } qw(${PROC_MASKED});
  }
  # Whoever this is, and whatever rights it has: a view in which these can be opened for writing is none.
  for my $name (split / /, $s{probed}) {
    call('openat', -100, "./proc/$name", 1, 0) < 0 or fail("kernel settings: /proc/$name is writable in the view");
  }
}

sub sys {
  plain('/sys');
  bind_alone('/sys', './sys');
  return if without('sys');
  restrict('/sys read-only', './sys', $RO, 1);
  # Only root may read these, and in the view nobody needs to.
  return if $s{masked} ne 'yes';
  for my $name (grep { -d "./sys/$_" } qw(${SYS_MASKED})) {
    mount_at("/sys/$name", 'none', "./sys/$name", 'tmpfs', $RO | $NOSUID | $NODEV | $NOEXEC, 'mode=0');
  }
}

sub dev {
  plain('/dev');
  mount_at('/dev', 'dev', './dev', 'tmpfs', $NOSUID | $NOEXEC, 'mode=755,size=1m');
  for my $name (qw(null zero full random urandom tty)) {
    make_file("/dev/$name", "./dev/$name");
    # Devices work on a read-only mount all the same; their owner and mode are the host's.
    bind_read_only("/dev/$name", "./dev/$name", 'dev', 1);
  }
  mkdir "./dev/$_" or fail("/dev/$_: $!") for qw(pts shm mqueue);
  mount_at('/dev/pts', 'devpts', './dev/pts', 'devpts', $NOSUID | $NOEXEC, 'newinstance,ptmxmode=0666,mode=620');
  mount_at('/dev/shm', 'shm', './dev/shm', 'tmpfs', $NOSUID | $NODEV, $s{shm_options});
  my %links = (ptmx => 'pts/ptmx', fd => '/proc/self/fd', stdin => 'fd/0', stdout => 'fd/1', stderr => 'fd/2');
  symlink $links{$_}, "./dev/$_" or fail("/dev/$_: $!") for keys %links;
  make_file($s{guest_at}, ".$s{guest_at}");
  bind_read_only($s{guest}, ".$s{guest_at}", 'dev');
  return unless without('dev');
  opendir my $all, '/dev' or fail("/dev: $!");
  for my $node (map { m{^(\w.*)$} ? "/dev/$1" : () } readdir $all) {
    next if -e ".$node" or -d $node or -l $node;
    make_file($node, ".$node");
    bind_at($node, $node, ".$node");
  }
}

# A network of its own begins with a loopback device that is down: SIOCSIFFLAGS of it, IFF_UP and IFF_RUNNING.
sub network {
  return if $s{own_network} eq '';
  socket my $socket, 2, 2, 0 or fail("own network: $!");
  my $up = pack 'a16 s x14', 'lo', 0x41;
  ioctl $socket, 0x8914, $up or fail("own network: $!");
}

sub tmp {
  my ($tmp, $at) = @s{qw(tmp tmp_at)};
  return if $tmp eq '';
  plain($at);
  for my $name (map { /^keep:(.*)$/s ? $1 : () } @words) {
    plain("$at/$name");
    fail("$tmp/$name: a symbolic link is in the way") if -l "$tmp/$name";
    make_dirs("$tmp/$name", "$tmp/$name");
    bind_at("$at/$name", ".$at/$name", "$tmp/$name");
  }
  bind_at($at, $tmp, ".$at", $REC);
  restrict($at, ".$at", $NOSUID | $NODEV);
}

# After /tmp, which may lie on the way, and before the direct paths.
sub fast {
  return if $s{fast_at} eq '';
  plain($s{fast_at});
  bind_at($s{fast_at}, $s{fast}, ".$s{fast_at}");
}

# In the view's own /dev and /tmp the place of a direct path is made, elsewhere it has to be there.
sub make_place {
  my ($path) = @_;
  my $is_own = $path =~ m{^/dev/} || $s{tmp} ne '' && index($path, "$s{tmp_at}/") == 0;
  fail("direct path $path: it does not exist in the view") unless $is_own;
  return make_dirs("direct path $path", ".$path") if -d $path;
  make_dirs("direct path $path", $path =~ m{^(.*)/}s ? ".$1" : '.');
  make_file("direct path $path", ".$path");
}

sub direct {
  for my $path (map { /^direct:(.*)$/s ? $1 : () } @words) {
    plain($path);
    make_place($path) unless -e ".$path";
    bind_at("direct path $path", $path, ".$path", $REC);
  }
  for my $word (@words) {
    my ($name, $path) = $word =~ /^own:([^:]*):(.*)$/s or next;
    plain($path);
    bind_at("own directory $path", "$s{own}/$name", ".$path");
    restrict("own directory $path", ".$path", $NOSUID | $NODEV);
  }
}
`;

const INIT = `
# Nobody in the view is to have what root has given to the holder alone: see installed-copy.ts.
sub hide_copy {
  my $dir = '${dirname(COPY)}';
  return unless -d $dir and -d ".$dir";
  plain($dir);
  mount_at($dir, 'none', ".$dir", 'tmpfs', $RO | $NOSUID | $NODEV | $NOEXEC, 'mode=0');
}

$0 = 'yolofs-init';
# The kernel buries the orphans of the session.
$SIG{CHLD} = 'IGNORE';
$init = readlink '/proc/self';
chdir $s{view} or fail("the view does not answer: $!");
open_as('the view', '.', 0, 5);
open_as('the second mount', $s{fast}, 0, 6) if $s{fast_at} ne '';
report('root', $init);
wait_to_go_on();
call('close', 5);
call('close', 6) if $s{fast_at} ne '';
proc();
sys();
dev();
network();
tmp();
fast();
direct();
hide_copy();
my ($new, $old) = ('.', '.');
try('pivot_root', call('pivot_root', $new, $old));
# The host's tree covers the view now, at the place where this process is.
try('unmount of the host tree', call('umount2', $new, 2));
chdir '/' or fail("the view: $!");
report('ready', $init);
echo_until_the_end();
`;

export const HOLDER_PROGRAM = `#!/usr/bin/perl -T
# The holder of yolofs: makes the namespaces and mounts of a view, and keeps them while its session lives.
${COMMON}${OUTER}${MOUNTS}${ECHO}${INIT}`;
