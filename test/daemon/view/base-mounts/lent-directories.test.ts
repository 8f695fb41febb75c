/** When a directory that is mounted into the view as it is has to go: whatever makes the view's own another one. */
import assert from 'node:assert/strict';
import { linkSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { LentDirectories } from '../../../../src/daemon/view/base-mounts/lent-directories.ts';
import { GateLog } from '../../../../src/rules/gate-log.ts';
import { Identities } from '../../../../src/rules/identities.ts';
import { Judge } from '../../../../src/rules/judge.ts';
import { type Rule, Rules } from '../../../../src/rules/rules.ts';
import type { State } from '../../../../src/rules/states.ts';
import type { BytePath, Name, NodeId } from '../../../../src/sys/bytes.ts';
import { rulesOf } from '../../../rules/naive.ts';
import { openView } from '../../../staging/session-parts.ts';
import { ViewDriver } from '../../../staging/view-driver.ts';

/** `usr/lib/file` in a view, with another name `outside`, and what is needed to lend `usr`. */
function lending(t: TestContext) {
  const view = openView();
  t.after(() => view.close());
  const { overlay, base, dir } = view;
  mkdirSync(join(dir, 'usr/lib'), { recursive: true });
  writeFileSync(join(dir, 'usr/lib/file'), 'content');
  linkSync(join(dir, 'usr/lib/file'), join(dir, 'outside'));
  const usr = `${dir}/usr` as BytePath;
  const { nodePaths } = overlay;
  let closed = 0;
  const onClosed = (): void => void closed++;
  const identities = new Identities({ fs: overlay, nodePaths, base, project: usr, onClosed, onFull: onClosed });
  const judge = new Judge(new Rules([]), {
    nodePaths,
    asker: { ask: () => 'refuse' },
    identities,
    log: new GateLog(() => undefined),
  });
  const lent = new LentDirectories({ judge, identities, nodePaths, base });
  const driver = new ViewDriver(overlay);
  // It is a mount point: the kernel knows it.
  driver.resolve(usr);
  const { dev, ino } = statSync(join(dir, 'outside'));
  const rule = (path: string, state: State): readonly Rule[] => rulesOf(path, { state, layer: 'user' });
  return {
    ...{ dir, usr, judge, lent, driver, rule },
    lend: (rules: readonly Rule[] = []) => lent.lend([{ path: usr, linked: [{ dev, ino }] }], rules),
    name: { kind: 'entry', parent: driver.resolve(dir) as NodeId, name: 'usr' as Name },
    closed: () => closed,
  };
}

test('a directory is lent once, and goes once', (t) => {
  const { usr, lend, lent, judge, rule, name } = lending(t);
  assert.deepEqual(lend(), [usr]);
  assert.deepEqual(lend(), [], 'it is there');
  assert.deepEqual(lent.recall(), [], 'nothing has changed');
  judge.setRules(new Rules(rule(`${usr}/lib/new`, 'deny')));
  assert.deepEqual(lent.recall(), [name]);
  assert.deepEqual(lent.recall(), []);
});

test('it goes with any rule that may be for it, below it or above it, and stays with others', (t) => {
  const { dir, usr, lend, lent, judge, rule, name } = lending(t);
  for (const [text, state, goes] of [
    [`${usr}/lib/file`, 'deny', true],
    ['**/file', 'hidden', true],
    [dir, 'ask', true],
    [`${dir}/home`, 'deny', false],
  ] as const) {
    judge.setRules(new Rules([]));
    lend();
    judge.setRules(new Rules(rule(text, state)));
    assert.deepEqual(lent.recall(), goes ? [name] : [], text);
  }
});

test('it is lent only by the rules that count', (t) => {
  const { usr, lend, judge, rule } = lending(t);
  const rules = rule('**/.netrc', 'deny');
  assert.deepEqual(lend(rules), [], 'they were others when the host was looked through');
  judge.setRules(new Rules(rules));
  assert.deepEqual(lend(rules), [usr]);
});

test('it goes when something is staged there, by a change, a deletion or a move of what is above', (t) => {
  const changes: readonly ((driver: ViewDriver, dir: BytePath) => number)[] = [
    (driver, dir) => driver.create(`${dir}/usr/lib/new` as BytePath, 0o644),
    (driver, dir) => driver.unlink(`${dir}/usr/lib/file` as BytePath),
    (driver, dir) => driver.chmod(`${dir}/usr` as BytePath, 0o700),
  ];
  for (const change of changes) {
    const { dir, driver, lend, lent, name } = lending(t);
    lend();
    change(driver, dir);
    assert.deepEqual(lent.recall(), [name]);
    assert.deepEqual(lend(), [], 'and does not come back');
  }
});

test('it goes when something is mounted on the host, in it or above it', (t) => {
  for (const [point, goes] of [
    ['usr/lib', true],
    ['', true],
    ['other', false],
  ] as const) {
    const { dir, lend, lent, name } = lending(t);
    lend();
    assert.deepEqual(lent.remounted(join(dir, point) as BytePath), goes ? [name] : []);
  }
});

test('it is not lent, or goes, when another name of a file in it is closed', (t) => {
  const { dir, lend, lent, judge, rule, driver, name, closed } = lending(t);
  lend();
  const glob = rule('**/outsid?', 'deny');
  judge.setRules(new Rules(glob));
  lent.recall();
  lend(glob);
  // Found as one looks it up.
  const [parent, node] = [driver.resolve(dir), driver.fs.lookup(driver.resolve(dir) as NodeId, 'outside' as Name)];
  assert.ok(typeof node === 'object' && 'stat' in node);
  judge.states.saw(parent as NodeId, 'outside' as Name, node);
  assert.equal(closed(), 1, 'whoever keeps mounts is told');
  assert.deepEqual(lent.recall(), [name]);
  judge.setRules(new Rules(rule(`${dir}/outside`, 'deny')));
  assert.deepEqual(lend(rule(`${dir}/outside`, 'deny')), []);
});

test('one that has to go before it was mounted is told of again when it is', (t) => {
  const { lend, lent, judge, rule, usr, name } = lending(t);
  lend();
  judge.setRules(new Rules(rule(usr, 'hidden')));
  lent.recall();
  assert.deepEqual(lent.lentNow(), [name]);
  assert.deepEqual(lent.lentNow(), []);
});
