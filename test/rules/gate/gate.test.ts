/** What the gate asks and writes down of single accesses, and what stays closed by another name. */
import assert from 'node:assert/strict';
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { type FileSystem, LATER } from '../../../src/fuse/filesystem.ts';
import type { Asker, Verdict } from '../../../src/rules/asker.ts';
import { RuleFileSystem } from '../../../src/rules/gate.ts';
import { GateLog } from '../../../src/rules/gate-log.ts';
import { Identities } from '../../../src/rules/identities.ts';
import { Judge } from '../../../src/rules/judge.ts';
import { OpenlessFileSystem } from '../../../src/rules/openless.ts';
import { type Rule, Rules } from '../../../src/rules/rules.ts';
import { mayRead } from '../../../src/rules/sight.ts';
import type { State } from '../../../src/rules/states.ts';
import type { Overlay } from '../../../src/staging/overlay.ts';
import type { BytePath, Ino, Name, NodeId } from '../../../src/sys/bytes.ts';
import { EACCES, OK } from '../../../src/sys/errno.ts';
import { O_RDONLY } from '../../../src/sys/libc.ts';
import { openView } from '../../staging/session-parts.ts';
import { CALLER, ViewDriver } from '../../staging/view-driver.ts';
import { rulesOf } from '../naive.ts';

interface Gated {
  /** Of all questions. */
  verdict: Verdict;
  readonly dir: BytePath;
  readonly overlay: Overlay;
  readonly judge: Judge;
  readonly identities: Identities;
  /** How often a state came that closes a file with several names. */
  readonly closings: () => number;
  readonly asked: string[];
  readonly logged: string[];
  nodeOf(fs: FileSystem, name: string): NodeId;
  rule(text: string, state: State): readonly Rule[];
}

/** A project with the files `asked`, `denied`, `linked` (the same file as `denied`) and `free`. */
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
      return made.verdict;
    },
  };
  const { nodePaths } = overlay;
  const log = new GateLog((_tag, fields) => logged.push(fields.join(' ').replace(`${dir}/`, '')));
  let closings = 0;
  const identities = new Identities({
    fs: overlay,
    nodePaths,
    base,
    project: dir,
    onClosed: () => {
      closings += 1;
    },
    onFull: () => undefined,
  });
  const judge = new Judge(new Rules([]), { nodePaths, asker, log, identities });
  const rule = (text: string, state: State): readonly Rule[] =>
    rulesOf(text, { state, layer: 'user' }, { home: '/root', project: dir });
  judge.setRules(new Rules([...rule('asked', 'ask'), ...rule('denied', 'deny')]));
  const nodeOf = (fs: FileSystem, name: string): NodeId =>
    new ViewDriver(fs).resolve(`${dir}/${name}` as BytePath) as NodeId;
  const found = { identities, closings: () => closings };
  const made: Gated = { verdict: 'refuse', dir, overlay, judge, ...found, asked, logged, nodeOf, rule };
  return made;
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

test('open() of a file about which a rule asks is what the answer says', (t) => {
  const view = gated(t);
  const gate = new RuleFileSystem(view.overlay, view.judge, view.overlay.nodePaths);
  const node = view.nodeOf(gate, 'asked');
  const open = (verdict: Verdict): number => {
    view.verdict = verdict;
    return gate.open(node, O_RDONLY, CALLER);
  };
  assert.deepEqual([open('pass'), open('later'), open('refuse')], [OK, LATER, EACCES]);
});

test('mkdir() of the way to what is allowed asks nobody, and all else that is made there does', (t) => {
  const { overlay, judge, dir, asked, rule } = gated(t);
  judge.setRules(new Rules([...rule('box', 'ask'), ...rule('box/in/free', 'allow')]));
  const driver = new ViewDriver(new RuleFileSystem(overlay, judge, overlay.nodePaths));
  assert.equal(driver.mkdir(`${dir}/box` as BytePath, 0o755), OK);
  assert.equal(driver.mkdir(`${dir}/box/in` as BytePath, 0o755), OK);
  assert.deepEqual(asked, []);
  assert.equal(driver.create(`${dir}/box/file` as BytePath, 0o644), EACCES);
  assert.equal(driver.mkdir(`${dir}/box/other` as BytePath, 0o755), EACCES);
  assert.deepEqual(asked, ['write create', 'write mkdir']);
});

test('rename() is refused from and over what is denied, and anything else is renamed', (t) => {
  const { overlay, judge, dir } = gated(t);
  const driver = new ViewDriver(new RuleFileSystem(overlay, judge, overlay.nodePaths));
  const rename = (from: string, to: string): number =>
    driver.rename(`${dir}/${from}` as BytePath, `${dir}/${to}` as BytePath);
  const isThere = (name: string): boolean => driver.resolve(`${dir}/${name}` as BytePath) > 0;
  assert.deepEqual([rename('denied', 'other'), rename('free', 'denied')], [EACCES, EACCES]);
  assert.deepEqual(['free', 'denied', 'other'].map(isThere), [true, true, false]);
  assert.equal(rename('free', 'other'), OK);
  assert.deepEqual(['free', 'other'].map(isThere), [false, true]);
});

test('add() of an inode number tells, once, of a state that closes a file by all its names', (t) => {
  const { identities, closings } = gated(t);
  const ino = 4_711 as Ino;
  const before = closings();
  assert.equal(identities.add(ino, 'allow'), false);
  const told = [identities.add(ino, 'deny'), closings(), identities.add(ino, 'deny'), closings()];
  assert.deepEqual(told, [true, before + 1, false, before + 1]);
  assert.equal(identities.stateOfIno(ino), 'deny');
});

test('mayRead() says what could be read, and holds no node afterwards', (t) => {
  const { overlay, judge, identities, dir } = gated(t);
  let held = 0;
  const fs = Object.assign(Object.create(overlay) as FileSystem, {
    lookup: (parent: NodeId, name: Name) => {
      const found = overlay.lookup(parent, name);
      if (typeof found !== 'number' && 'stat' in found) held += 1;
      return found;
    },
    forget: (node: NodeId, lookups: number) => {
      held -= lookups;
      overlay.forget(node, lookups);
    },
  });
  const untouchedIn = (): never => assert.fail('no original is asked about');
  const paths = ['free', 'denied', 'linked', 'missing'].map((name) => `${dir}/${name}` as BytePath);
  const seen = mayRead({ paths, inos: [], words: [] }, { fs, judge, identities, untouchedIn });
  assert.deepEqual(seen.paths, [true, false, false, true]);
  assert.equal(held, 0);
});

test('open() of what was made with leave asks nobody, until another tree is shown', (t) => {
  const view = gated(t);
  const { overlay, judge, dir, asked, rule } = view;
  const box = rule('box', 'ask');
  judge.setRules(new Rules(box));
  view.verdict = 'pass';
  const gate = new RuleFileSystem(overlay, judge, overlay.nodePaths);
  const driver = new ViewDriver(gate);
  assert.equal(driver.mkdir(`${dir}/box` as BytePath, 0o755), OK);
  assert.equal(driver.create(`${dir}/box/file` as BytePath, 0o644), OK);
  const node = view.nodeOf(gate, 'box/file');
  const before = asked.length;
  assert.equal(gate.open(node, O_RDONLY, CALLER), OK);
  assert.equal(asked.length, before);
  judge.turned();
  assert.equal(gate.open(node, O_RDONLY, CALLER), OK);
  assert.equal(asked.length, before + 1);
  assert.equal(driver.create(`${dir}/box/other` as BytePath, 0o644), OK);
  judge.setRules(new Rules([...box, ...rule('more', 'deny')]));
  view.verdict = 'refuse';
  assert.equal(gate.open(view.nodeOf(gate, 'box/other'), O_RDONLY, CALLER), EACCES, 'nor when rules have changed');
});

test('a file that was renamed goes by its new name', (t) => {
  const view = gated(t);
  const { overlay, judge, dir } = view;
  const gate = new RuleFileSystem(overlay, judge, overlay.nodePaths);
  const free = view.nodeOf(gate, 'free');
  assert.equal(gate.open(free, O_RDONLY, CALLER), OK);
  view.verdict = 'pass';
  assert.equal(new ViewDriver(gate).rename(`${dir}/free` as BytePath, `${dir}/asked` as BytePath), OK);
  view.verdict = 'refuse';
  assert.equal(gate.open(free, O_RDONLY, CALLER), EACCES);
});

test('a rule about names that the base has closes these by any name, and nothing that was born in the view', (t) => {
  const view = gated(t);
  const { overlay, judge, dir, rule } = view;
  const ofBase = rule('**/free', 'deny').map((one): Rule => ({ ...one, isOfBase: true }));
  judge.setRules(new Rules([...ofBase, ...rule('shut', 'deny')]));
  const gate = new RuleFileSystem(overlay, judge, overlay.nodePaths);
  const driver = new ViewDriver(gate);
  const at = (name: string): BytePath => `${dir}/${name}` as BytePath;
  const open = (name: string): number => gate.open(view.nodeOf(gate, name), O_RDONLY, CALLER);
  assert.deepEqual([driver.mkdir(at('in'), 0o755), driver.create(at('in/free'), 0o644)], [OK, OK]);
  assert.deepEqual([open('in/free'), open('free')], [OK, EACCES]);
  assert.deepEqual([driver.rename(at('in/free'), at('free')), driver.rename(at('free'), at('y'))], [EACCES, EACCES]);
  assert.deepEqual(
    [driver.rename(at('asked'), at('in/free')), open('in/free')],
    [OK, OK],
    'base content of another name',
  );
  assert.deepEqual([driver.mkdir(at('shut'), 0o755), driver.create(at('free/x'), 0o644)].map(Math.sign), [1, 1]);
  const base = view.nodeOf(gate, 'free');
  const told = judge.turned().map((one) => (one.kind === 'inode' ? one.nodeId : undefined));
  for (const node of [base, view.nodeOf(gate, 'in/free')]) assert.ok(told.includes(node), 'the kernel forgets these');
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
