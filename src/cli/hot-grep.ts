/** `yolofs grep` in the view, without a command line of ours; bundled as bin/grep.cjs. */
import { errnoText } from '../sources/grep/messages.ts';
import { grepWords, search } from './look/search.ts';
import { endAfter, OWN_STREAMS } from './own-process.ts';
import { reportFailure } from './text/failure-text.ts';

const TROUBLE = 2;

void endAfter(carryOut, (why) => {
  process.stderr.write(`grep: write error: ${errnoText(why)}\n`);
  return TROUBLE;
});

async function carryOut(): Promise<number> {
  try {
    return await search(grepWords(process.argv.slice(2), 'grep'));
  } catch (error) {
    return reportFailure(error, { what: 'grep: ' }, OWN_STREAMS);
  }
}
