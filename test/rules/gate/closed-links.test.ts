/** What a link leads to by which a rule closes something: the rule holds there, too. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ClosedLinks } from '../../../src/rules/closed-links.ts';
import { Rules } from '../../../src/rules/rules.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { openView } from '../../staging/session-parts.ts';
import { rulesOf } from '../naive.ts';

test('with() has a rule for where a link leads, however often its target goes up, also above the root', (t) => {
  const { overlay, dir, close } = openView();
  t.after(close);
  mkdirSync(`${dir}/a/b/c`, { recursive: true });
  for (const name of ['one', 'two', 'three', 'four', 'five']) writeFileSync(`${dir}/${name}`, '');
  const up = '../'.repeat(30);
  const targets = {
    'one.key': '../../../one',
    'two.key': `${up}${dir.slice(1)}/a/../two`,
    'three.key': `/${dir.split('/')[1]}/..${dir}/a/b/../../three`,
    'four.key': '../c/../../b/../../four',
    '../five.key': `${up}${dir.slice(1)}/a/../five`,
  };
  const rules = rulesOf('**/*.key', { state: 'deny', layer: 'user' }, { home: '/root', project: dir });
  const links = new ClosedLinks(overlay);
  for (const [name, target] of Object.entries(targets)) {
    const link = join(`${dir}/a/b/c`, name);
    symlinkSync(target, link);
    assert.ok(links.saw(link as BytePath, new Rules(rules)), name);
  }
  const added = links.with(rules).slice(rules.length);
  assert.deepEqual(
    added.map(({ pattern, decider }) => [pattern.path, decider.state]),
    ['one', 'two', 'three', 'four', 'five'].map((name) => [`${dir}/${name}`, 'deny']),
  );
});
