/** What of one file is decided alone. Reads its contents. */
import { type DiffOptions, renderDiff } from '../../history/diff/diff.ts';
import type { Facts } from '../../history/diff/facts.ts';
import type { PathChange } from '../../history/diff/path-change.ts';
import { attributesOf } from '../../history/diff/side-attributes.ts';
import { asRename, type Renames } from '../../history/diff/text/renames.ts';
import { type Sections, sectionsOf, type TextChange } from '../../history/diff/text/sections.ts';
import { type BytePath, isWithin } from '../../sys/bytes.ts';
import type { Surroundings } from '../folds.ts';
import { sideStamp } from './item.ts';
import { numbersOf, type Unit } from './units.ts';

export interface ItemOptions extends DiffOptions, Surroundings {
  /** Lines of a new or deleted file that are shown. */
  readonly mostLines?: number;
  /** What is shown first, because of what will run later: whole, whatever it is like. */
  readonly notices?: Pick<ReadonlyMap<BytePath, unknown>, 'has'>;
  /** Each file is an item by itself: no folds, no directories as a whole. */
  readonly singly?: true;
}

const MOST_LINES = 60;

/** A change, whose contents are read when they are asked for. */
export class Read {
  readonly change: PathChange;
  readonly #facts: Facts;
  #sections: Sections | undefined;

  constructor(change: PathChange, facts: Facts) {
    this.change = change;
    this.#facts = facts;
  }

  get sections(): Sections {
    this.#sections ??= sectionsOf(this.change, this.#facts);
    return this.#sections;
  }
}

/** A unit whose keys take reading. */
export function unitOf(unit: Omit<Unit, 'keys'>, keys: () => readonly string[]): Unit {
  let made: readonly string[] | undefined;
  return Object.defineProperty({ ...unit, keys: [] }, 'keys', {
    enumerable: true,
    get: () => {
      made ??= keys();
      return made;
    },
  });
}

export function allKeys({ sections: { sections, text } }: Read): string[] {
  return [...sections.values(), ...(text?.hunks ?? []).map(({ key }) => key)];
}

export function renameKeys({ sections: { sections } }: Read): string[] {
  const key = sections.get('rename');
  return key === undefined ? [] : [key];
}

/** What is moved with its directory differs in nothing but its text, or not at all. */
export function cameAlong({ from }: PathChange, gate: Unit): boolean {
  return from !== undefined && gate.change.from !== undefined && isWithin(from, gate.change.from);
}

/** Whether nothing of it differs but its path. */
export function isMovedOnly({ oldSide, newSide }: PathChange): boolean {
  return oldSide !== undefined && newSide !== undefined && sideStamp(oldSide) === sideStamp(newSide);
}

interface FileContext {
  readonly around: Unit | undefined;
  readonly facts: Facts;
  readonly options: ItemOptions;
  /** Files that were added and are like deleted ones: they are shown by what differs. */
  readonly renames: () => Renames;
}

export function unitsOfFile({ change: found, sections: { sections, text } }: Read, context: FileContext): Unit[] {
  const units: Unit[] = [];
  const change = told(found);
  const push = (unit: Omit<Unit, 'change' | 'files'>): Unit => {
    const made = { ...unit, change, files: 1 };
    units.push(made);
    return made;
  };
  const whole = sections.get('whole');
  if (whole !== undefined) {
    push({ what: 'whole', keys: [whole], lines: shown(found, context) });
    return units;
  }
  const { around } = context;
  const isAlong = around?.what === 'rename' && cameAlong(found, around);
  const rename = isAlong ? undefined : sections.get('rename');
  const own = rename === undefined ? undefined : push({ what: 'rename', keys: [rename], lines: [] });
  const gate = isAlong ? around : own;
  const gated = gate === undefined ? {} : { gate };
  const modes = [sections.get('mode'), sections.get('attributes')].filter((key) => key !== undefined);
  if (modes.length > 0) push({ what: 'mode', keys: modes, lines: modeLines(found, context.facts), ...gated });
  const content = sections.get('binary') ?? sections.get('target');
  if (content !== undefined) push({ what: 'content', keys: [content], lines: shown(found, context), ...gated });
  for (const hunk of text?.hunks ?? []) {
    const part = { text: text as TextChange, hunk, numbers: numbersOf(hunk) };
    push({ what: 'hunk', keys: [], lines: hunk.lines, hunk: part, ...gated });
  }
  return units;
}

export function told({ path, change, type, from }: Unit['change']): Unit['change'] {
  return { path, change, type, ...(from === undefined ? {} : { from }) };
}

function shown(change: PathChange, { options, renames }: FileContext): string[] {
  const { mostLines = MOST_LINES } = options;
  if (mostLines === 0) return [];
  const deleted = change.change === 'added' && change.type === 'file' ? renames().get(change.path) : undefined;
  const lines: string[] = [];
  let more = 0;
  for (const piece of renderDiff([deleted === undefined ? change : asRename(change, deleted)], options)) {
    if (lines.length < mostLines) lines.push(...piece.split('\n').slice(0, -1));
    else more += 1;
  }
  return more === 0 ? lines : [...lines, `# … ${more} more lines`];
}

function modeLines({ oldSide, newSide }: PathChange, facts: Facts): string[] {
  if (oldSide === undefined || newSide === undefined) return [];
  const [before, after] = [oldSide, newSide].map((side) => {
    const { mode, uid, gid } = attributesOf(side, facts);
    return `${(mode ?? 0).toString(8).padStart(4, '0')}, owner ${uid ?? '?'}:${gid ?? '?'}`;
  });
  return before === after ? ['# times or extended attributes'] : [`-mode ${before}`, `+mode ${after}`];
}
