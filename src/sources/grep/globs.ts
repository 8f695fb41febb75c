/** File names as --include and --exclude choose them: the last group of options that says something decides. */
import type { GlobRule } from './command-line/options.ts';

type Test = (name: string) => boolean;

/** Which names are left out. */
export class NameFilter {
  /** Rules of one kind that follow each other are one group, and any of them will do. */
  readonly #groups: { readonly isIncluding: boolean; readonly isPattern: boolean; readonly tests: Test[] }[] = [];

  constructor(rules: readonly GlobRule[]) {
    for (const { glob, isIncluding } of rules) {
      const isPattern = /[?*[]/.test(glob.replace(/\\./gs, ''));
      const last = this.#groups.at(-1);
      const test = globTest(glob);
      if (last?.isIncluding === isIncluding && last.isPattern === isPattern) last.tests.push(test);
      else this.#groups.push({ isIncluding, isPattern, tests: [test] });
    }
  }

  /** A path of the command line counts by each of its ends, `a/b/c`, `b/c` and `c`; another name as it is. */
  leavesOut(name: string, isOnCommandLine: boolean): boolean {
    const [first] = this.#groups;
    if (first === undefined) return false;
    const names = isOnCommandLine ? endsOf(name) : [name];
    const found = this.#groups.findLast(({ tests }) => tests.some((test) => names.some((one) => test(one))));
    return found === undefined ? first.isIncluding : !found.isIncluding;
  }
}

function endsOf(path: string): string[] {
  const ends = [path];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    if (at + 1 < path.length && path[at + 1] !== '/') ends.push(path.slice(at + 1));
  }
  return ends;
}

/** As fnmatch(3) without flags: `*` matches a slash, too. Characters are those of UTF-8. */
function globTest(glob: string): Test {
  const text = Buffer.from(glob, 'latin1').toString('utf8');
  let source = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? '';
    const bracket = character === '[' ? bracketAt(text, i) : undefined;
    if (bracket !== undefined) {
      source += bracket.source;
      i = bracket.end;
    } else if (character === '\\') {
      i += 1;
      source += quoted(text[i] ?? '\\');
    } else source += character === '*' ? '.*' : character === '?' ? '.' : quoted(character);
  }
  const pattern = new RegExp(`^${source}$`, 'su');
  return (name) => pattern.test(Buffer.from(name, 'latin1').toString('utf8'));
}

function bracketAt(text: string, start: number): { source: string; end: number } | undefined {
  const isNegated = text[start + 1] === '!' || text[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  let source = '';
  for (let i = first; i < text.length; i++) {
    const named = /^\[:(\w+):\]/.exec(text.slice(i));
    const character = text[i] ?? '';
    if (character === ']' && i > first) return { source: `[${isNegated ? '^' : ''}${source}]`, end: i };
    if (named !== null) {
      source += CLASS_SOURCES[named[1] ?? ''] ?? '';
      i += named[0].length - 1;
    } else if (character === '\\') {
      i += 1;
      source += quotedInClass(text[i] ?? '\\');
    } else source += character === '-' && i > first && text[i + 1] !== ']' ? '-' : quotedInClass(character);
  }
  return undefined;
}

const CLASS_SOURCES: Readonly<Record<string, string>> = {
  alpha: '\\p{Alphabetic}',
  digit: '0-9',
  alnum: '\\p{Alphabetic}\\p{Nd}',
  upper: '\\p{Uppercase}',
  lower: '\\p{Lowercase}',
  space: '\\s',
  blank: ' \\t',
  punct: '\\p{P}\\p{S}',
  xdigit: '0-9A-Fa-f',
};

function quoted(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
}

function quotedInClass(character: string): string {
  return character.replace(/[\\^\]\-[]/, '\\$&');
}
