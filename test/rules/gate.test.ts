/** What the gate asks and writes down of single accesses, and what stays closed by another name. */
import assert from 'node:assert/strict';
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { FileSystem } from '../../src/fuse/filesystem.ts';
import type { Asker } from '../../src/rules/asker.ts';
import { RuleFileSystem } from '../../src/rules/gate.ts';
import { GateLog } from '../../src/rules/gate-log.ts';
import { Identities } from '../../src/rules/identities.ts';
import { Judge } from '../../src/rules/judge.ts';
import { OpenlessFileSystem } from '../../src/rules/openless.ts';
import { Rules } from '../../src/rules/rules.ts';
import type { State } from '../../src/rules/states.ts';
import type { Overlay } from '../../src/staging/overlay.ts';
import type { BytePath, NodeId } from '../../src/sys/bytes.ts';
import { EACCES, OK } from '../../src/sys/errno.ts';
import { O_RDONLY } from '../../src/sys/libc.ts';
import { openView } from '../staging/session-parts.ts';
import { CALLER, ViewDriver } from '../staging/view-driver.ts';
import { rulesOf } from './naive.ts';

interface Gated {
  readonly overlay: Overlay;
  readonly judge: Judge;
  readonly asked: string[];
  readonly logged: string[];
  nodeOf(fs: FileSystem, name: string): NodeId;
}

/** A project with the files `asked`, `denied`, `linked` (the same file as `denied`) and `free`; questions are refused. */
function gated(t: TestContext): Gated {
  const { overlay, base, dir, close } = openView();
  t.after(close);
  mkdirSync(dir);
  for (const name of ['asked', 'denied', 'free']) writeFileSync(`${dir}/${name}`, name);
  linkSync(`${dir}/denied`, `${dir}/linked`);
  const [asked, logged]: [string[], string[]] = [[], []];
  const asker: Asker = {
    ask: ({ access, op }) => {
      asked.push(`${access} ${op}`);
      return 'refuse';
    },
  };
  const { nodePaths } = overlay;
  const log = new GateLog((_tag, fields) => logged.push(fields.join(' ').replace(`${dir}/`, '')));
  const identities = new Identities({ fs: overlay, nodePaths, base, project: dir, onFull: () => undefined });
  const judge = new Judge(new Rules([]), { nodePaths, asker, log, identities });
  const rule = (text: string, state: State) => rulesOf(text, { state, layer: 'user' }, { home: '/root', project: dir });
  judge.setRules(new Rules([...rule('asked', 'ask'), ...rule('denied', 'deny')]));
  const nodeOf = (fs: FileSystem, name: string): NodeId =>
    new ViewDriver(fs).resolve(`${dir}/${name}` as BytePath) as NodeId;
  return { overlay, judge, asked, logged, nodeOf };
}

test('setattr() is asked about as what it does, and a refusal by a rule is written down', (t) => {
  const { overlay, judge, asked, logged, nodeOf } = gated(t);
  const gate = new RuleFileSystem(overlay, judge, overlay.nodePaths);
  assert.equal(gate.setattr(nodeOf(gate, 'asked'), { size: 0 }, CALLER), EACCES);
  assert.equal(gate.setattr(nodeOf(gate, 'asked'), { mode: 0o600 }, CALLER), EACCES);
  assert.deepEqual(asked, ['write truncate', 'write attributes']);
  assert.equal(gate.setattr(nodeOf(gate, 'denied'), { mode: 0o600 }, CALLER), EACCES);
  assert.deepEqual(logged, ['refused write attributes denied deny denied 1']);
});

test('open() of another name of a denied file is refused, though no rule names it', (t) => {
  const { overlay, judge, nodeOf } = gated(t);
  const gate = new RuleFileSystem(overlay, judge, overlay.nodePaths);
  assert.equal(gate.open(nodeOf(gate, 'linked'), O_RDONLY, CALLER), EACCES);
  assert.equal(gate.open(nodeOf(gate, 'free'), O_RDONLY, CALLER), OK);
});

test('read() and write() without OPEN are refused once rules have come that need it, where the rule does not let pass', (t) => {
  const { overlay, judge, nodeOf } = gated(t);
  const gate = new OpenlessFileSystem(overlay, judge, overlay.nodePaths);
  const [asked, free] = [nodeOf(gate, 'asked'), nodeOf(gate, 'free')];
  const into = Buffer.alloc(4);
  const tries = (): number[] => [
    ...[asked, free].map((node) => gate.read(node, 0, into, CALLER)),
    ...[asked, free].map((node) => gate.write(node, 0, into, CALLER)),
  ];
  assert.deepEqual(tries(), [4, 4, 4, 4]);
  gate.isLeftBehind = true;
  assert.deepEqual(tries(), [-EACCES, 4, -EACCES, 4]);
});
