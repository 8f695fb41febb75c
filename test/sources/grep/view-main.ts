/**
 * In a view: random command lines in directories of a source, by ours, which asks the server, and then by the real grep, which reads everything.
 *
 *     view-main.js SEED CASES DIRECTORY…        prints how many files were meant, read and matched, and of how many only lines
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { ViewFiles } from '../../../src/cli/look/view-files.ts';
import type { Statistics } from '../../../src/sources/grep/grep.ts';
import { Random } from '../../random/random.ts';
import { randomCase } from './cases.ts';
import { assertSame, gnuResults, ownResult, type Result } from './compare.ts';

/** Counts files of which only lines are looked at. */
class CountingFiles extends ViewFiles {
  override async narrow(...asked: Parameters<ViewFiles['narrow']>): ReturnType<ViewFiles['narrow']> {
    const mayMatch = await super.narrow(...asked);
    return (
      mayMatch &&
      ((path) => {
        const said = mayMatch(path);
        if (typeof said === 'object') statistics.excerpts += 1;
        return said;
      })
    );
  }
}

const [, , seed = '', count = '', ...directories] = process.argv;
const statistics: Statistics & { excerpts: number } = { files: 0, read: 0, matched: 0, excerpts: 0 };
const random = new Random(Number(seed));
const dir = mkdtempSync('/tmp/grep-');
for (const corpus of directories) {
  process.chdir(corpus);
  const cases = Array.from({ length: Number(count) }, () => randomCase(random));
  const own: Result[] = [];
  for (const words of cases) own.push(await ownResult(words, withoutInput(), statistics));
  const wanted = gnuResults(cases, corpus, dir);
  for (const [i, words] of cases.entries()) assertSame(own[i] as Result, wanted[i], [corpus, ...words]);
}
rmSync(dir, { recursive: true });
process.stdout.write(JSON.stringify(statistics));

/** What each command line begins with. */
function withoutInput(): ViewFiles {
  const files = new CountingFiles(false);
  return Object.assign(files, { input: { size: undefined, read: () => new Uint8Array(), close: () => undefined } });
}
