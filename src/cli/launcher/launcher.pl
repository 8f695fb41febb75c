#!perl
# Hands a hook's event, or a run, to the session's daemon, which has the program loaded; whatever is in the way, Node does all of it.
use strict;
my @words = @ARGV;
my $program = $0;
my $LONGEST_INPUT = 1 << 20;
my $PATIENCE = 10;
my $is_hook = @words && $words[0] eq '@HOOK@' && $program !~ m{(?:^|/)yolofs-shell$};

delete $ENV{PERL_BADLANG};
$ENV{PERL_BADLANG} = delete $ENV{YOLOFS_PERL_BADLANG} if exists $ENV{YOLOFS_PERL_BADLANG};

# As if this program had not been there. What was read of stdin is handed on.
sub node {
  my ($input) = @_;
  if (defined $input) {
    pipe my $from, my $to or die "yolofs: pipe: $!\n";
    my $writer = fork;
    die "yolofs: fork: $!\n" unless defined $writer;
    if (!$writer) {
      close $from;
      print $to $input;
      # Whoever waits for the end of what was written may stop here: there is nothing left of this process to be told.
      print $to $_ while read STDIN, $_, 65536;
      close $to;
      kill 'KILL', $$;
    }
    open STDIN, '<&', $from or die "yolofs: stdin: $!\n";
  }
  # As head.sh looks for it.
  my ($dir) = $program =~ m{^(.*)/}s;
  my ($prefix) = $program =~ m{^(.*)/lib/node_modules/}s;
  my @beside = map { defined $_->[0] ? join '/', @$_ : () } [$dir, 'node'], [$prefix, 'bin/node'];
  exec $_, $program, @words for grep { -f and -x } @beside;
  exec 'node', $program, @words or print STDERR "yolofs: @WITHOUT@\n";
  exit($is_hook ? 2 : 1);
}

# Where sessions are registered: out of reach of views and of what clones bring. See history/registry.
sub registry {
  my $named = $ENV{XDG_STATE_HOME} // '';
  return "$named/yolofs/sessions" if $named =~ m{^/};
  return ($ENV{HOME} // '') =~ m{^/+[^/]} ? "$ENV{HOME}/.local/state/yolofs/sessions" : undef;
}

# The nearest session's directory in the registry, which need not be the right one: whoever answers at its socket decides that.
sub find_entry {
  my $registry = registry() // return undef;
  my %seen;
  my $named = @words > 2 && $words[1] eq '--session' ? $words[2] : undef;
  for my $start ($named, $ENV{YOLOFS_SESSION}, readlink '/proc/self/cwd', $ENV{CLAUDE_PROJECT_DIR}) {
    my $at = $start // '';
    while ($at =~ m{^/} and !$seen{$at}++) {
      my ($device, $inode) = lstat "$at/.yolofs";
      return "$registry/$device-$inode" if -d _ and -S "$registry/$device-$inode/launch";
      $at =~ s{/[^/]*$}{} or last;
      $at = '/' if $at eq '';
    }
  }
  return undef;
}

# A socket whose other end is this user's.
my $entry;
sub reach {
  $entry = find_entry() // return undef;
  # By way of a descriptor: an address holds 107 bytes.
  open my $held, '<', $entry or return undef;
  socket my $socket, 1, 1, 0 or return undef;
  connect $socket, pack 'S a*', 1, '/proc/self/fd/' . fileno($held) . '/launch' or return undef;
  my (undef, $uid) = unpack 'iII', getsockopt($socket, 1, 17) // return undef;
  return $uid == $> ? $socket : undef;
}

sub send_line {
  my ($socket, $line) = @_;
  local $SIG{PIPE} = 'IGNORE';
  for (my $at = 0; $at < length $line;) {
    my $written = syswrite $socket, $line, length($line) - $at, $at;
    if (defined $written) { $at += $written } elsif ($! != 4) { return 0 }
  }
  return 1;
}

# One line, or undef at the end of the connection; $limit: when nothing more has come for so many seconds.
my $text = '';
sub next_line {
  my ($socket, $limit) = @_;
  while ((my $end = index $text, "\n") < 0) {
    my $ready = '';
    vec($ready, fileno $socket, 1) = 1;
    if (defined $limit) { my $found = select $ready, undef, undef, $limit; next if $found < 0; return undef if !$found }
    my $length = sysread $socket, $text, 65536, length $text;
    next if !defined $length and $! == 4;
    return undef if !$length;
  }
  my $line = substr $text, 0, 1 + index($text, "\n"), '';
  chomp $line;
  return $line;
}

sub text_of { return pack 'H*', $_[0] // '' }

sub finish {
  my ($code, $out, $err) = @_;
  print STDOUT text_of($out);
  close STDOUT;
  print STDERR text_of($err);
  exit $code;
}

# The first child of a process.
sub child_of {
  my ($parent) = @_;
  opendir my $processes, '/proc' or return undef;
  for my $pid (grep { /^\d/ } readdir $processes) {
    open my $stat, '<', "/proc/$pid/stat" or next;
    return $pid if (<$stat> // '') =~ /^.*\) \S (\d+) /s and $1 == $parent;
  }
  return undef;
}

sub command_line {
  my ($pid) = @_;
  open my $file, '<', "/proc/$pid/cmdline" or return '';
  local $/;
  return <$file> // '';
}

# The program at the end of the way that begins with this process; undef when it is not there yet. All on the way have one name.
sub program_below {
  my ($way) = @_;
  my $name = command_line($way);
  my $at = $way;
  do { $at = child_of($at) } while defined $at and command_line($at) eq $name;
  return $at;
}

# Evaluates what the daemon says in a process of its own, and waits for it as sys/process/foreground.ts does.
our @env;
sub run {
  my ($socket, $variables, $script, $words, $unset, $set) = @_;
  my %other = map { /^([^=]+)/ ? ($1 => 1) : () } split /\0/, "$unset\0$set";
  @env = map { "$_\0" } (grep { /^([^=]+)/ and !$other{$1} } split /\0/, $variables), split /\0/, $set;
  local @SIG{qw(INT QUIT)} = ('IGNORE', 'IGNORE');
  $SIG{CHLD} = 'DEFAULT';
  pipe my $gate, my $go or die "yolofs: run: pipe: $!\n";
  my $way = fork;
  die "yolofs: run: fork: $!\n" unless defined $way;
  if (!$way) {
    close $socket;
    close $go;
    @ARGV = ('gate=' . fileno $gate, split /\0/, $words, -1);
    eval "no strict; $script";
    die $@;
  }
  my $forward = sub {
    my ($signal) = @_;
    for (1 .. 250) {
      my $program = program_below($way);
      return kill $signal, $program if defined $program;
      return unless defined readlink "/proc/$way/exe";
      select undef, undef, undef, 0.02;
    }
    kill 'KILL', $way;
  };
  close $gate;
  send_line($socket, "pid $way\n");
  my $told = next_line($socket) // '';
  local $SIG{PIPE} = 'IGNORE';
  syswrite $go, '.' if $told eq 'go';
  close $go;
  # Before there is a command, and once it is gone, signals are for this program: whoever waits for a daemon can be told to stop.
  @SIG{qw(TERM HUP)} = ($forward, $forward);
  waitpid $way, 0;
  @SIG{qw(INT QUIT TERM HUP)} = ('DEFAULT') x 4;
  if ($told ne 'go') {
    my ($verb, @end) = split / /, $told, -1;
    finish(@end) if ($verb // '') eq 'end';
    lost();
  }
  my $code = $? & 127 ? 128 + ($? & 127) : $? >> 8;
  send_line($socket, "exit $code\n");
  my (undef, @end) = split / /, next_line($socket) // lost();
  finish(@end);
}

sub lost {
  print STDERR "yolofs: run: the session's daemon has ended\n";
  print STDERR "hint: what was written before is kept; $entry/daemon.log may say why\n";
  exit 1;
}

# Who sits at a terminal can be asked.
node() if !$is_hook and -t STDIN and -t STDERR;
# Node says that it cannot pass on what is not UTF-8.
node() if !$is_hook and grep { !utf8::decode(my $copy = $_) } @words;
my $socket = reach() // node();
my $input = '';
while ($is_hook) {
  my $length = sysread STDIN, $input, 65536, length $input;
  if (!defined $length and ($! == 4 or $! == 11)) { select undef, undef, undef, 0.002; next }
  last if !$length;
  node($input) if length $input > $LONGEST_INPUT;
}
open my $environment, '<', '/proc/self/environ' or node($is_hook ? $input : undef);
my $variables = join '', grep { !/^(?:YOLOFS_)?PERL_BADLANG=/ } map { "$_\0" } split /\0/, join '', <$environment>;
$variables .= "PERL_BADLANG=$ENV{PERL_BADLANG}\0" if exists $ENV{PERL_BADLANG};
my @here = (readlink '/proc/self/ns/mnt', (stat '/')[0, 1]);
my @greeting = ('launch 1', "@here", readlink '/proc/self/cwd', $program, -t STDERR ? 'tty' : '', join("\0", @words), $variables, $input);
send_line($socket, join(' ', map { unpack 'H*', $_ } @greeting) . "\n") or node($is_hook ? $input : undef);
my ($verb, @rest) = split / /, next_line($socket, $is_hook ? $PATIENCE : undef) // 'elsewhere', -1;
finish(@rest) if $verb eq 'end';
run($socket, $variables, map { text_of($_) } @rest) if $verb eq 'start';
node($is_hook ? $input : undef);
__END__
*/;
