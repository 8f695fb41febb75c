/** The files in which a search of ripgrep cannot match, as a file of patterns for its `--ignore-file`: it reads all others itself. */
import type { FileAccess } from '../grep/file-access.ts';
import type { Search } from './command-line.ts';

/** Files that say by themselves what is searched. */
const RULES = ['.gitignore', '.ignore', '.rgignore', '.git'];
/** Of other names it says nothing: that a file is searched in vain is no harm. */
const PLAIN_NAME = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

interface Found {
  readonly lines: string[];
  /** What ripgrep may search, and can: without any it warns. */
  isAnySearched: boolean;
  /** A pattern to leave out for that. */
  spare: string | undefined;
}

/** Undefined: nothing is known, or something else decides what is searched. */
export async function ignoredLines(
  files: Pick<Required<FileAccess>, 'find' | 'list' | 'narrow' | 'isBarren'>,
  { formula, operands }: Search,
): Promise<string[] | undefined> {
  const places = operands.length === 0 ? ['.'] : operands;
  const kinds = places.map((path) => files.find(path, false));
  if (kinds.some((found) => typeof found === 'number' || !['file', 'directory'].includes(found.kind))) return undefined;
  const narrowing = await files.narrow(formula, places);
  if (narrowing === undefined) return undefined;
  const found: Found = { lines: [], isAnySearched: false, spare: undefined };
  const walk = (dir: string, prefix: string): boolean => {
    const entries = files.list(dir);
    if (typeof entries === 'number') return true;
    if (entries.some(({ name }) => RULES.includes(name))) return false;
    const mayMatch = narrowing(dir);
    return entries.every(({ name, kind }) => {
      const at = `${dir}/${name}`;
      const isPlain = PLAIN_NAME.test(name);
      const pattern = `${prefix}/${name.replace(/[\\*?[\]{}]/g, '\\$&')}`;
      if (kind === 'directory') {
        if (!isPlain || !files.isBarren(at)) return walk(at, pattern);
        found.lines.push(`${pattern}/`);
        return true;
      }
      const isHidden = /\/\.[^/]/.test(pattern);
      if (!isPlain || (mayMatch?.(name) ?? true)) found.isAnySearched ||= kind === 'file' && !isHidden;
      else if (kind === 'file' && !isHidden && found.spare === undefined) found.spare = pattern;
      else found.lines.push(pattern);
      return true;
    });
  };
  for (const [i, path] of places.entries()) {
    const kind = kinds[i];
    if (typeof kind === 'number' || kind?.kind !== 'directory') continue;
    const dir = path.replace(/\/$/, '');
    const prefix = dir === '.' ? '' : `/${dir.replace(/^\//, '').replace(/[\\*?[\]{}]/g, '\\$&')}`;
    if (!walk(dir, prefix)) return undefined;
  }
  if (found.isAnySearched && found.spare !== undefined) found.lines.push(found.spare);
  return found.lines;
}

/** Of the directories above these, which ripgrep looks at, too. */
export function areRulesAbove(files: Pick<FileAccess, 'find'>, directory: string): boolean {
  for (let at = directory; ; at = at.slice(0, at.lastIndexOf('/'))) {
    if (RULES.some((name) => typeof files.find(`${at}/${name}`, false) !== 'number')) return true;
    if (at === '') return false;
  }
}
