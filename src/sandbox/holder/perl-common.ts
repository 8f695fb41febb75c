/** What the sandbox's programs in Perl begin with. */

/** By `process.arch`: e_machine of its ELF files, and the numbers of system calls. They are no words, as those are anybody's. */
const MACHINES = {
  x64: `62 => 'mount=165 umount2=166 unshare=272 prctl=157 openat=257 dup3=292 close=3 pivot_root=155 mount_setattr=442 setns=308
    open_tree=428 move_mount=429 openat2=437 utimensat=280 fchmod=91 mknodat=259 mkdirat=258 symlinkat=266 unlinkat=263
    sync_file_range=277 close_range=436'`,
  arm64: `183 => 'mount=40 umount2=39 unshare=97 prctl=167 openat=56 dup3=24 close=57 pivot_root=41 mount_setattr=442 setns=268
    open_tree=428 move_mount=429 openat2=437 utimensat=88 fchmod=52 mknodat=33 mkdirat=34 symlinkat=36 unlinkat=35
    sync_file_range=84 close_range=436'`,
};

/** Whether the program knows this machine's system calls. */
export const IS_KNOWN_MACHINE = process.arch in MACHINES;

/** What programs of ours in Perl begin with: settings, words, system calls, and how a step fails. */
export const COMMON = String.raw`
@INC = ();
%ENV = ();
$| = 1;
my %machines = (
  ${Object.values(MACHINES).join(',\n  ')},
);
open my $elf, '<:raw', '/proc/self/exe' or die "/proc/self/exe: $!\n";
sysread $elf, my $head, 20;
close $elf;
my ($machine) = unpack('x18 v', $head) =~ /^(\d+)$/;
my %number = map { split /=/ } split ' ', $machines{$machine} // die "no system calls are known of this machine\n";
my %s;
while (@ARGV and (my $w = shift @ARGV) ne '--') { $s{$1} = $2 if $w =~ /^(\w+)=(.*)$/s }
my @words = map { /^(.*)$/s; $1 } @ARGV;
my ($BIND, $REC, $PRIVATE, $SLAVE) = (0x1000, 0x4000, 0x40000, 0x80000);
my ($RO, $NOSUID, $NODEV, $NOEXEC) = (1, 2, 4, 8);

sub fail { print "error @_\n"; exit 1 }
sub call { my $name = shift; return syscall($number{$name} + 0, @_) }
sub try { my ($step, $result) = @_; fail("$step: $!") if $result < 0; return $result }
sub without { return $s{without} =~ / \Q$_[0]\E / }
# syscall() takes no literals for strings: all arguments are copied.
sub mount_at {
  my ($step, $source, $target, $type, $flags, $data) = @_;
  try($step, call('mount', $source, $target, $type, $flags + 0, $data));
}
sub bind_at { my ($step, $source, $target, $more) = @_; mount_at($step, $source, $target, 0, $BIND | ($more || 0), 0) }
# Takes more away from a mount, or from all mounts there and below; what it may not do already stays so.
sub restrict {
  my ($step, $target, $attributes, $below) = @_;
  my $set = pack 'Q4', $attributes, 0, 0, 0;
  try($step, call('mount_setattr', -100, $target, $below ? 0x8000 : 0, $set, 32));
}
sub open_as {
  my ($step, $path, $flags, $number) = @_;
  my $fd = try($step, call('openat', -100, $path, $flags, 0));
  return if $fd == $number;
  try($step, call('dup3', $fd, $number, 0));
  call('close', $fd);
}
sub one_byte {
  my ($from) = @_;
  my ($read, $byte);
  do { $read = sysread $from, $byte, 1 } while !defined $read and $! == 4;
  return $read;
}
sub report { my ($what, $pid) = @_; print "$what $pid\n" }
sub wait_to_go_on { one_byte(*STDIN) or exit 1 }
sub wait_for_the_end { open my $lifeline, '<&=', 3 or exit 1; one_byte($lifeline); exit 0 }
sub write_to {
  my ($path, $text) = @_;
  open my $f, '>', $path or fail("$path: $!");
  print $f $text;
  close $f or fail("$path: $!");
}
sub make_file { my ($step, $path) = @_; open my $f, '>', $path or fail("$step: $!"); close $f }
sub make_dirs {
  my ($step, $path) = @_;
  my $at = $path =~ m{^/} ? '' : '.';
  for my $part (grep { $_ ne '' and $_ ne '.' } split m{/}, $path) {
    $at .= "/$part";
    mkdir $at or -d $at or fail("$step: $!");
  }
}
`;
