/** What `rg` on the PATH of a view (`shims/rg`) need not search; bundled as bin/rg.cjs. Nothing, and exit code 1, where that is not known. */
import { resolve } from 'node:path';
import { parseSearch } from '../sources/rg/command-line.ts';
import { areRulesAbove, ignoredLines } from '../sources/rg/ignored.ts';
import { bytesOfWord } from '../sys/process/word-bytes.ts';
import { ViewFiles } from './look/view-files.ts';

void main(process.argv.slice(2).map(bytesOfWord));

async function main(words: readonly string[]): Promise<void> {
  const files = new ViewFiles();
  const search = parseSearch(words);
  const above = search?.operands.length ? search.operands : ['.'];
  const isRuled = above.some((path) => areRulesAbove(files, bytesOfWord(resolve(path)).replace(/\/$/, '')));
  const lines = search === undefined || isRuled ? undefined : await ignoredLines(files, search);
  if (lines === undefined) process.exitCode = 1;
  else process.stdout.write(Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1'));
}
