/** The 112 routine tasks of the paper: every result is what it is natively, and how often a person is asked. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { plainDirectory } from '../support/plain.ts';
import { nativeProgram, nativeTree, type Session, session } from '../support/session.ts';
import { type Answering, AnsweringPerson } from './answering.ts';
import { isInside, routineTasks, type Task } from './tasks.ts';

const TASKS = routineTasks();
/** What the defaults say of a home directory's files, said of the directory beside the project. */
const RULES = '[rules]\n"/var/tmp/yolofs-test-*/outside" = "ask"\n';

function seed(project: string): void {
  for (const task of TASKS) {
    const [inside, outside] = [join(project, task.id), join(dirname(project), 'outside', task.id)];
    for (const dir of [inside, outside]) {
      mkdirSync(join(dir, 'sub'), { recursive: true });
      for (const name of ['a', 'b.txt', 'sub/one.c', 'sub/two.h']) {
        writeFileSync(join(dir, name), `one\ntwo ${name}\nneedle\n`);
      }
    }
    symlinkSync(`../../outside/${task.id}`, join(inside, 'out'));
    symlinkSync(`../../outside/${task.id}/a`, join(inside, 'link-a'));
  }
}

/** What the tasks leave on a host without a view. */
async function natively(t: TestContext, s: Session): Promise<{ done: unknown; trees: unknown }> {
  const plain = plainDirectory(s.account);
  t.after(() => plain.remove());
  seed(plain.project);
  const done = JSON.parse(await nativeProgram('routine/routine-main.js', [], { cwd: plain.project }));
  const trees = [plain.project, join(plain.root, 'outside')].map((dir) => nativeTree(dir, {}, s.account));
  return { done, trees: await Promise.all(trees) };
}

interface Asked {
  readonly task: Task;
  readonly what: string;
}

/** Does all tasks in the view, with a person who answers so; returns what that person was asked, in words. */
async function doAll(t: TestContext, answering: Answering): Promise<readonly Asked[]> {
  assert.equal(TASKS.length, 112);
  const s = await session(t, { seed, rules: RULES });
  await s.sh('true');
  const person = await AnsweringPerson.sitDown(s, answering);
  t.after(() => person.leave());
  const done: unknown = JSON.parse(await s.program('routine/routine-main.js', []));
  const asked = person.questions.map(({ path, access, op }) => {
    const task = TASKS.find(({ id }) => path.split('/').includes(id));
    assert.ok(task !== undefined, `asked about ${path}`);
    return { task, what: `${op} (${access}) ${path.slice(path.indexOf(task.id))}` };
  });
  const expected = await natively(t, s);
  assert.deepEqual(done, expected.done);
  const trees = [await s.tree(), await s.tree({}, join(s.root, 'outside'))].map((tree) =>
    tree.filter(({ path }) => !/^\.yolofs|^\.gitignore/.test(path)),
  );
  assert.deepEqual(trees, expected.trees);
  return asked;
}

function report(t: TestContext, asked: readonly Asked[]): number {
  const average = asked.length / TASKS.length;
  t.diagnostic(`${asked.length} questions for ${TASKS.length} tasks: ${average.toFixed(2)} a task`);
  const often = TASKS.map((task) => ({ task, own: asked.filter((one) => one.task === task).map(({ what }) => what) }));
  for (const { task, own } of often) if (own.length > 1) t.diagnostic(`${task.id}: ${own.join(', ')}`);
  return average;
}

test('routine tasks, with a person who allows the directory beside the project when first asked', async (t) => {
  const asked = await doAll(t, ({ path }) => path.slice(0, path.indexOf('/outside') + '/outside'.length));
  assert.ok(report(t, asked) <= 0.4);
  assert.deepEqual(
    asked.filter(({ task }) => isInside(task)),
    [],
  );
});

test('routine tasks, with a person who allows each path for once', async (t) => {
  const asked = await doAll(t, () => undefined);
  report(t, asked);
  const what = asked.map((one) => one.what);
  assert.deepEqual(what, [...new Set(what)], 'nothing is asked twice');
  assert.deepEqual(
    asked.filter(({ task }) => isInside(task)),
    [],
  );
});
