/**
 * What a person decides one after the other: hunks, and what else of a change is decided alone. What is in a directory that
 * was moved is decided with it; many new or deleted files of one directory are one unit, and so is each fold.
 */

import { Facts } from '../../history/compare/facts.ts';
import type { PathChange } from '../../history/compare/path-change.ts';
import { attributesOf } from '../../history/compare/side-attributes.ts';
import { type DiffOptions, renderDiff } from '../../history/diff.ts';
import { type KeyedHunk, type Sections, sectionsOf, type TextChange } from '../../history/text/sections.ts';
import { type BytePath, isWithin, splitPath } from '../../sys/bytes.ts';
import { FOLDS, type FoldKind, type Surroundings } from '../folds.ts';
import { Ignored } from '../git/ignored.ts';
import { kindOf } from '../review.ts';

export type What = 'hunk' | 'whole' | 'rename' | 'mode' | 'content' | 'directory' | FoldKind;

/** One decision. */
export interface Unit {
  readonly what: What;
  readonly change: Pick<PathChange, 'path' | 'change' | 'type' | 'from'>;
  /** Of all that it decides, but for lines of a hunk. */
  readonly keys: readonly string[];
  /** As a diff shows it, perhaps only its beginning. */
  readonly lines: readonly string[];
  /** How many files are decided together. */
  readonly files: number;
  readonly hunk?: HunkPart;
  /** Without it this is not taken: it is decided as that is, unless that is taken. */
  readonly gate?: Unit;
}

/** A hunk, or some of its blocks. */
export interface HunkPart {
  readonly text: TextChange;
  readonly hunk: KeyedHunk;
  /** Its changed lines that are meant, from 1. */
  readonly numbers: readonly number[];
}

/** A directory that came or went with others below it: it is decided by what is decided of them. */
export interface Container {
  readonly path: BytePath;
  readonly keys: readonly string[];
}

export interface Units {
  readonly units: readonly Unit[];
  readonly containers: readonly Container[];
}

/** Lines of a new or deleted file that are shown. */
const MOST_LINES = 60;
/** New or deleted files of one directory that are decided one by one. */
const MOST_FILES = 20;

interface Read {
  readonly change: PathChange;
  readonly sections: Sections;
}

/** Reads all contents. `changes`: with what is in moved directories. */
export function unitsOf(changes: Iterable<PathChange>, options: DiffOptions & Surroundings): Units {
  const facts = new Facts(options.base, options.store);
  const ignored = new Ignored(facts, options.project);
  const [own, outside]: [Read[], Read[]] = [[], []];
  const folds = new Map<FoldKind, Read[]>();
  for (const change of changes) {
    const read = { change, sections: sectionsOf(change, facts) };
    const kind = kindOf(change, options, ignored);
    if (kind !== undefined) folds.set(kind, [...(folds.get(kind) ?? []), read]);
    else (isWithin(change.path, options.project) ? own : outside).push(read);
  }
  const builder = new Builder([...own, ...outside], options, facts);
  builder.addAll();
  const folded = FOLDS.flatMap((kind) => foldUnit(kind, folds.get(kind) ?? []));
  return { units: [...builder.units, ...folded], containers: builder.containers };
}

function foldUnit(kind: FoldKind, members: readonly Read[]): Unit[] {
  const [first] = members;
  if (first === undefined) return [];
  const files = members.filter(({ change }) => change.type !== 'directory').length;
  return [{ what: kind, change: first.change, keys: members.flatMap(allKeys), lines: [], files }];
}

function allKeys({ sections: { sections, text } }: Read): string[] {
  return [...sections.values(), ...(text?.hunks ?? []).map(({ key }) => key)];
}

class Builder {
  readonly units: Unit[] = [];
  readonly containers: Container[] = [];
  readonly #all: readonly Read[];
  readonly #options: DiffOptions;
  readonly #facts: Facts;
  /** Directories that are decided as a whole, or that were moved. */
  readonly #gates = new Map<BytePath, Unit>();
  readonly #below: ReadonlyMap<BytePath, readonly Read[]>;

  constructor(all: readonly Read[], options: DiffOptions, facts: Facts) {
    this.#all = all;
    this.#options = options;
    this.#facts = facts;
    this.#below = belowDirectories(all);
  }

  addAll(): void {
    for (const read of this.#all) {
      const around = this.#around(read.change.path);
      if (around?.what === 'directory') continue;
      if (read.change.type === 'directory') this.#addDirectory(read, around);
      else this.#addFile(read, around);
    }
  }

  #around(path: BytePath): Unit | undefined {
    for (let at = splitPath(path); at !== undefined; at = splitPath(at.dir)) {
      const found = this.#gates.get(at.dir);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #addDirectory(read: Read, around: Unit | undefined): void {
    const { change } = read;
    const { path, from } = change;
    const below = this.#below.get(path) ?? [];
    if (change.change === 'renamed') {
      if (around?.what === 'rename' && this.#cameAlong(change, around)) return;
      const along = below.filter((one) => isWithin(one.change.from ?? one.change.path, from ?? path));
      const keys = [...read.sections.sections.values(), ...along.flatMap(renameKeys)];
      const unit = this.#push({ what: 'rename', change, keys, lines: [], files: along.length });
      this.#gates.set(path, unit);
      return;
    }
    const files = below.filter((one) => one.change.type !== 'directory' && one.change.change === change.change).length;
    if (change.change !== 'metadata' && files > MOST_FILES && files === below.filter(isNoDirectory).length) {
      const keys = [read, ...below].flatMap(allKeys);
      this.#gates.set(path, this.#push({ what: 'directory', change, keys, lines: [], files }));
    } else if (change.change !== 'metadata' && below.length > 0) this.containers.push({ path, keys: allKeys(read) });
    else this.#addFile(read, around);
  }

  /** What is moved with its directory differs in nothing but its text, or not at all. */
  #cameAlong({ from }: PathChange, gate: Unit): boolean {
    return from !== undefined && gate.change.from !== undefined && isWithin(from, gate.change.from);
  }

  #addFile(read: Read, around: Unit | undefined): void {
    const { change, sections: found } = read;
    const { sections, text } = found;
    const whole = sections.get('whole');
    if (whole !== undefined) {
      this.#push({ what: 'whole', change, keys: [whole], lines: this.#shown(change), files: 1 });
      return;
    }
    const isAlong = around?.what === 'rename' && this.#cameAlong(change, around);
    const rename = sections.get('rename');
    const gate = isAlong
      ? around
      : rename === undefined
        ? undefined
        : this.#push({ what: 'rename', change, keys: [rename], lines: [], files: 1 });
    const gated = gate === undefined ? {} : { gate };
    const modes = [sections.get('mode'), sections.get('attributes')].filter((key) => key !== undefined);
    if (modes.length > 0)
      this.#push({ what: 'mode', change, keys: modes, lines: this.#modeLines(change), files: 1, ...gated });
    const content = sections.get('binary') ?? sections.get('target');
    if (content !== undefined)
      this.#push({ what: 'content', change, keys: [content], lines: this.#shown(change), files: 1, ...gated });
    for (const hunk of text?.hunks ?? []) {
      const part = { text: text as TextChange, hunk, numbers: numbersOf(hunk) };
      this.#push({ what: 'hunk', change, keys: [], lines: hunk.lines, files: 1, hunk: part, ...gated });
    }
  }

  #push(unit: Unit): Unit {
    const { path, change, type, from } = unit.change;
    const kept = { ...unit, change: { path, change, type, ...(from === undefined ? {} : { from }) } };
    this.units.push(kept);
    return kept;
  }

  #shown(change: PathChange): string[] {
    const lines: string[] = [];
    let more = 0;
    for (const piece of renderDiff([change], this.#options)) {
      if (lines.length < MOST_LINES) lines.push(...piece.split('\n').slice(0, -1));
      else more += 1;
    }
    return more === 0 ? lines : [...lines, `# … ${more} more lines`];
  }

  #modeLines({ oldSide, newSide }: PathChange): string[] {
    if (oldSide === undefined || newSide === undefined) return [];
    const [before, after] = [oldSide, newSide].map((side) => {
      const { mode, uid, gid } = attributesOf(side, this.#facts);
      return `${(mode ?? 0).toString(8).padStart(4, '0')}, owner ${uid ?? '?'}:${gid ?? '?'}`;
    });
    return before === after ? ['# times or extended attributes'] : [`-mode ${before}`, `+mode ${after}`];
  }
}

function isNoDirectory({ change }: Read): boolean {
  return change.type !== 'directory';
}

function renameKeys({ sections: { sections } }: Read): string[] {
  const key = sections.get('rename');
  return key === undefined ? [] : [key];
}

/** Of each directory that is among the changes, what is below it. */
function belowDirectories(all: readonly Read[]): ReadonlyMap<BytePath, readonly Read[]> {
  const below = new Map<BytePath, Read[]>();
  for (const { change } of all) if (change.type === 'directory') below.set(change.path, []);
  for (const read of all) {
    for (let at = splitPath(read.change.path); at !== undefined; at = splitPath(at.dir)) below.get(at.dir)?.push(read);
  }
  return below;
}

function numbersOf({ blocks }: KeyedHunk): number[] {
  const count = blocks.reduce((sum, { aStart, aEnd, bStart, bEnd }) => sum + aEnd - aStart + bEnd - bStart, 0);
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** The blocks of a hunk, each by itself; the unit as it is where it has only one. */
export function splitUnit(unit: Unit): readonly Unit[] {
  const { hunk: part } = unit;
  if (part === undefined || part.hunk.blocks.length < 2 || part.numbers.length < numbersOf(part.hunk).length)
    return [unit];
  let last = 0;
  return part.hunk.blocks.map(({ aStart, aEnd, bStart, bEnd }) => {
    const count = aEnd - aStart + bEnd - bStart;
    const numbers = Array.from({ length: count }, (_, index) => last + index + 1);
    last += count;
    return { ...unit, lines: linesOf(part.hunk, numbers), hunk: { ...part, numbers } };
  });
}

/** Changed lines of a hunk, with the lines that stay around them. */
function linesOf({ lines }: KeyedHunk, numbers: readonly number[]): string[] {
  let number = 0;
  const own = lines.map((line) => {
    const isChanged = line.startsWith('-') || line.startsWith('+');
    if (isChanged) number += 1;
    return line.startsWith('\\') ? undefined : isChanged ? numbers.includes(number) : undefined;
  });
  const [first, last] = [own.indexOf(true), own.lastIndexOf(true)];
  let [start, end] = [first, last + 1];
  while (start > 0 && own[start - 1] === undefined) start -= 1;
  while (end < lines.length && own[end] === undefined) end += 1;
  return lines.slice(start, end);
}
