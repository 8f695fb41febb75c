/** What is measured, with the limit beside it, as a table for people and as data. */
import { median } from '../measure.ts';

export type Unit = 'us' | 'ms' | 's' | 'MB' | 'x' | 'B' | '';

export interface Figure {
  readonly part: string;
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  /** The most it may be (issue 3). */
  readonly limit?: number;
  /** What it is the median of, for those who doubt it. */
  readonly all?: readonly number[];
  /** Said beside it. */
  readonly note?: string;
}

/** Takes figures of one part, and prints each as it comes. */
export class Figures {
  readonly list: Figure[] = [];
  #part = '';

  /** What is added from now on belongs to `name`. */
  part(name: string): void {
    this.#part = name;
    process.stderr.write(`\n${name}\n`);
  }

  add(name: string, value: number, unit: Unit, more: Pick<Figure, 'limit' | 'all' | 'note'> = {}): void {
    const figure = { part: this.#part, name, value, unit, ...more };
    this.list.push(figure);
    process.stderr.write(`${line(figure)}\n`);
  }

  /** The median of `all`. */
  median(name: string, all: readonly number[], unit: Unit, more: Pick<Figure, 'limit' | 'note'> = {}): number {
    const value = median(all);
    this.add(name, value, unit, { ...more, all });
    return value;
  }

  /** How many have a limit, and how many are within it. */
  get verdict(): { limited: number; within: number } {
    const limited = this.list.filter(({ limit }) => limit !== undefined);
    return { limited: limited.length, within: limited.filter(isWithin).length };
  }

  /** All of it, one line a figure. */
  table(): string {
    const parts = [...new Set(this.list.map(({ part }) => part))];
    return parts
      .map((part) => [part, ...this.list.filter((figure) => figure.part === part).map(line)].join('\n'))
      .join('\n\n');
  }
}

function isWithin({ value, limit }: Figure): boolean {
  return limit === undefined || value <= limit;
}

function line(figure: Figure): string {
  const { name, value, unit, limit, note } = figure;
  const verdict = limit === undefined ? '' : `limit ${limit} ${unit}: ${isWithin(figure) ? 'ok' : 'OVER'}`;
  const tail = [verdict, note ?? ''].filter((text) => text !== '').join('  ');
  return `  ${name.padEnd(62)} ${shown(value).padStart(9)} ${unit.padEnd(3)} ${tail}`.trimEnd();
}

function shown(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
