/**
 * What takes a command into the view and into its cage: one Perl program, as Perl is on nearly every host and can make
 * system calls. It does what setpriv(1) and nsenter(1) do and what they cannot: between joining the user namespace, which
 * gives all capabilities in it, and giving them up nothing is executed, since all programs there come from the view.
 *
 *     parent  joins the namespaces, forks, waits; passes on the exit code, a death by signal, a stop
 *     child   gives up what the cage takes, and becomes the command; or, with `foreground`, the waiter of sys/process/foreground.ts
 *
 * Words: settings `name=value` (numbers of system calls among them), `--`, the directory, the command's words. `-T` has Perl
 * ignore the environment, which is the command's. The launcher (cli/launcher) evaluates this text in a process of its own,
 * with the command's environment in `@env` and a pipe, `gate`, on which it is told when the daemon knows of the process.
 */
export const ENTER_SCRIPT = String.raw`
my %s;
while (@ARGV and (my $w = shift @ARGV) ne '--') { $s{$1} = $2 if $w =~ /^(\w+)=(.*)$/s }
my ($cwd, @words) = map { /^(.*)$/s; $1 } @ARGV;
our @env;
if (!@env) {
  open my $in, '<:raw', '/proc/self/environ';
  @env = map { /^(.*)$/s; "$1\0" } split /\0/, join '', <$in>;
  close $in;
  # See viewEnvironment() in enter.ts.
  @env = map { s/^YOLOFS_(?=PERL_BADLANG=)//; $_ } grep { !/^PERL_BADLANG=/ } @env;
}

sub end { my ($what, $code) = @_; print STDERR "yolofs: run: $what: $!\n"; exit $code }
sub call { my $name = shift; return syscall($s{$name} + 0, @_) }
sub try { my ($what, $result) = @_; end("entering the view: $what", 126) if $result < 0; return $result }
sub wait_for {
  my ($pid) = @_;
  # 2: stops, too.
  while (waitpid($pid, 2) == $pid and ($? & 0xff) == 0x7f) { kill 'STOP', $$; kill 'CONT', $pid }
}
sub join_of {
  my ($pid, $spaces) = @_;
  my $process = try('pidfd_open', call('pidfd_open', $pid + 0, 0));
  try('setns', call('setns', $process, $spaces + 0));
}

# A directory or a disk leads out of the view, and so may any device: files, pipes, sockets, terminals and the view's own devices do not.
my %harmless = map { $_ => 1 } 0x103, 0x105, 0x107, 0x108, 0x109, 0x500;
for my $file ($s{close} ? (*STDIN, *STDOUT, *STDERR) : ()) {
  my ($mode, $device) = (stat $file)[2, 6];
  next if !defined $mode or -f _ or -p _ or -S _ or -c _ && $harmless{$device} or -t $file;
  my $what = -d _ ? 'a directory' : 'a device';
  print STDERR "yolofs: run: descriptor " . fileno($file) . " is $what, which would lead out of the view\n";
  exit 1;
}

# The number of a process here; in a /proc that is the host's (holder-perl.ts) it has another name.
sub number_of {
  my ($name) = @_;
  open my $status, '<', "/proc/$name/status" or return;
  return map { /^NSpid:.*?(\d+)$/ ? $1 : () } <$status>;
}

# Kills all descendants, until there are none.
sub end_all {
  local $SIG{USR1} = 'IGNORE';
  while ((my $ended = waitpid -1, 1) >= 0) {
    next if $ended;
    my %children;
    opendir my $processes, '/proc' or last;
    for my $pid (map { /^(\d+)$/ } readdir $processes) {
      open my $stat, '<', "/proc/$pid/stat" or next;
      push @{$children{$2}}, $1 if (<$stat> // '') =~ /^(\d+) .*\) \S (\d+) /s;
    }
    my ($self) = (readlink('/proc/self') // '') =~ /^(\d+)$/;
    my @below = @{$children{$self // ''} // []};
    for (my $at = 0; $at < @below; $at++) { push @below, @{$children{$below[$at]} // []} }
    @below = map { number_of($_) } @below if @below and $self != $$;
    kill 'KILL', @below;
    select undef, undef, undef, 0.005;
  }
}

my @terminal = qw(INT QUIT TERM HUP);
# All on the way but the command goes by the name that is given: what it was started with is nobody's business in the view.
if ($s{foreground}) { $0 = $s{foreground}; $SIG{$_} = 'IGNORE' for @terminal; $SIG{CHLD} = 'DEFAULT' }
try('no_new_privs', call('prctl', 38, 1, 0, 0, 0)) if $s{nnp};
# When memory runs out, a command goes before the daemon.
if ($s{score} and open my $score, '>', '/proc/self/oom_score_adj') { print $score $s{score}; close $score }
# Nobody may look into this process before it has become the command.
try('dumpable', call('prctl', 4, 0, 0, 0, 0));
join_of($s{anchor}, 0x10000000) if $s{user} eq 'first';
join_of($s{holder}, $s{spaces});
join_of($s{anchor}, 0x10000000) if $s{user} eq 'last';

# The end of who started this is the end of it all: the other half hears of the end of this process.
if ($s{ends}) { try('parent-death signal', call('prctl', 1, 9, 0, 0, 0)) }
my $child = fork;
end('entering the view: fork', 126) unless defined $child;
if ($child) {
  wait_for($child);
  kill $? & 127, $$ if $? & 127;
  exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
}

for my $limit (split /,/, $s{limits}) {
  my ($resource, $most) = split /:/, $limit;
  my $now = "\0" x 16;
  try('limit', call('prlimit', 0, $resource + 0, 0, $now));
  my (undef, $hard) = unpack 'QQ', $now;
  $most = $hard if $most > $hard;
  my $new = pack 'QQ', $most, $most;
  try('limit', call('prlimit', 0, $resource + 0, $new, 0));
}
if ($s{scope}) {
  # Kernels before 6.12 know no such scope; then there is none (doctor says so).
  my $attributes = pack 'QQQ', 0, 0, $s{scope};
  my $ruleset = syscall(444, $attributes, 24, 0);
  try('landlock', syscall(446, $ruleset, 0)) if $ruleset >= 0;
}
if ($s{filter}) {
  my $code = pack 'H*', $s{filter};
  my $program = pack 'Sx6p', length($code) / 8, $code;
  try('seccomp', call('seccomp', 1, 4, $program));
}
if ($s{caps} ne 'all') {
  my $keep = $s{caps};
  for my $cap (0 .. 63) { call('prctl', 24, $cap, 0, 0, 0) unless $keep >> $cap & 1 }
  my $header = pack 'LL', 0x20080522, 0;
  my ($low, $high) = ($keep & 0xffffffff, $keep >> 32);
  my $sets = pack 'L6', $low, $low, 0, $high, $high, 0;
  try('capset', call('capset', $header, $sets));
}
# Until the daemon knows this process nothing is done in the view: it would be nobody's.
if ($s{gate}) { open my $gate, '<&=', $s{gate}; exit 126 unless sysread $gate, my $go, 1; close $gate }
if ($s{close}) {
  syscall(436, 3, 0xffffffff, 0);
  # The host's /dev/null, which callers like to give, is a way to its inode: the view's own is on a read-only mount.
  my @null = stat '/dev/null';
  for my $file (*STDIN, *STDOUT, *STDERR) {
    my @given = stat $file;
    open $file, '+<', '/dev/null' if @null and @given and "@given[0, 1]" eq "@null[0, 1]";
  }
}
chdir $cwd or do { print STDERR "yolofs: run: $cwd: no such directory in the view\n"; exit 1 };
if ($s{foreground}) {
  if ($s{ends}) {
    # What loses its parent becomes a child of this process, so nothing that the program starts can leave it.
    try('subreaper', call('prctl', 36, 1, 0, 0, 0));
    $SIG{USR1} = sub { end_all(); exit 137 };
    try('parent-death signal', call('prctl', 1, 10, 0, 0, 0));
  }
  my $program = fork;
  end('entering the view: fork', 126) unless defined $program;
  if ($program) {
    waitpid $program, 0;
    my $code = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    end_all() if $s{ends};
    exit $code;
  }
  # As Node starts its children.
  $SIG{$_} = 'DEFAULT' for grep { !/^(?:KILL|STOP|ZERO|__)/ } keys %SIG;
  call('rt_sigprocmask', 2, "\0" x 8, 0, 8);
}

sub become {
  my @terminated = map { "$_\0" } @_;
  my $argv = pack('p*', @terminated[1 .. $#terminated]) . pack 'J', 0;
  my $envp = pack('p*', @env) . pack 'J', 0;
  call('execve', $terminated[0], $argv, $envp);
  # A script without a first line that names its shell.
  become('/bin/sh', 'sh', $_[0], @_[2 .. $#_]) if $! == 8 and $_[0] ne '/bin/sh';
}
my ($path) = map { /^PATH=(.*)\0$/s ? $1 : () } @env;
my @places = map { length $_ ? "$_/" : './' } split /:/, $path // '/bin:/usr/bin', -1;
my $hidden = 0;
for my $place ($words[0] =~ m{/} ? '' : @places) {
  become("$place$words[0]", @words);
  $hidden = 1 if $! == 13;
  last unless $! == 2 or $! == 13 or $! == 20;
}
$! = 13 if $hidden and $! == 2;
end("$words[0]", $! == 2 ? 127 : 126);
`;
