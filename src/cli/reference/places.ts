/** What can be typed at each place of a command line, for the shells' own languages. */
import { type Declared, everyOne, placeOf } from './declared.ts';

export interface Place {
  /** See `placeOf`. */
  readonly at: string;
  /** Commands and the words for arguments, each with what it means. */
  readonly words: readonly Word[];
  readonly options: readonly Word[];
  /** Options that are followed by a value. */
  readonly valued: readonly string[];
  /** Files can be meant here. */
  readonly takesFiles: boolean;
  /** A command of the host's, with its own words, follows. */
  readonly takesCommand: boolean;
}

export interface Word {
  readonly word: string;
  readonly means: string;
}

/** Commands after which any other program may stand. */
const STARTERS = new Set(['/run', '/wrap']);
/** Arguments for which there is nothing to offer: patterns, numbers, names of one's own. */
const NO_FILES = new Set(['generation', 'range', 'name', 'kind', 'agent', 'state']);

export function placesOf(program: Declared): Place[] {
  return [...everyOne(program)].map((command) => {
    const at = placeOf(command);
    const flags = command.options.flatMap((one) => one.flags.map((flag) => ({ flag, ...one })));
    const isFile = ({ name, words }: (typeof command.arguments)[number]): boolean =>
      words.length === 0 && !NO_FILES.has(name);
    return {
      at,
      words: [
        ...command.commands.flatMap(withAlias),
        ...command.arguments.flatMap(({ name, words }) => words.map((word) => ({ word, means: name }))),
      ],
      options: flags.map(({ flag, description }) => ({ word: flag, means: description })),
      valued: flags.filter(({ value }) => value !== undefined).map(({ flag }) => flag),
      takesFiles: command.arguments.some(isFile),
      takesCommand: STARTERS.has(at),
    };
  });
}

function withAlias({ path, alias, summary }: Declared): Word[] {
  const names = [path.at(-1) ?? '', ...(alias === undefined ? [] : [alias])];
  return names.map((word) => ({ word, means: summary }));
}

/** A text between single quotes of bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
