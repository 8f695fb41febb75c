/**
 * In a view: random command lines in directories of a source, by ours, which asks the server, and then by the real grep, which reads everything.
 *
 *     view-main.js SEED CASES DIRECTORY…        prints of every second one how many files were meant, read and matched, and of all of how many only lines
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { ViewFiles } from '../../../src/cli/look/view-files.ts';
import type { MayMatch } from '../../../src/sources/grep/file-access.ts';
import type { Statistics } from '../../../src/sources/grep/step-search.ts';
import { Random } from '../../random/random.ts';
import { randomCase } from './cases.ts';
import { assertSame, gnuResults, ownResult, type Result } from './compare.ts';

/** Counts files of which only lines are looked at. */
class CountingFiles extends ViewFiles {
  override async narrow(...asked: Parameters<ViewFiles['narrow']>): ReturnType<ViewFiles['narrow']> {
    const narrowing = await super.narrow(...asked);
    return (
      narrowing &&
      ((directory) => {
        const mayMatch = narrowing(directory);
        return mayMatch && ((name) => counted(mayMatch(name)));
      })
    );
  }
}

function counted(may: MayMatch): MayMatch {
  if (typeof may === 'object') statistics.excerpts += 1;
  return may;
}

const [, , seed = '', count = '', ...directories] = process.argv;
const statistics: Statistics & { excerpts: number } = { files: 0, read: 0, matched: 0, excerpts: 0 };
const random = new Random(Number(seed));
const dir = mkdtempSync('/tmp/grep-');
for (const corpus of directories) {
  process.chdir(corpus);
  const cases = Array.from({ length: Number(count) }, () => randomCase(random));
  const own: Result[] = [];
  // Where nothing is counted, files that cannot match are left out.
  for (const [i, words] of cases.entries()) {
    own.push(await ownResult(words, withoutInput(), i % 2 === 0 ? statistics : undefined));
  }
  const wanted = gnuResults(cases, corpus, dir);
  for (const [i, words] of cases.entries()) assertSame(own[i] as Result, wanted[i], [corpus, ...words]);
}
rmSync(dir, { recursive: true });
process.stdout.write(JSON.stringify(statistics));

/** What each command line begins with. */
function withoutInput(): ViewFiles {
  const files = new CountingFiles();
  return Object.assign(files, { input: { size: undefined, read: () => new Uint8Array(), close: () => undefined } });
}
