/** Finds the rows of the table for a path, by names that it has to hold: most paths hold none. */
import type { BytePath } from '../../../sys/bytes.ts';
import { isInstalled } from './contents.ts';
import type { Row } from './rows.ts';
import { OF_REPOSITORIES, TABLE } from './table.ts';

interface Pattern {
  readonly row: Row;
  readonly whole: RegExp;
  /** Of a pattern for what is in a directory: the directory itself, which a symlink may stand for. */
  readonly directory: RegExp | undefined;
}

/** By a name that a path has to hold; by the end of its last name where there is no whole one. */
const [BY_NAME, BY_ENDING] = indexed();

export interface Matching {
  readonly project: BytePath;
  /** What it would be as a directory counts, too. */
  readonly isLink: boolean;
}

/** The rows that a path is in, each once. */
export function matchingRows(path: BytePath, { project, isLink }: Matching): readonly Row[] {
  const found = new Set<Row>();
  const names = path.split('/');
  const last = names.at(-1) ?? '';
  const take = ({ row, whole, directory }: Pattern): void => {
    if (whole.test(path) || (isLink && directory?.test(path) === true)) found.add(row);
  };
  for (const name of names) for (const pattern of BY_NAME.get(name) ?? []) take(pattern);
  const dot = last.lastIndexOf('.');
  if (dot >= 0) for (const pattern of BY_ENDING.get(last.slice(dot)) ?? []) take(pattern);
  // Of most paths there is none.
  if (found.size === 0 || !isInstalled(path, project)) return [...found];
  return [...found].filter(({ kind }) => !OF_REPOSITORIES.includes(kind));
}

function indexed(): readonly [ReadonlyMap<string, readonly Pattern[]>, ReadonlyMap<string, readonly Pattern[]>] {
  const [byName, byEnding] = [new Map<string, Pattern[]>(), new Map<string, Pattern[]>()];
  for (const row of TABLE) {
    for (const text of row.patterns) {
      const inside = /^(.*?)\/\*\*?$/.exec(text)?.[1];
      const pattern = {
        row,
        whole: toRegExp(text),
        directory: inside === undefined ? undefined : toRegExp(inside),
      };
      const name = text.split('/').findLast((part) => part !== '' && !part.includes('*'));
      const [index, key] = name === undefined ? [byEnding, text.slice(text.lastIndexOf('.'))] : [byName, name];
      index.set(key, [...(index.get(key) ?? []), pattern]);
    }
  }
  return [byName, byEnding];
}

function toRegExp(pattern: string): RegExp {
  const body = pattern
    .replace(/[.+^${}()|[\]\\?]/g, '\\$&')
    .replace(/\/\*\*$/, '/.+')
    .replace(/\*/g, '[^/]*');
  return new RegExp(`${pattern.startsWith('/') ? '^' : '(?:^|/)'}${body}$`, 's');
}
