/** The table `[ask]` of a file: what happens to a question that nobody answers. */
import * as v from 'valibot';
import { parseDuration } from '../../sys/text/duration.ts';
import type { AskSettings } from '../questions/questions.ts';

/** Longer than any timer runs. */
const LONGEST_MS = 2 ** 31 - 1;

export const askTable = v.optional(
  v.strictObject({
    timeout: v.optional(
      v.pipe(
        v.string('has to be a time such as "60 s"'),
        v.check(
          (text) => text === 'none' || (parseDuration(text) ?? 0) > 0,
          ({ input }) => `'${input}' is neither a time such as "60 s" or "5 min" nor "none"`,
        ),
      ),
    ),
    default: v.optional(v.picklist(['deny', 'allow'], 'has to be "deny" or "allow"')),
  }),
  {},
);

export type AskTable = v.InferOutput<typeof askTable>;

/** What counts of both files: a project's can neither have unanswered questions allowed, nor sooner than the person says. */
export function askSettings(user: AskTable, project: AskTable): AskSettings {
  const allow = user.default === 'allow' && project.default !== 'deny';
  const own = toMs(user.timeout ?? '60 s');
  const wanted = project.timeout === undefined ? own : toMs(project.timeout);
  return { timeout: allow ? Math.max(own, wanted) : wanted, allow };
}

function toMs(timeout: string): number {
  return timeout === 'none' ? LONGEST_MS : Math.min(parseDuration(timeout) ?? 0, LONGEST_MS);
}
