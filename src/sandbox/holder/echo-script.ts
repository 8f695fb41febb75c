/**
 * What the init of a session does while the session lives: what somebody changed outside, it makes in the view, too, by the system
 * call that does it there. So the kernel's sizes, times and names follow, and whoever watches with inotify(7) hears of it; the
 * daemon answers these requests of this very process, and changes nothing (daemon/view/echo.ts). It is this process as it
 * is the one that nobody in the view can kill, trace or pass for.
 *
 * Lines on stdin, paths in hexadecimal:
 *
 *     written PATH SECONDS NANOSECONDS SIZE   the file has that mtime now; its size, which was SIZE, is asked for (-1: as it was)
 *     touched PATH                            the file's attributes are to be asked for
 *     born PATH TYPE                          a name of that S_IFMT type is there now
 *     unlink PATH, rmdir PATH                 a name is not there any more, or stands for another file
 *     passing PATH                            a name that was not there is not there any more
 *     end                                     is answered with a report
 *
 * Paths are followed without symlinks, and nothing is done but on the mounts of the view: what is passed through is the host's.
 */
export const ECHO = String.raw`
my %is_view;
sub is_of_view { my ($fd) = @_; my @is = stat "/proc/self/fd/$fd"; return @is && $is_view{$is[0]} ? $is[2] & 0170000 : 0 }
sub parent_of {
  my ($path) = @_;
  my ($dir, $name) = $path =~ m{^(.*)/([^/]+)$}s or return;
  $dir = '/' if $dir eq '';
  # O_PATH, O_CLOEXEC; RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS.
  my $how = pack 'Q3', 0x280000 | $s{o_directory}, 0, 0x06;
  my $fd = call('openat2', -100, $dir, $how, 24);
  return if $fd < 0;
  return ($fd, $name) if is_of_view($fd);
  call('close', $fd);
  return;
}
# For writing, by which who watches hears of the end; nothing is written.
sub open_file {
  my ($dir, $name) = @_;
  # O_WRONLY, O_NONBLOCK, O_CLOEXEC.
  my $fd = call('openat', $dir, $name, 0x80801 | $s{o_nofollow}, 0);
  return $fd if $fd < 0 or is_of_view($fd) == 0100000;
  call('close', $fd);
  return -1;
}
my %echo = (
  written => sub {
    my ($dir, $name, $sec, $nsec, $size) = @_;
    my $fd = open_file($dir, $name);
    return if $fd < 0;
    # What is written and not sent yet is to be sent before: then it is the view's own file, and stays so.
    call('sync_file_range', $fd, 0, 0, 7);
    # The atime is UTIME_OMIT: what is told is IN_MODIFY.
    my $times = pack 'q4', 0, 0x3ffffffe, $sec, $nsec;
    # Refused where the kernel has forgotten the file meanwhile: then it has the right size already.
    truncate "/proc/self/fd/$fd", $size if $size >= 0;
    call('utimensat', $fd, 0, $times, 0);
    call('close', $fd);
  },
  touched => sub {
    my ($dir, $name) = @_;
    my $fd = open_file($dir, $name);
    return if $fd < 0;
    call('fchmod', $fd, 0600);
    call('close', $fd);
  },
  unlink => sub { my ($dir, $name) = @_; call('unlinkat', $dir, $name, 0) },
  rmdir => sub { my ($dir, $name) = @_; call('unlinkat', $dir, $name, 0x200) },
  passing => sub {
    my ($dir, $name) = @_;
    call('unlinkat', $dir, $name, 0) if call('mknodat', $dir, $name, 0100600, 0) == 0;
  },
);
$echo{born} = sub {
  my ($dir, $name, $type) = @_;
  my $target = '.';
  my $made = $type == 0040000 ? call('mkdirat', $dir, $name, 0700)
    : $type == 0120000 ? call('symlinkat', $target, $dir, $name)
    : call('mknodat', $dir, $name, $type | 0600, 0);
  # Somebody has seen it already.
  return $echo{touched}->($dir, $name) if $made < 0;
  my $fd = $type == 0100000 ? open_file($dir, $name) : -1;
  call('close', $fd) if $fd >= 0;
};
sub echo {
  my ($how, $path, @more) = map { /^(.*)$/s; $1 } split / /, $_[0];
  return report('echoed', $$) if $how eq 'end';
  my ($dir, $name) = parent_of(pack 'H*', $path) or return;
  $echo{$how}->($dir, $name, map { $_ + 0 } @more) if $echo{$how};
  call('close', $dir);
}
sub echo_until_the_end {
  $is_view{(stat $_)[0]} = 1 for '/', $s{fast_at} ne '' ? $s{fast_at} : ();
  open my $lifeline, '<&=', 3 or exit 1;
  my ($lines, $listens) = ('', 1);
  while (1) {
    my $ready = '';
    vec($ready, $_, 1) = 1 for 3, $listens ? 0 : ();
    next if select($ready, undef, undef, undef) < 1;
    exit 0 if vec($ready, 3, 1);
    my $length = sysread *STDIN, $lines, 65536, length $lines;
    $listens = 0 if defined $length and $length == 0;
    while ($lines =~ s/^([^\n]*)\n//) { my $line = $1; eval { echo($line) } }
  }
}
`;
