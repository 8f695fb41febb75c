/**
 * The commands behind what is staged: which of them changed a path, and which of them a hunk is by. One pass over the journal; texts
 * are compared only for a hunk of a file that several commands have changed, as far as the store still has what each left.
 */
import type { BytePath, ObjectId } from '../../sys/bytes.ts';
import type { Facts } from '../compare/facts.ts';
import type { Journal } from '../journal.ts';
import type { Body } from '../record.ts';
import { findBlocks, splitLines } from '../text/hunks.ts';
import { loadSide } from '../text/load.ts';
import type { KeyedHunk, TextChange } from '../text/sections.ts';
import { audit, indexJournal, pathsOf } from './audit.ts';

/** What a path was left as by one command. */
interface Version {
  readonly command: string;
  /** Undefined: what it holds is not in the store. */
  readonly object: ObjectId | undefined;
}

/** A hunk and its text. */
interface HunkOf {
  readonly text: TextChange;
  readonly hunk: KeyedHunk;
}

export class Blame {
  #versions = new Map<BytePath, Version[]>();
  /** Of epochs that have ended: what is told anew after that has its history there. */
  readonly #past = new Map<BytePath, Version[]>();

  /** Reads the whole journal. Throws JournalDamaged. */
  constructor(journal: Journal, start: number) {
    let carried = 0;
    for (const { body, who, command, live } of audit(journal, indexJournal(journal, start), { paths: [] })) {
      if (body.tag === 'K' || body.tag === 'A' || body.tag === 'U') this.#endEpoch();
      if ('carried' in body) carried = body.carried ?? 0;
      else if (carried > 0) {
        carried -= 1;
        this.#carry(body);
      } else if (live) this.#note(body, command ?? who.process ?? '');
    }
  }

  #endEpoch(): void {
    for (const [path, versions] of this.#versions) this.#past.set(path, versions);
    this.#versions = new Map();
  }

  #carry(body: Body): void {
    const path = pathsOf(body).at(-1);
    const known = path === undefined ? undefined : this.#past.get(path);
    if (path !== undefined && known !== undefined && !this.#versions.has(path)) this.#versions.set(path, [...known]);
  }

  #note(body: Body, command: string): void {
    if (body.tag === 'S')
      this.#add(body.path, command, 'object' in body && body.object !== 0 ? body.object : undefined);
    else if (body.tag === 'D') this.#add(body.path, command, undefined);
    else if (body.tag === 'M') this.#add(body.path, command, this.#last(body.path));
    else if (body.tag === 'L') this.#add(body.path, command, this.#last(body.existing));
    else if (body.tag === 'R') this.#move(body, command);
  }

  #move({ from, to }: { readonly from: BytePath; readonly to: BytePath }, command: string): void {
    const moved = this.#versions.get(from) ?? [];
    // An editor that writes a new file over the old one goes on with the old one's history.
    if (!this.#versions.has(to)) this.#versions.set(to, [...moved]);
    this.#add(to, command, moved.at(-1)?.object);
    this.#add(from, command, undefined);
  }

  #last(path: BytePath): ObjectId | undefined {
    return this.#versions.get(path)?.at(-1)?.object;
  }

  #add(path: BytePath, command: string, object: ObjectId | undefined): void {
    const known = this.#versions.get(path) ?? [];
    if (known.at(-1)?.command === command) known.pop();
    known.push({ command, object });
    this.#versions.set(path, known);
  }

  /** Command lines (bytes) that changed a path, or moved a directory around it; the last one last. */
  commandsOf(path: BytePath, from?: BytePath): readonly string[] {
    const own = [path, ...(from === undefined ? [] : [from])].flatMap((one) => this.#versions.get(one) ?? []);
    return [...new Set(own.map(({ command }) => command))].filter((command) => command !== '');
  }

  /** Those of them that a hunk is by; all of them where the texts between are not kept. */
  commandsBehind(path: BytePath, { text, hunk }: HunkOf, facts: Facts): readonly string[] {
    const all = this.commandsOf(path);
    if (all.length < 2) return all;
    const owners = ownersOf(this.#versions.get(path) ?? [], text, facts);
    if (owners === undefined) return all;
    const { added, removed } = owners;
    const found = hunk.blocks.flatMap(({ aStart, aEnd, bStart, bEnd }) => [
      ...added.slice(bStart, bEnd),
      ...removed.slice(aStart, aEnd),
    ]);
    const own = all.filter((command) => found.includes(command));
    return own.length === 0 ? all : own;
  }
}

interface Owners {
  /** By which command a line of the text came. */
  readonly added: readonly (string | undefined)[];
  /** By which one a line of the text before went. */
  readonly removed: readonly (string | undefined)[];
}

interface OwnedLine {
  readonly text: string;
  readonly command: string | undefined;
  /** Its number in the text before. */
  readonly old: number | undefined;
}

function ownersOf(versions: readonly Version[], { before, after }: TextChange, facts: Facts): Owners | undefined {
  const removed: (string | undefined)[] = before.map(() => undefined);
  let lines = before.map((text, old): OwnedLine => ({ text, command: undefined, old }));
  for (const { command, object } of versions) {
    const next = object === undefined ? undefined : textOf(object, facts);
    if (next === undefined) continue;
    lines = stepTo(lines, next, command, removed);
  }
  const isWhole = lines.length === after.length && lines.every(({ text }, index) => text === after[index]);
  return isWhole ? { added: lines.map(({ command }) => command), removed } : undefined;
}

function stepTo(
  lines: readonly OwnedLine[],
  next: readonly string[],
  command: string,
  removed: (string | undefined)[],
): OwnedLine[] {
  const stepped: OwnedLine[] = [];
  let at = 0;
  const texts = lines.map(({ text }) => text);
  for (const { aStart, aEnd, bStart, bEnd } of findBlocks(texts, next)) {
    stepped.push(...lines.slice(at, aStart));
    for (const { old } of lines.slice(aStart, aEnd)) if (old !== undefined) removed[old] = command;
    stepped.push(...next.slice(bStart, bEnd).map((text) => ({ text, command, old: undefined })));
    at = aEnd;
  }
  return [...stepped, ...lines.slice(at)];
}

function textOf(object: ObjectId, facts: Facts): string[] | undefined {
  const found = loadSide({ backing: { kind: 'object', object, path: undefined } }, facts);
  return found.kind === 'text' ? splitLines(found.text) : undefined;
}
