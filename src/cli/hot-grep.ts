/** `yolofs grep` in the view, without a command line of ours; bundled as bin/grep.cjs. */
import { grepWords, search } from './look/search.ts';
import { endAfter, OWN_STREAMS } from './own-process.ts';
import { reportFailure } from './text/failure-text.ts';

const WHAT = 'grep: ';

void endAfter(carryOut, () => WHAT);

async function carryOut(): Promise<number> {
  try {
    return await search(grepWords(process.argv.slice(2), 'grep'));
  } catch (error) {
    return reportFailure(error, { what: WHAT }, OWN_STREAMS);
  }
}
