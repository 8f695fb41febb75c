/**
 * Mounts more of the host into a view that runs: what an agent keeps, when it is wrapped in a session in which others are at work.
 * The holder's outer process has the host's tree in a mount namespace of the same owner; from there a copy of a mount is taken
 * along into the view's. The way to its place is resolved by the kernel in one call, without links: what runs in the view could
 * change it meanwhile. A process of its own, since it waits for the view.
 */
import { runProcess } from '../../sys/process/process.ts';
import { UserError } from '../../sys/user-error.ts';
import { holderPerl, ownPlace, placeWords } from './holder-launch.ts';
import type { PlacesInView } from './options.ts';
import { COMMON } from './perl-common.ts';

const PROGRAM = `${COMMON}
$0 = 'yolofs-mounts';
try('no_new_privs', call('prctl', 38, 1, 0, 0, 0));
sub namespace { my ($path) = @_; open my $f, '<', $path or fail("$path: $!"); return $f }
sub enter { my ($namespace, $kind) = @_; try('namespace', call('setns', fileno $namespace, $kind)) }
my $user = namespace("/proc/$s{outer}/ns/user");
my ($host, $view) = map { namespace("/proc/$_/ns/mnt") } @s{qw(outer init)};
enter($user, 0x10000000) if $s{nested} ne 'yes';
enter($host, 0x20000);
my @mounts;
for my $word (@words) {
  my ($path) = $word =~ /^direct:(.*)$/s;
  my ($name, $covered) = $word =~ /^own:([^:]*):(.*)$/s;
  my ($base) = $word =~ /^base:(.*)$/s;
  my $source = $path // $base // "$s{own}/$name";
  my $empty = '';
  # OPEN_TREE_CLONE and _CLOEXEC, without following a last link; AT_RECURSIVE.
  my $tree = try($source, call('open_tree', -100, $source, 0x80101 | (defined $path ? 0x8000 : 0)));
  # What the host mounts below later must not come along: it would not be read-only.
  my $set = pack 'Q4', $NOSUID | $NODEV | (defined $base ? $RO : 0), 0, defined $base ? $PRIVATE : 0, 0;
  try($source, call('mount_setattr', $tree, $empty, 0x1000, $set, 32)) unless defined $path;
  push @mounts, [$tree, $path // $base // $covered];
}
enter($view, 0x20000);
for my $mount (@mounts) {
  my ($tree, $target) = @$mount;
  # O_PATH and O_CLOEXEC; RESOLVE_NO_SYMLINKS.
  my $how = pack 'Q3', 0x280000, 0, 4;
  my $at = try("$target in the view", call('openat2', -100, $target, $how, 24));
  my ($empty, $none) = ('', '');
  try("mount at $target", call('move_mount', $tree, $empty, $at, $none, 0x44));
}
`;

/** Processes in the namespaces that it takes; `nested` as in privilege.ts. */
export interface HolderProcesses {
  readonly outer: number;
  readonly init: number;
  readonly nested: boolean;
}

/** `base`: as in `Holder.mountBase`. Throws a UserError that names the step that failed; the view has a part of them then. */
export function addMounts(
  { outer, init, nested }: HolderProcesses,
  places: PlacesInView,
  base: readonly string[] = [],
): void {
  const perl = holderPerl();
  if (perl === undefined) throw new UserError('mounting into a view that runs takes Perl, and Linux 5.12');
  const settings = [`outer=${outer}`, `init=${init}`, `nested=${nested ? 'yes' : 'no'}`, `own=${ownPlace(places)}`];
  const argv = [
    perl,
    '-T',
    '-e',
    PROGRAM,
    '--',
    ...settings,
    '--',
    ...placeWords(places),
    ...base.map((path) => `base:${path}`),
  ];
  const { code, output, complaint } = runProcess(argv);
  const why = /^error (.*)/.exec(output)?.[1] ?? complaint;
  if (code !== 0) throw new UserError(`cannot mount into the view: ${why}`);
}
