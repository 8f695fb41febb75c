/** The 112 routine tasks of the paper: every result is what it is natively, and how often a person is asked. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { directoriesAbove } from '../../src/cli/questions/question-text.ts';
import { plainDirectory } from '../support/plain.ts';
import { nativeProgram, nativeTree, type Session, session } from '../support/session.ts';
import { type Answering, AnsweringPerson } from './answering.ts';
import { type Place, placeOf, routineTasks, type Task } from './tasks.ts';

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

/** Questions a task: of all, and by where its files are. */
function report(t: TestContext, asked: readonly Asked[]): Readonly<Record<Place | 'all', number>> {
  const per = (isMeant: (task: Task) => boolean): number =>
    asked.filter(({ task }) => isMeant(task)).length / TASKS.filter(isMeant).length;
  const of = (place: Place): number => per((task) => placeOf(task) === place);
  const average = { all: per(() => true), inside: of('inside'), outside: of('outside'), link: of('link') };
  t.diagnostic(`${asked.length} questions for ${TASKS.length} tasks: ${JSON.stringify(average)}`);
  const often = TASKS.map((task) => ({ task, own: asked.filter((one) => one.task === task).map(({ what }) => what) }));
  for (const { task, own } of often) if (own.length > 1) t.diagnostic(`${task.id}: ${own.join(', ')}`);
  return average;
}

test('routine tasks, with a person who allows the directory beside the project when first asked', async (t) => {
  const average = report(t, await doAll(t, ({ path }) => path.slice(0, path.indexOf('/outside') + '/outside'.length)));
  assert.ok(average.all <= 0.4);
  assert.equal(average.inside, 0);
});

test('routine tasks, with a person who allows the first directory that is offered', async (t) => {
  const average = report(t, await doAll(t, ({ path }) => directoriesAbove(path)[0]));
  // Each task has a directory of its own, so nothing is known from the one before: reading is a question, and changing.
  assert.ok(average.outside <= 1.04 && average.link <= 0.97);
  assert.equal(average.inside, 0);
});

test('routine tasks, with a person who allows each path for once', async (t) => {
  const asked = await doAll(t, () => undefined);
  const average = report(t, asked);
  const what = asked.map((one) => one.what);
  assert.deepEqual(what, [...new Set(what)], 'nothing is asked twice');
  assert.ok(average.all <= 0.7);
  assert.equal(average.inside, 0);
});
