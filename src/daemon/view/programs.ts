/** What runs in the view, for a person who changes it under programs, or ends it with them. */
import type { Holder } from '../../sandbox/holder.ts';
import { processesBeside } from '../../sys/process/process.ts';
import { describeProcess } from '../questions/process-words.ts';

/** The session's own are called so. */
const OWN = /^yolofs-/;

/** Names of processes with their numbers, as printable text; what keeps the view alive is none. */
export async function programsIn({ pid, anchor }: Holder): Promise<string[]> {
  const others = processesBeside(pid).filter((one) => one !== pid && one !== anchor);
  const named = await Promise.all(others.map(async (one) => ({ one, ...(await describeProcess(one)) })));
  return named.flatMap(({ one, process, command }) =>
    command === '' || OWN.test(process) ? [] : [`${process} (${one})`],
  );
}
