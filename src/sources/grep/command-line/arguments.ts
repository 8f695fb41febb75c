/** A command line as getopt_long(3) reads it: options and operands in any order, short ones together, long ones shortened. */

export interface OptionTable {
  /** As getopt has them: a letter, with a colon after it if it takes an argument. */
  readonly short: string;
  /** Names of long options: the letter or word that is meant, and whether there is an argument. */
  readonly long: readonly (readonly [name: string, meaning: string, argument: 'none' | 'needed' | 'possible'])[];
}

export interface Option {
  readonly meaning: string;
  readonly argument: string | undefined;
  /** Which word of the command line it is in. */
  readonly word: number;
}

/** What nobody can read; the message is getopt's. */
export class UsageError extends Error {
  readonly code: number;

  constructor(message: string, code = 2) {
    super(message);
    this.code = code;
  }
}

/** Options in their order, and what is left. Throws a UsageError. */
export function readArguments(
  words: readonly string[],
  table: OptionTable,
): { options: readonly Option[]; operands: readonly string[] } {
  const options: Option[] = [];
  const operands: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') {
      operands.push(...words.slice(i + 1));
      break;
    }
    const read = word.startsWith('--') ? readLong : readShort;
    if (!word.startsWith('-') || word === '-') operands.push(word);
    else if (read(word, words[i + 1], { table, word: i, options })) i += 1;
  }
  return { options, operands };
}

interface Reading {
  readonly table: OptionTable;
  readonly word: number;
  readonly options: Option[];
}

/** Returns whether the next word was the argument. */
function readShort(word: string, next: string | undefined, { table, word: number, options }: Reading): boolean {
  for (let i = 1; i < word.length; i++) {
    const meaning = word[i] ?? '';
    const at = meaning === ':' ? -1 : table.short.indexOf(meaning);
    if (at < 0) throw new UsageError(`invalid option -- '${meaning}'`);
    if (table.short[at + 1] !== ':') {
      options.push({ meaning, argument: undefined, word: number });
      continue;
    }
    const rest = word.slice(i + 1);
    const argument = rest === '' ? next : rest;
    if (argument === undefined) throw new UsageError(`option requires an argument -- '${meaning}'`);
    options.push({ meaning, argument, word: number });
    return rest === '';
  }
  return false;
}

function readLong(word: string, next: string | undefined, { table, word: number, options }: Reading): boolean {
  const equals = word.indexOf('=');
  const name = word.slice(2, equals < 0 ? undefined : equals);
  const [full, meaning, takes] = longOption(name, word, table);
  let argument = equals < 0 ? undefined : word.slice(equals + 1);
  if (argument !== undefined && takes === 'none') throw new UsageError(`option '--${full}' doesn't allow an argument`);
  const isNext = argument === undefined && takes === 'needed';
  if (isNext) argument = next;
  if (isNext && argument === undefined) throw new UsageError(`option '--${full}' requires an argument`);
  options.push({ meaning, argument, word: number });
  return isNext;
}

function longOption(name: string, word: string, { long }: OptionTable): OptionTable['long'][number] {
  const exact = long.find(([one]) => one === name);
  if (exact !== undefined) return exact;
  const [first, ...others] = long.filter(([one]) => one.startsWith(name));
  if (first === undefined) throw new UsageError(`unrecognized option '${word.split('=', 1)[0]}'`);
  if (others.some(([, meaning]) => meaning !== first[1])) {
    const possible = [first, ...others].map(([one]) => `'--${one}'`).join(' ');
    throw new UsageError(`option '${word.split('=', 1)[0]}' is ambiguous; possibilities: ${possible}`);
  }
  return first;
}
