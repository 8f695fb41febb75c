/** Questions of what runs in the view, put to the program. */

import type { Client } from '../daemon/client.ts';
import { connectOrStart } from '../daemon/life/start.ts';
import type { ShownQuestion } from '../daemon/protocol.ts';
import type { Layout } from '../history/layout.ts';
import { label, toBytePath } from '../sys/bytes.ts';
import type { OnQuestion, Question, Watching } from './types.ts';

export async function watchFor(session: Layout, onQuestion: OnQuestion): Promise<Watching> {
  const daemon = await connectOrStart(session);
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const ended = daemon.listen((line) => {
    if ('question' in line) answer(daemon, line.question, onQuestion).catch(fail);
  });
  await daemon.request({ op: 'watch', front: 'program' });
  const done = Promise.race([ended, failed]).finally(() => daemon.close());
  // Whoever waits hears of it.
  done.catch(() => undefined);
  return { ended: done, close: () => daemon.close() };
}

async function answer(daemon: Client, question: ShownQuestion, onQuestion: OnQuestion): Promise<void> {
  const { id } = question;
  const said = await onQuestion(shown(question));
  if (said === undefined) await daemon.request({ op: 'decline', id });
  else {
    const always = said.always === undefined ? {} : { always: toBytePath(said.always) };
    await daemon.request({ op: 'answer', id, allow: said.allow, ...always });
  }
}

function shown({ id, path, access, op, pid, process, command, rule }: ShownQuestion): Question {
  return { id, path: label(path), access, op, pid, process, command, rule: label(rule.pattern) };
}
