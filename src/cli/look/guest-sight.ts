/**
 * What a command shows that is carried out for somebody inside the view: only what they could read there. The daemon knows that, which
 * judges files by what they are: a hard link of something that is denied has another path, and the same content.
 */
import { FOR_GUEST } from '../../daemon/sockets/guest.ts';
import type { PathChange, Side } from '../../history/changes.ts';
import type { BaseTree } from '../../staging/base-tree.ts';
import { type BytePath, type Ino, splitPath } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import { withLiveDaemon } from '../connection.ts';
import type { Reading } from './read-session.ts';

/** Changes that are asked about at one go. */
const MOST_AT_ONCE = 1_000;

/**
 * The changes whose content may be shown to whoever asked; says on stderr how many are left out. Rejects with a UserError when a guest
 * asks and nobody can tell.
 */
export async function visibleTo(reading: Reading, changes: Iterable<PathChange>): Promise<Iterable<PathChange>> {
  if (process.env[FOR_GUEST] === undefined) return changes;
  const all = [...changes];
  const visible: PathChange[] = [];
  for (let i = 0; i < all.length; i += MOST_AT_ONCE)
    visible.push(...(await seen(reading, all.slice(i, i + MOST_AT_ONCE))));
  const withheld = all.length - visible.length;
  if (withheld > 0)
    process.stderr.write(`not shown inside the view: ${withheld} that the rules keep from being read\n`);
  return visible;
}

async function seen({ layout, base }: Reading, changes: readonly PathChange[]): Promise<readonly PathChange[]> {
  const wanted = changes.map((change) => ({ change, paths: pathsOf(change), inos: inosOf(change, base) }));
  const request = {
    op: 'sight',
    paths: wanted.flatMap(({ paths }) => paths),
    inos: wanted.flatMap(({ inos }) => inos),
  } as const;
  const reply = await withLiveDaemon(layout, (daemon) => daemon.request(request));
  if (reply === undefined) throw new UserError('what may be shown inside the view is not known: the daemon has ended');
  const [paths, inos] = [closed(request.paths, reply.paths), closed(request.inos, reply.inos)];
  return wanted
    .filter((one) => !one.paths.some((path) => paths.has(path)) && !one.inos.some((ino) => inos.has(ino)))
    .map(({ change }) => change);
}

function closed<T>(asked: readonly T[], mayBeRead: readonly boolean[]): ReadonlySet<T> {
  return new Set(asked.filter((_, i) => mayBeRead[i] !== true));
}

/** Where it is and was, and where the base has what it shows. */
function pathsOf({ path, from, ...sides }: PathChange): readonly BytePath[] {
  return [path, ...(from === undefined ? [] : [from]), ...basePaths(sides)];
}

function basePaths({
  oldSide,
  newSide,
  replaced,
}: Pick<PathChange, 'oldSide' | 'newSide' | 'replaced'>): readonly BytePath[] {
  return [oldSide, newSide, replaced].flatMap((side: Side | undefined) =>
    side?.backing.kind === 'base' ? [side.backing.path] : [],
  );
}

/** Files of the base that it shows, or that had its path. */
function inosOf(change: PathChange, base: BaseTree): readonly Ino[] {
  return pathsOf(change).flatMap((path) => {
    const at = splitPath(path);
    const stat = at === undefined ? undefined : base.stat(at.dir, at.name);
    return stat === undefined || typeof stat === 'number' ? [] : [stat.ino as Ino];
  });
}
