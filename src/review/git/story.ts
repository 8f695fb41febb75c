/** What was done to a repository, as git would tell it: commits that came to branches, tags, the index. */
import { meaningOf } from '../../history/commit/conflict/git-index.ts';
import { type Facts, typeOf } from '../../history/diff/facts.ts';
import type { PathChange, Side } from '../../history/diff/path-change.ts';
import { loadSide } from '../../history/diff/text/load.ts';
import { type BytePath, label } from '../../sys/bytes.ts';
import { S_IFREG } from '../../sys/stat.ts';
import { advanceOf, type Commit, readCommit } from './commits.ts';

const HASH = /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/;
/** Subjects that are told of one branch, and characters of each. */
const MOST_SUBJECTS = 3;
const LONGEST_SUBJECT = 60;
/** Objects that are looked for commits in. */
const MOST_OBJECTS = 20_000;

export class GitStory {
  readonly #facts: Facts;
  readonly #directory: BytePath;
  readonly #objects = new Map<string, Side>();
  readonly #others: PathChange[] = [];
  #lost = 0;

  constructor(directory: BytePath, facts: Facts) {
    this.#directory = directory;
    this.#facts = facts;
  }

  get directory(): BytePath {
    return this.#directory;
  }

  add(change: PathChange): void {
    const name = change.path.slice(this.#directory.length + 1);
    const [, first, rest] = /^objects\/([0-9a-f]{2})\/([0-9a-f]+)$/.exec(name) ?? [];
    if (first === undefined || rest === undefined) {
      if (name.startsWith('objects/pack/') && change.change === 'deleted') this.#lost += 1;
      if (change.type !== 'directory' && !name.startsWith('objects')) this.#others.push(change);
    } else if (change.change === 'deleted') this.#lost += 1;
    else if (change.newSide !== undefined && this.#objects.size < MOST_OBJECTS)
      this.#objects.set(first + rest, change.newSide);
  }

  /** Printable phrases, the most telling first; none: only what git keeps for itself. */
  tell(): string[] {
    const said = this.#others.map((change) => this.#tellOne(change));
    const lost = this.#lost === 0 ? [] : [`${this.#lost} objects deleted`];
    const all = said.flatMap((one) => one ?? []).sort((one, other) => one.rank - other.rank);
    return [...new Set([...all.map(({ text }) => text), ...lost])];
  }

  #tellOne(change: PathChange): { readonly rank: number; readonly text: string } | undefined {
    const name = change.path.slice(this.#directory.length + 1);
    const branch = /^refs\/heads\/(.+)$/s.exec(name)?.[1];
    if (branch !== undefined) return { rank: 1, text: this.#branch(label(branch), change) };
    if (name.startsWith('refs/')) return { rank: 3, text: `${label(name.slice(5))} ${wordOf(change)}` };
    if (name === 'HEAD') return { rank: 0, text: this.#head(change) };
    if (name === 'index') return { rank: 4, text: this.#index(change) };
    return name === 'packed-refs' ? { rank: 3, text: `packed-refs ${wordOf(change)}` } : undefined;
  }

  #branch(name: string, change: PathChange): string {
    const [before, now] = [hashIn(this.#text(change.oldSide)), hashIn(this.#text(change.newSide))];
    if (now === undefined) return `branch ${name} ${wordOf(change)}`;
    const { commits, isForward } = advanceOf(before, now, (hash) => this.#commit(hash));
    const what = before === undefined ? `new branch ${name}` : name;
    if (commits.length === 0) return before === undefined ? what : `${what} moved to ${now.slice(0, 7)}`;
    const subjects = commits.slice(0, MOST_SUBJECTS).map(({ subject }) => `"${shortened(subject)}"`);
    const more = commits.length > MOST_SUBJECTS ? ', …' : '';
    const count = `${commits.length} commit${commits.length === 1 ? '' : 's'}`;
    return `${count} on ${what}${isForward ? '' : ' (history rewritten)'}: ${subjects.join(', ')}${more}`;
  }

  #commit(hash: string): Commit | undefined {
    const side = this.#objects.get(hash);
    if (side === undefined || typeOf(side.backing) !== S_IFREG) return undefined;
    const content = loadSide(side, this.#facts);
    return 'bytes' in content ? readCommit(content.bytes) : undefined;
  }

  #head(change: PathChange): string {
    const [before, now] = [this.#text(change.oldSide), this.#text(change.newSide)].map(nameOfHead);
    if (now === undefined) return `HEAD ${wordOf(change)}`;
    return before === undefined ? `new repository, on ${now}` : `on ${now}, was on ${before}`;
  }

  #index(change: PathChange): string {
    const [before, now] = [change.oldSide, change.newSide].map((side) => {
      const bytes = this.#bytes(side);
      return bytes === undefined ? undefined : meaningOf(bytes);
    });
    return before !== undefined && before === now ? 'index refreshed' : `index ${wordOf(change)}`;
  }

  #text(side: Side | undefined): string | undefined {
    return this.#bytes(side)?.toString('latin1');
  }

  #bytes(side: Side | undefined): Buffer | undefined {
    if (side === undefined || typeOf(side.backing) !== S_IFREG) return undefined;
    const content = loadSide(side, this.#facts);
    return 'bytes' in content ? content.bytes : undefined;
  }
}

function hashIn(text: string | undefined): string | undefined {
  return HASH.exec(text ?? '')?.[1];
}

function nameOfHead(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const branch = /^ref: refs\/heads\/(.+)\n$/.exec(text)?.[1];
  return branch === undefined ? hashIn(text)?.slice(0, 7) : label(branch);
}

function wordOf({ change }: PathChange): string {
  return change === 'added' ? 'new' : change === 'deleted' ? 'deleted' : 'changed';
}

function shortened(bytes: string): string {
  const text = label(bytes);
  return text.length <= LONGEST_SUBJECT ? text : `${text.slice(0, LONGEST_SUBJECT - 1)}…`;
}
