/** The repository's own source text, for tests that check its structure. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SourceFile {
  /** Relative to the repository, e.g. `src/sys/errno.ts`. */
  readonly path: string;
  readonly text: string;
  /** The text with comments blanked out; lines keep their numbers. */
  readonly code: string;
  /** As `code`, with the content of strings blanked out too. */
  readonly bare: string;
}

/** The repository: what `npm test` runs in. */
export const REPOSITORY = process.cwd();

/** The TypeScript files below a directory of the repository. */
export function sourceFiles(directory: string): SourceFile[] {
  const names = readdirSync(join(REPOSITORY, directory), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => read(`${directory}/${name}`));
}

function read(path: string): SourceFile {
  const text = readFileSync(join(REPOSITORY, path), 'utf8');
  return { path, text, code: strip(text, false), bare: strip(text, true) };
}

const TOKENS = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** A small scanner: regular expressions with quotes or slashes in them may confuse it for the rest of their line. */
function strip(text: string, strings: boolean): string {
  return text.replace(TOKENS, (token, string: string | undefined) => {
    if (string !== undefined && !strings) return token;
    return string === undefined ? blank(token) : `${string[0]}${blank(string.slice(1, -1))}${string.at(-1)}`;
  });
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
