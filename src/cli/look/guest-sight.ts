/**
 * What a command shows that is carried out for somebody inside the view: only what they could see there. The daemon knows that, which
 * judges files by what they are: a hard link of something that is denied has another path, and the same content.
 */
import { resolve } from 'node:path';
import type { Client } from '../../daemon/client.ts';
import { FOR_GUEST } from '../../daemon/sockets/guest-environment.ts';
import type { PathChange, Side } from '../../history/diff/changes.ts';
import type { BaseTree } from '../../staging/base-tree.ts';
import { type BytePath, type Ino, type Name, splitPath, toBytes } from '../../sys/bytes.ts';
import { homeDirectory } from '../../sys/host/home.ts';
import { UserError } from '../../sys/user-error.ts';
import { withLiveDaemon } from '../connection.ts';
import type { Reading } from './read-session.ts';

/** Changes or names that are asked about at one go. */
const MOST_AT_ONCE = 1_000;

const NOT_SHOWN = '(not shown)';
/** What a shell may take for a word, or for a part of one. */
const WORD = /[^\s"'`\\;|&<>(){}[\]$=,:]+/g;

/** Whether this is carried out for a guest. */
export function isForGuest(): boolean {
  return process.env[FOR_GUEST] !== undefined;
}

/** Changes that are to be shown, and those that are staged: what a file is called now says who may read what it held before. */
export interface Shown {
  readonly changes: Iterable<PathChange>;
  readonly staged: Iterable<PathChange>;
}

/**
 * The changes whose content may be shown to whoever asked; says on stderr how many are left out. Rejects with a UserError when a guest
 * asks and nobody can tell.
 */
export async function visibleTo({ layout, base }: Reading, { changes, staged }: Shown): Promise<Iterable<PathChange>> {
  if (!isForGuest()) return changes;
  const closed = new Set<Ino>();
  const visible: PathChange[] = [];
  let withheld = 0;
  await asking(layout, async (daemon) => {
    for (const batch of batches(staged)) {
      const seen = new Set(await seenOf(batch, base, daemon));
      for (const change of batch) if (!seen.has(change)) for (const ino of ownInos(change)) closed.add(ino);
    }
    for (const batch of batches(changes)) {
      const seen = await seenOf(batch, base, daemon);
      const open = seen.filter((change) => !ownInos(change).some((ino) => closed.has(ino)));
      visible.push(...open);
      withheld += batch.length - open.length;
    }
  });
  tellWithheld(withheld, 'that the rules keep from being read');
  return visible;
}

/** Those of some paths whose names whoever asked cannot see in the view, as rules hide them; none outside. Rejects likewise. */
export async function unseenNames(
  { layout }: Pick<Reading, 'layout'>,
  paths: Iterable<BytePath>,
): Promise<ReadonlySet<BytePath>> {
  const unseen = new Set<BytePath>();
  if (!isForGuest()) return unseen;
  await asking(layout, async (daemon) => {
    for (const names of batches(paths)) {
      const reply = await daemon.request({ op: 'sight', paths: [], inos: [], names, words: [] });
      for (const name of closedOf(names, reply.names)) unseen.add(name);
    }
  });
  tellWithheld(unseen.size, unseen.size === 1 ? 'name that the rules hide' : 'names that the rules hide');
  return unseen;
}

/** What there is to show, in texts, of those of them in which a word names what rules hide: `(not shown)`. */
export type Veil = (text: string) => string;

/**
 * For command lines and names of snapshots, as bytes: whoever gave them may have named what is hidden from whoever asks. A word counts as a
 * path from the project, and each of its components as a name anywhere: where the command was is not known. Rejects as `visibleTo`.
 */
export async function veilFor({ layout }: Reading, texts: Iterable<string>): Promise<Veil> {
  if (!isForGuest()) return (text) => text;
  const hidden = new Set<string>();
  await asking(layout, async (daemon) => {
    for (const words of batches(new Set(wordsIn(texts)))) {
      const names = words.map(
        (word) => resolve(toBytes(layout.project), word.replace(/^~(?=\/|$)/, toBytes(homeDirectory()))) as BytePath,
      );
      const components = words.map((word) => word.split('/').filter(Boolean) as Name[]);
      const reply = await daemon.request({ op: 'sight', paths: [], inos: [], names, words: components.flat() });
      const closed = closedOf(components.flat(), reply.words);
      for (const [i, word] of words.entries()) {
        if (reply.names[i] !== true || components[i]?.some((name) => closed.has(name))) hidden.add(word);
      }
    }
  });
  return (text) => ([...wordsIn([text])].some((word) => hidden.has(word)) ? NOT_SHOWN : text);
}

function* wordsIn(texts: Iterable<string>): Generator<string, void> {
  for (const text of texts) for (const [word] of text.matchAll(WORD)) yield word;
}

function tellWithheld(count: number, what: string): void {
  if (count > 0) process.stderr.write(`not shown inside the view: ${count} ${what}\n`);
}

async function asking(layout: Reading['layout'], work: (daemon: Client) => Promise<void>): Promise<void> {
  const done = await withLiveDaemon(layout, (daemon) => work(daemon).then(() => true));
  if (done === undefined) throw new UserError('what may be shown inside the view is not known: the daemon has ended');
}

function* batches<T>(items: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < MOST_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function seenOf(changes: readonly PathChange[], base: BaseTree, daemon: Client): Promise<readonly PathChange[]> {
  const wanted = changes.map((change) => ({ change, paths: pathsOf(change), inos: inosOf(change, base) }));
  const request = {
    op: 'sight',
    paths: wanted.flatMap(({ paths }) => paths),
    inos: wanted.flatMap(({ inos }) => inos),
    words: [],
  } as const;
  const reply = await daemon.request(request);
  const [paths, inos] = [closedOf(request.paths, reply.paths), closedOf(request.inos, reply.inos)];
  return wanted
    .filter((one) => !one.paths.some((path) => paths.has(path)) && !one.inos.some((ino) => inos.has(ino)))
    .map(({ change }) => change);
}

function closedOf<T>(asked: readonly T[], isOpen: readonly boolean[]): ReadonlySet<T> {
  return new Set(asked.filter((_, i) => isOpen[i] !== true));
}

/** Where it is and was, and where the base has what it shows. */
function pathsOf({ path, from, ...sides }: PathChange): readonly BytePath[] {
  return [path, ...(from === undefined ? [] : [from]), ...basePaths(sides)];
}

type Sides = Pick<PathChange, 'oldSide' | 'newSide' | 'replaced'>;

function basePaths({ oldSide, newSide, replaced }: Sides): readonly BytePath[] {
  return [oldSide, newSide, replaced].flatMap((side: Side | undefined) =>
    side?.backing.kind === 'base' ? [side.backing.path] : [],
  );
}

/** Files of the view that it is about. */
function ownInos({ oldSide, newSide, replaced }: Sides): readonly Ino[] {
  return [oldSide, newSide, replaced].flatMap((side) => (side?.ino === undefined ? [] : [side.ino]));
}

/** Files of the view, and of the base, that it shows, or that had its path. */
function inosOf(change: PathChange, base: BaseTree): readonly Ino[] {
  const ofBase = pathsOf(change).flatMap((path) => {
    const at = splitPath(path);
    const stat = at === undefined ? undefined : base.stat(at.dir, at.name);
    return stat === undefined || typeof stat === 'number' ? [] : [stat.ino as Ino];
  });
  return [...ofBase, ...ownInos(change)];
}
