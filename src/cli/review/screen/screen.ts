/**
 * The full screen of a review: what is shown, what was said, where the person is. What a key does is in `keys.ts`, how it looks
 * in `draw.ts`. Nothing is written and no terminal is touched here.
 */
import type { Viewpoint } from '../../../agents/show-path.ts';
import type { Part, Said, State } from '../../../review/pick/decisions.ts';
import type { Item } from '../../../review/pick/item.ts';
import { ItemDecisions } from '../../../review/pick/item-decisions.ts';
import type { Unit } from '../../../review/pick/units.ts';
import { wrapped } from './cells.ts';
import { type PageLine, type PageOptions, pageOf } from './page.ts';
import { type Listed, type Row, rowsOf } from './rows.ts';

export interface Shown extends Listed, Pick<PageOptions, 'commandsOf'> {
  readonly from: Viewpoint;
}

/** `overlay`: something else is shown in place of all, a help or a plan. */
export type Mode = 'browse' | 'search' | 'overlay' | 'plan' | 'leaving';

export interface Tally {
  readonly take: number;
  readonly reject: number;
  readonly leave: number;
  readonly mixed: number;
  readonly open: number;
}

export class ReviewScreen {
  readonly shown: Shown;
  readonly rows: readonly Row[];
  readonly decisions: ItemDecisions;
  /** Index of the row that the person is at. */
  at: number;
  focus: 'list' | 'file' = 'list';
  /** Of the item that is shown: the unit that the person is at, and its first line on the screen. */
  unit = 0;
  scroll = 0;
  mode: Mode = 'browse';
  typed = '';
  searched = '';
  message: string;
  overlay: readonly string[] = [];
  overlayScroll = 0;
  /** Lines that there was room for when it was drawn last, and how many it takes to show all of the overlay. */
  room = { list: 1, page: 1, overlay: 1, overlayLines: 1 };
  /** Columns that there are for a file. */
  width = 80;
  #page: { readonly of: readonly unknown[]; readonly lines: readonly PageLine[] } | undefined;
  readonly #renames: ReadonlyMap<Unit, Item>;

  /** `before`: as it was before what is staged, or was, changed. */
  constructor(shown: Shown, before?: ReviewScreen, message = '') {
    this.shown = shown;
    this.rows = rowsOf(shown, shown.from);
    this.decisions = before?.decisions ?? new ItemDecisions();
    this.decisions.renew(shown.items);
    this.message = message;
    const path = before?.item?.change.path;
    const known = this.rows.findIndex(({ item }) => item !== undefined && item.change.path === path);
    this.at =
      known >= 0
        ? known
        : Math.max(
            0,
            this.rows.findIndex(({ item }) => item !== undefined),
          );
    const renames = shown.items.filter(({ what }) => what === 'rename');
    this.#renames = new Map(renames.flatMap((item) => item.units().map((unit) => [unit, item] as const)));
  }

  get row(): Row | undefined {
    return this.rows[this.at];
  }

  get item(): Item | undefined {
    return this.row?.item;
  }

  get units(): readonly Unit[] {
    return this.item?.units() ?? [];
  }

  /** The lines of the item that the person is at. */
  get page(): readonly PageLine[] {
    const { item } = this;
    if (item === undefined) return [];
    const of = [item, item.units(), this.width];
    if (this.#page === undefined || of.some((one, index) => this.#page?.of[index] !== one))
      this.#page = { of, lines: pageOf(item, this.shown).flatMap((line) => linesOf(line, this.width)) };
    return this.#page.lines;
  }

  goToRow(at: number): void {
    this.at = Math.max(0, Math.min(this.rows.length - 1, at));
    this.unit = 0;
    this.scroll = 0;
  }

  goToUnit(unit: number): void {
    this.unit = unit;
    const first = this.page.findIndex((line) => line.unit === unit);
    this.scroll = unit === 0 ? 0 : Math.max(0, first);
  }

  /** Of what an item is part of a move that is not taken, that holds. */
  saidOf(item: Item, unit: Unit): State {
    const move = this.#saidOfMove(item, unit);
    return move === 'take' ? this.decisions.of(item, unit) : move;
  }

  /** The same; of a hunk perhaps of each line. */
  partOf(item: Item, unit: Unit): Part {
    const move = this.#saidOfMove(item, unit);
    return move === 'take' ? this.decisions.partOf(item, unit) : { said: move };
  }

  #saidOfMove(item: Item, unit: Unit): Said | undefined {
    const gate = this.#gateOf(item, unit);
    const said = gate === undefined ? 'take' : this.saidOf(gate.item, gate.unit);
    return said === 'mixed' ? undefined : said;
  }

  #gateOf(item: Item, { gate }: Unit): { readonly item: Item; readonly unit: Unit } | undefined {
    return gate === undefined ? undefined : { item: this.#renames.get(gate) ?? item, unit: gate };
  }

  say(item: Item, said: Said | undefined): void {
    const gate = item.gate === undefined ? undefined : this.#renames.get(item.gate);
    if (gate !== undefined && said === 'take') this.decisions.say(gate, 'take');
    this.decisions.say(item, said);
  }

  /** What it depends on is taken with it. False: it cannot be said without that. */
  sayOf(item: Item, unit: Unit, said: Said | undefined): boolean {
    const gate = this.#gateOf(item, unit);
    if (gate !== undefined && said === 'take') this.sayOf(gate.item, gate.unit, 'take');
    else if (gate !== undefined && this.saidOf(gate.item, gate.unit) !== 'take') return false;
    this.decisions.sayOf(item, unit, said);
    return true;
  }

  get tally(): Tally {
    const tally = { take: 0, reject: 0, leave: 0, mixed: 0, open: 0 };
    for (const item of this.shown.items) tally[this.decisions.stateOf(item) ?? 'open'] += 1;
    return tally;
  }

  /** What goes to the real files or is thrown away. */
  get isDecided(): boolean {
    const { take, reject, mixed } = this.tally;
    return take + reject + mixed > 0;
  }
}

/** Of a unit's title there is one line, as it says where the unit begins. */
function linesOf(line: PageLine, width: number): readonly PageLine[] {
  if (line.tone === 'unit') return [line];
  return wrapped(line.text, width).map((text) => ({ ...line, text }));
}
