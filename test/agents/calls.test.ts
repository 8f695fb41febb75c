/** What hooks say after a call, from what was noted of it: in a directory that stands for a session's, without a daemon. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { answerEvent, type HookContext } from '../../src/agents/answer.ts';
import { type CallState, noteCall, takeCall, takeLeft } from '../../src/agents/calls.ts';
import type { Answer, DoneCall } from '../../src/agents/event.ts';
import { noteOutput, outputsOf } from '../../src/agents/outputs.ts';
import { ensureSession } from '../../src/history/registry/make.ts';

function sessionIn(t: TestContext): { project: string; calls: string; context: HookContext; files: () => string[] } {
  const project = mkdtempSync(join(tmpdir(), 'yolofs-test-calls-'));
  t.after(() => rmSync(project, { recursive: true }));
  const home = mkdtempSync(join(tmpdir(), 'yolofs-test-home-'));
  t.after(() => rmSync(home, { recursive: true }));
  process.env.XDG_STATE_HOME = home;
  const { calls } = ensureSession(project);
  const context: HookContext = {
    program: ['/opt/yolofs'],
    ask: false,
    findSession: () => ({ project, isNearest: true }),
    calls: { note: noteCall, take: takeCall, takeLeft, noteOutput },
  };
  return { project, calls, context, files: () => readdirSync(calls) };
}

function before(context: HookContext, call: string): string {
  const event = { kind: 'shell', call, cwd: '/p', tool: 'Bash', command: 'make', input: { command: 'make' } } as const;
  const answer = answerEvent(event, context);
  assert.equal(answer.kind, 'rewrite');
  return answer.kind === 'rewrite' ? answer.command : '';
}

function after(context: HookContext, call: DoneCall): Answer {
  return answerEvent({ kind: 'done', calls: [call], cwd: '/p', failed: false }, context);
}

const bash = (over: Partial<DoneCall> = {}): DoneCall => ({ tool: 'Bash', isShell: true, call: 't1', ...over });
const ended = (text: string): CallState => ({ state: 'ended', text });

test('a call that came to something is told once, and forgotten', (t) => {
  const { project, calls, context, files } = sessionIn(t);
  assert.equal(before(context, 't1'), "'/opt/yolofs' run --call 'c-t1' -c 'make'");
  noteCall(project, 'c-t1', { state: 'started' });
  noteCall(project, 'c-t1', ended('yolofs: 1 added'));
  assert.equal(statSync(calls).mode & 0o777, 0o700);
  assert.deepEqual(after(context, bash()), { kind: 'tell', text: 'yolofs: 1 added' });
  assert.deepEqual(files(), []);
});

test('the head of what a call has printed is kept by its snapshot, of the latest three hundred', (t) => {
  const { project, calls, context } = sessionIn(t);
  const outputs = calls.replace(/calls$/, 'outputs');
  for (let generation = 1; generation <= 302; generation++) {
    noteCall(project, 'c-t1', { state: 'ended', text: '', generation });
    after(context, bash({ output: `output ${generation}\n` }));
  }
  noteCall(project, 'c-t1', { state: 'ended', text: '', generation: 303 });
  after(context, bash({ output: `${'line\n'.repeat(30)}` }));
  noteCall(project, 'c-t1', { state: 'ended', text: '', generation: 304 });
  after(context, bash({ output: 'x'.repeat(5000) }));
  // Without a snapshot there is nothing that it belongs to.
  noteCall(project, 'c-t1', ended(''));
  after(context, bash({ output: 'of no snapshot' }));
  const kept = outputsOf({ outputs });
  assert.deepEqual([kept.size, kept.get(4), kept.get(5), kept.get(302)], [300, undefined, 'output 5', 'output 302']);
  assert.equal(kept.get(303), `${'line\n'.repeat(20)}…`);
  assert.equal(kept.get(304), `${'x'.repeat(2000)}\n…`);
  assert.deepEqual([statSync(outputs).mode & 0o777, statSync(join(outputs, '304.txt')).mode & 0o777], [0o700, 0o600]);
});

test('a call that changed nothing is not talked about', (t) => {
  const { project, context } = sessionIn(t);
  noteCall(project, 'c-t1', ended(''));
  assert.deepEqual(after(context, bash()), { kind: 'pass' });
});

test('a call whose run was never heard of is loudly said to have run outside', (t) => {
  const { context } = sessionIn(t);
  before(context, 't1');
  for (const call of [bash({ command: 'rm -r x' }), bash({ call: 'unknown', command: 'rm -r x' })]) {
    const answer = after(context, call);
    assert.ok(answer.kind === 'tell' && answer.loud !== undefined);
    assert.match(answer.loud, /^yolofs: WARNING: a Bash call \("rm -r x"\) did not go through yolofs.*REAL files/);
    assert.ok(answer.text.startsWith(answer.loud));
  }
});

test('a wrapped command takes the agent where it ended, and is not wrapped again', (t) => {
  const { calls, context } = sessionIn(t);
  const event = { kind: 'shell', call: 't1', cwd: '/p', tool: 'Bash', input: {}, keepsDirectory: true } as const;
  const first = answerEvent({ ...event, command: 'cd d' }, context);
  const file = `'${calls}/c-t1.json.cwd'`;
  const command = `'/opt/yolofs' run --call 'c-t1' --keep-directory -c 'cd d' && { [ ! -s ${file} ] || cd -- "$(cat ${file})"; }`;
  assert.deepEqual(first, { kind: 'rewrite', command, ask: false });
  assert.deepEqual(answerEvent({ ...event, command }, context), { kind: 'pass' });
  for (const more of [`${command}; rm -r x`, command.replace(calls, '/home'), command.replace(' && {', ' ; {')]) {
    assert.equal(answerEvent({ ...event, command: more }, context).kind, 'rewrite', more);
  }
});

test('a call is found by its wrapped command where the agent has no id for it', (t) => {
  const { project, context } = sessionIn(t);
  noteCall(project, 'c-t1', ended('yolofs: 1 added'));
  const command = before(context, 't1');
  noteCall(project, 'c-t1', ended('yolofs: 1 added'));
  assert.deepEqual(after(context, { tool: 'Bash', isShell: true, command }), { kind: 'tell', text: 'yolofs: 1 added' });
});

test('a call that goes on is told when it has ended, after another one', (t) => {
  const { project, context, files } = sessionIn(t);
  before(context, 't1');
  noteCall(project, 'c-t1', { state: 'started' });
  assert.match(JSON.stringify(after(context, bash())), /the command still runs/);
  noteCall(project, 'c-t2', ended(''));
  assert.deepEqual(after(context, bash({ call: 't2' })), { kind: 'pass' });
  noteCall(project, 'c-t1', ended('yolofs: 2 added'));
  noteCall(project, 'c-t3', ended('yolofs: 1 added'));
  assert.deepEqual(after(context, bash({ call: 't3' })), {
    kind: 'tell',
    text: 'yolofs: 1 added\nof a command that went on in the background, yolofs: 2 added',
  });
  assert.deepEqual(files(), []);
});

test('a call whose hook never came is told after another one, once it is certain that it will not', (t) => {
  const { project, calls, context, files } = sessionIn(t);
  noteCall(project, 'c-t1', ended('yolofs: 1 deleted'));
  noteCall(project, 'c-t2', ended('yolofs: 1 added'));
  assert.deepEqual(after(context, bash({ call: 't2' })), { kind: 'tell', text: 'yolofs: 1 added' });
  const minuteAgo = Date.now() / 1000 - 60;
  utimesSync(join(calls, 'c-t1.json'), minuteAgo, minuteAgo);
  noteCall(project, 'c-t3', ended(''));
  const text = 'of an earlier command, yolofs: 1 deleted';
  assert.deepEqual(after(context, bash({ call: 't3' })), { kind: 'tell', text });
  assert.deepEqual(files(), []);
});

test('a run tells all by itself where nobody may hear its hook', (t) => {
  const { project, context } = sessionIn(t);
  const command = before({ ...context, isHeard: false }, 't1');
  assert.equal(command, "'/opt/yolofs' run --call 'c-t1' --tell -c 'make'");
  noteCall(project, 'c-t1', ended('yolofs: 1 added'));
  assert.deepEqual(after(context, { tool: 'Bash', isShell: true, command }), { kind: 'tell', text: 'yolofs: 1 added' });
});

test('ids lead nowhere else, and what nobody takes stays few', (t) => {
  const { project, files } = sessionIn(t);
  for (const id of ['../../x', 'a/b', '', '.', 'x'.repeat(300)]) noteCall(project, id, { state: 'asked' });
  assert.deepEqual(readdirSync(project), ['.yolofs']);
  assert.ok(files().every((name) => /^[0-9a-f]{64}\.json$/.test(name)));
  for (let at = 0; at < 450; at++) noteCall(project, `c-${at}`, { state: 'asked' });
  assert.ok(files().length <= 200, `${files().length} files`);
  assert.equal(takeCall(project, 'c-449', false)?.state, 'asked', 'the last is kept');
});
