/** GET /api/questions, POST /api/answer: what the agent asks, and what each answer would grant. */

import type { ShownQuestion } from '../../../daemon/protocol.ts';
import { lastingState } from '../../../rules/questions/lasting.ts';
import type { State } from '../../../rules/states.ts';
import { type BytePath, label, splitPath } from '../../../sys/bytes.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { AnswerReply, Question, QuestionsReply, ShownAnswer } from '../../protocol.ts';
import { numberIn, textIn } from '../http/body.ts';
import type { Answer, Call } from '../http/routes.ts';
import { shownPath } from '../model/show.ts';
import type { Asked, Watcher } from '../watcher.ts';

const LONGEST_REASON = 2000;
/** Directories above that an answer can be for. */
const MOST_ABOVE = 4;

export async function questions({ questions, wishes }: Watcher): Promise<Answer> {
  const reply: QuestionsReply = {
    questions: [...questions.values()].map(shownQuestion),
    wishes: [...wishes.values()]
      .filter(({ state }) => state === 'pending')
      .map(({ id, message, generation }) => ({ id, message, generation })),
  };
  return { json: reply };
}

function shownQuestion({ question, at }: Asked): Question {
  const { id, path, access, op, process, pid, command, rule, seconds } = question;
  const place = rule.place ?? (rule.layer === 'default' ? 'built in' : rule.layer);
  return {
    ...{ id, ...shownPath(path), access, op, process, pid, command, seconds, asked: at.toISOString() },
    rule: `${label(rule.pattern)} = ${rule.state} (${label(place)})`,
    answers: answersOf(question).map(({ shown }) => shown),
  };
}

interface Possible {
  readonly shown: ShownAnswer;
  readonly said: { readonly allow: boolean; readonly always?: BytePath };
}

function answersOf(question: ShownQuestion): Possible[] {
  const { path, access, rule } = question;
  const verb = access === 'read' ? 'reading' : 'writing';
  const lasting = (allow: boolean): State => lastingState(rule.state as State, access, allow);
  const always = (at: BytePath): string => `from now on ${label(at)}, and what is below it, is '${lasting(true)}'`;
  const one = (answer: string, text: string, grants: string, said: Possible['said']): Possible => ({
    shown: { answer, label: text, grants },
    said,
  });
  return [
    one('once', 'Once', `this one time, ${verb} ${label(path)}`, { allow: true }),
    one('always', 'Always', always(path), { allow: true, always: path }),
    ...above(path).map((at) =>
      one(`below:${label(at)}`, `Always below ${label(at)}`, always(at), { allow: true, always: at }),
    ),
    one('no', 'No', 'nothing; the next time it is asked again', { allow: false }),
    one('never', 'Never', `nothing; from now on ${label(path)} is '${lasting(false)}'`, { allow: false, always: path }),
  ];
}

/** The directories above, the nearest first, without the root. */
function above(path: BytePath): BytePath[] {
  const found: BytePath[] = [];
  for (
    let at = splitPath(path);
    at !== undefined && at.dir !== '/' && found.length < MOST_ABOVE;
    at = splitPath(at.dir)
  )
    found.push(at.dir);
  return found;
}

export async function answer(watcher: Watcher, { body }: Call): Promise<Answer> {
  if (body.wish !== undefined)
    return refuseWish(watcher, numberIn(body, 'wish'), textIn(body, 'reason', LONGEST_REASON));
  const id = numberIn(body, 'id');
  const given = textIn(body, 'answer');
  const asked = watcher.questions.get(id);
  const said = asked && answersOf(asked.question).find(({ shown }) => shown.answer === given)?.said;
  if (asked !== undefined && said === undefined) throw new UserError(`that is no answer: ${label(given)}`);
  if (said === undefined) return { json: { accepted: false } satisfies AnswerReply };
  const { accepted, notice } = await watcher.client.request({ op: 'answer', id, ...said });
  const reply: AnswerReply = { accepted, ...(notice === undefined ? {} : { notice }) };
  return { json: reply };
}

async function refuseWish(watcher: Watcher, id: number, reason: string): Promise<Answer> {
  const { state } = await watcher.client.request({ op: 'decide', id, commit: false, reason });
  const reply: AnswerReply = { accepted: state === 'rejected' };
  return { json: reply };
}
