/** What somebody in the view could read there, for those who show content by other ways: by what a file is, not by its path alone. */
import type { FileSystem } from '../fuse/filesystem.ts';
import type { Untouched } from '../staging/awaited/untouched.ts';
import { type BytePath, type Ino, join, type Name, splitPath } from '../sys/bytes.ts';
import { HeldWay, type Identities } from './identities.ts';
import type { Judge } from './judge.ts';
import { answerOf, type State } from './states.ts';

export interface Sights {
  /** In the view, whether something is there or not. */
  readonly paths: readonly BytePath[];
  /** Files of the base, or of the view. */
  readonly inos: readonly Ino[];
  /** As `paths`, asked about for their names alone. */
  readonly names?: readonly BytePath[];
  /** Names of which it is not known in what directory they are meant. */
  readonly words: readonly Name[];
  /** Files of the base that have one name, and are asked about as what the base has: best by their directories. */
  readonly originals?: readonly BytePath[];
  readonly directories?: readonly OriginalDirectory[];
}

/** A directory of the base with the names of files in it, each of one name, joined by `/`. */
export interface OriginalDirectory {
  readonly dir: BytePath;
  readonly names: string;
}

/** What the view shows of it. */
export interface SeenDirectory {
  /** Whether it can be seen. */
  readonly isThere: boolean;
  /**
   * Names there that are no originals or may not be read without a question: any other is as the base has it. Joined likewise; undefined:
   * of this directory nothing can be said.
   */
  readonly others: string | undefined;
  /** Those of the others that cannot be seen. */
  readonly hidden: string;
}

/**
 * For each of them, in their order, whether it may be read without a question; of a name and a word, whether it can be seen; of an
 * original, whether it may be read and the view has nothing else in its place.
 */
export interface Seen {
  readonly paths: readonly boolean[];
  readonly inos: readonly boolean[];
  readonly names: readonly boolean[];
  readonly words: readonly boolean[];
  readonly originals: readonly boolean[];
  readonly directories: readonly SeenDirectory[];
}

/** A view and its rules. */
interface RuledView {
  /** Without rules. */
  readonly fs: FileSystem;
  readonly judge: Judge;
  readonly identities: Identities;
  readonly untouchedIn: (dir: BytePath) => Untouched;
}

export function mayRead(sights: Sights, view: RuledView): Seen {
  const { paths, inos, names = [], words, originals = [], directories = [] } = sights;
  const { judge, identities } = view;
  return {
    paths: statesOf(paths, view).map((states) => states.every(isReadable)),
    inos: inos.map((ino) => isReadable(identities.stateOfIno(ino))),
    names: statesOf(names, view).map((states) => states.every(isThere)),
    words: words.map((word) => !judge.rules.hidesSomewhere(word)),
    originals: originalsSeen(originals, view),
    directories: directories.map((one) => directorySeen(one, view)),
  };
}

/** There may be tens of thousands: what holds of a directory is found once for those that follow one another. */
function originalsSeen(paths: readonly BytePath[], { judge: { rules }, untouchedIn }: RuledView): boolean[] {
  let known: BytePath | undefined;
  let isSeen = (_: Name): boolean => false;
  return paths.map((path) => {
    const at = splitPath(path);
    if (at === undefined) return false;
    const { dir, name } = at;
    if (dir !== known) {
      known = dir;
      const [untouched, ruled] = [untouchedIn(dir), rules.namesIn(dir)];
      const [isOpen, isReachable] = [
        isReadable(rules.stateOf(dir)),
        above(dir).every((one) => isThere(rules.stateOf(one))),
      ];
      const isReadableIn = (one: Name): boolean =>
        ruled.has(one) ? isReadable(rules.stateOf(join(dir, one))) : isOpen;
      isSeen = (one) => isReachable && isReadableIn(one) && untouched.has(one);
    }
    return isSeen(name);
  });
}

function directorySeen({ dir, names }: OriginalDirectory, { judge: { rules }, untouchedIn }: RuledView): SeenDirectory {
  const isVisible = above(dir).every((one) => isThere(rules.stateOf(one)));
  const touched = isVisible && isReadable(rules.stateOf(dir)) ? untouchedIn(dir).others() : undefined;
  if (touched === undefined) return { isThere: isVisible, others: undefined, hidden: '' };
  const ruled = rules.namesIn(dir);
  const isFor = (is: (state: State) => boolean, name: Name): boolean =>
    ruled.has(name) && is(rules.stateOf(join(dir, name)));
  const closed = splitNames(names).filter((name) => isFor((state) => !isReadable(state), name));
  const others = [...new Set([...closed, ...touched])];
  const hidden = others.filter((name) => isFor((state) => !isThere(state), name));
  return { isThere: true, others: others.join('/'), hidden: hidden.join('/') };
}

/** Of a list that is joined by `/`. */
export function splitNames(list: string): Name[] {
  return list === '' ? [] : (list.split('/') as Name[]);
}

/** A directory and those above it. */
function above(dir: BytePath): BytePath[] {
  const found: BytePath[] = [];
  for (let at: BytePath | undefined = dir; at !== undefined; at = splitPath(at)?.dir) found.push(at);
  return found;
}

function isThere(state: State): boolean {
  return answerOf(state, 'read') !== 'absent';
}

function isReadable(state: State): boolean {
  return answerOf(state, 'read') === 'pass';
}

/** Of each path, and of the node that has it now; where there is none, of the path alone. */
function statesOf(paths: readonly BytePath[], { fs, judge }: RuledView): State[][] {
  const way = new HeldWay(fs);
  try {
    return paths.map((path) => {
      const node = way.to(path);
      return [judge.rules.stateOf(path), ...(node === undefined ? [] : [judge.states.stateOf(node)])];
    });
  } finally {
    way.leave();
  }
}
