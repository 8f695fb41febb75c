/** What the options of a command line say, one after the other. */
import { toBytes } from '../../../sys/bytes.ts';
import { type Option, UsageError } from './arguments.ts';
import type { Answer, Dialect, GlobRule, Options } from './search-options.ts';

export interface Draft
  extends Pick<Options, 'patterns' | 'list' | 'most' | 'separator' | 'names' | 'binary' | 'directories' | 'devices'>,
    Pick<Options, 'label' | 'files' | 'excludedDirectories' | 'warnings'> {
  readonly dialect: Dialect | undefined;
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly context: number | undefined;
  readonly ask: Answer['ask'] | undefined;
  /** Letters of what is simply on. */
  readonly flags: ReadonlySet<string>;
}

/** A failure that ends the search, in grep's words. */
export class GrepError extends Error {}

/** A command line without options. */
export function emptyDraft(): Draft {
  return {
    patterns: [],
    dialect: undefined,
    list: 'none',
    most: Number.POSITIVE_INFINITY,
    before: undefined,
    after: undefined,
    context: undefined,
    separator: '--',
    names: 'if-many',
    binary: 'binary',
    directories: 'read',
    devices: 'default',
    label: '(standard input)',
    files: [],
    excludedDirectories: [],
    ask: undefined,
    flags: new Set(),
    warnings: [],
  };
}

/** The draft with one more option. Throws a GrepError or a UsageError. */
export function apply({ meaning, argument = '' }: Option, draft: Draft): Draft {
  const said = SETTERS[meaning]?.(argument, draft) ?? { flags: new Set([...draft.flags, meaning]) };
  return { ...draft, ...said };
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  G: 'basic',
  E: 'extended',
  F: 'fixed',
  grep: 'basic',
  egrep: 'extended',
  fgrep: 'fixed',
};

type Setter = (argument: string, draft: Draft) => Partial<Draft>;

const SETTERS: Readonly<Record<string, Setter>> = {
  A: (text) => ({ after: lengthOf(text) }),
  B: (text) => ({ before: lengthOf(text) }),
  C: (text) => ({ context: lengthOf(text) }),
  D: (text) => ({ devices: oneOf(text, ['read', 'skip'], 'unknown devices method') }),
  G: (_, draft) => inDialect('G', draft),
  E: (_, draft) => inDialect('E', draft),
  F: (_, draft) => inDialect('F', draft),
  P: (_, draft) => inDialect('perl', draft),
  X: inDialect,
  H: () => ({ names: 'with' }),
  h: () => ({ names: 'without' }),
  I: () => ({ binary: 'without-match' }),
  a: () => ({ binary: 'text' }),
  V: () => ({ ask: 'version' }),
  help: (_, { ask }) => ({ ask: ask ?? 'help' }),
  L: () => ({ list: 'others' }),
  l: () => ({ list: 'matching' }),
  d: (text) => ({ directories: directoriesOf(text) }),
  r: () => ({ directories: 'recurse' }),
  R: (_, { flags }) => ({ directories: 'recurse', flags: new Set([...flags, 'R']) }),
  e: (text, { patterns }) => ({ patterns: [...patterns, { text }] }),
  f: (file, { patterns }) => ({ patterns: [...patterns, { file }] }),
  m: (text) => ({ most: countOf(text) }),
  y: (_, { flags }) => ({ flags: new Set([...flags, 'i']) }),
  'no-ignore-case': (_, { flags }) => ({ flags: new Set([...flags].filter((flag) => flag !== 'i')) }),
  u: (_, { warnings }) => ({ warnings: [...warnings, 'warning: --unix-byte-offsets (-u) is obsolete'] }),
  label: (label) => ({ label }),
  color: inColor,
  'binary-files': (text) => ({ binary: oneOf(text, ['binary', 'text', 'without-match'], 'unknown binary-files type') }),
  exclude: (glob, { files }) => ({ files: [...files, { glob, isIncluding: false }] }),
  include: (glob, { files }) => ({ files: [...files, { glob, isIncluding: true }] }),
  'exclude-from': (excludedIn, { files }) => ({ files: [...files, { excludedIn }] }),
  'exclude-dir': (glob, { excludedDirectories }) => ({
    excludedDirectories: [...excludedDirectories, directoryRule(glob)],
  }),
  'group-separator': (separator) => ({ separator }),
  'no-group-separator': () => ({ separator: undefined }),
};

function inDialect(name: string, draft: Draft): Partial<Draft> {
  if (name === 'perl') throw new GrepError('Perl matching not supported in a --disable-perl-regexp build');
  const dialect = DIALECTS[name];
  if (dialect === undefined) throw new GrepError(`invalid matcher ${name}`);
  if (draft.dialect !== undefined && draft.dialect !== dialect) throw new GrepError('conflicting matchers specified');
  return { dialect };
}

/** Output goes to programs and to agents: nothing is coloured of its own accord. */
function inColor(text: string): Partial<Draft> {
  const when = text.toLowerCase();
  if (['always', 'yes', 'force'].includes(when)) throw new GrepError('--color=always is not supported');
  return ['', 'never', 'no', 'none', 'auto', 'tty', 'if-tty'].includes(when) ? {} : { ask: 'help' };
}

function directoryRule(glob: string): GlobRule {
  return { glob: glob.replace(/(?<=.)\/+$/, ''), isIncluding: false };
}

function lengthOf(text: string): number {
  if (!/^\s*\+?[0-9]+$/.test(text)) throw new GrepError(`${text}: invalid context length argument`);
  return Number(text);
}

function countOf(text: string): number {
  if (!/^\s*[+-]?[0-9]+$/.test(text)) throw new GrepError('invalid max count');
  return Number(text) < 0 ? Number.POSITIVE_INFINITY : Number(text);
}

function oneOf<T extends string>(text: string, known: readonly T[], why: string): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new GrepError(why);
  return found;
}

function directoriesOf(text: string): Options['directories'] {
  const known = ['read', 'recurse', 'skip'] as const;
  const found = known.filter((one) => one.startsWith(text));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const why = found.length === 0 || text === '' ? 'invalid' : 'ambiguous';
  const quoted = (word: string): string => toBytes('‘') + word + toBytes('’');
  const valid = known.map((one) => `\n  - ${quoted(one)}`).join('');
  throw new UsageError(
    `${why} argument ${quoted(text)} for ${quoted('--directories')}\nValid arguments are:${valid}`,
    1,
  );
}
