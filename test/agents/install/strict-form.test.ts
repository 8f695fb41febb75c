/** Files are written as the strictest parser takes them, and given back as they were. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { applyChanges } from '../../../src/agents/install/apply.ts';
import { inspectAll } from '../../../src/agents/install/check/inspect.ts';
import { targetsOf } from '../../../src/agents/install/descriptions.ts';
import { untouched, withInsertions } from '../../../src/agents/install/insertion.ts';
import { planInstall, planUninstall } from '../../../src/agents/install/plan.ts';
import { loadRecords } from '../../../src/agents/install/record.ts';
import { strictForm } from '../../../src/agents/install/strict-form.ts';
import { fc } from '../../random/fast-check.ts';
import { self } from '../../support/accounts.ts';
import { plainDirectory } from '../../support/plain.ts';
import { configurations } from './configurations.ts';

const COMMENTED = '\uFEFF{ // mine\r\n\t"model": "opus", /* the "good" one, */\r\n\t"list": [1, 2, ],\r\n}\r\n';
const STRICT = ['claude', 'codex', 'copilot', 'cursor'];

test('N3: what plain JSON does not have is taken out of any file, and gives every byte back', () => {
  fc.assert(
    fc.property(configurations, ({ text, value }) => {
      const { text: plain, cut } = strictForm(text);
      assert.deepEqual(JSON.parse(plain), value);
      assert.equal(withInsertions(untouched(plain), cut).text, text);
    }),
  );
  assert.deepEqual(JSON.parse(strictForm(COMMENTED).text), { model: 'opus', list: [1, 2] });
});

test('N3: a file with comments is installed as plain JSON for every agent that takes no other, and given back to the byte', (t) => {
  for (const agent of STRICT) {
    const at = placeOf(t, agent);
    for (const path of at.files) seed(path, COMMENTED);
    at.install();
    for (const path of at.files) {
      const said = JSON.parse(readFileSync(path, 'utf8')) as { model: string };
      assert.equal(said.model, 'opus', path);
    }
    assert.deepEqual(at.faults(), []);
    at.uninstall();
    for (const path of at.files) assert.equal(readFileSync(path, 'utf8'), COMMENTED, path);
  }
});

test('N3: a comment that came later is found with its line, and install takes it out', (t) => {
  const at = placeOf(t, 'claude');
  at.install();
  const [settings = ''] = at.files;
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('"hooks"', '// since then\n  "hooks"'));
  assert.deepEqual(at.faults(), [
    `${settings}:2:3: a comment: Claude Code takes plain JSON only, and ignores the whole file`,
  ]);
  at.install();
  assert.deepEqual(at.faults(), []);
  JSON.parse(readFileSync(settings, 'utf8'));
});

test('N3: a comment that cannot be put back, as the file was changed since, is named', (t) => {
  const at = placeOf(t, 'claude');
  const [settings = ''] = at.files;
  seed(settings, '{\n  // why it is so\n  "model": "opus"\n}\n');
  at.install();
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('opus', 'haiku'));
  assert.deepEqual(at.uninstall(), ['// why it is so']);
  assert.equal(JSON.parse(readFileSync(settings, 'utf8')).model, 'haiku');
});

function placeOf(t: TestContext, agent: string) {
  const p = plainDirectory(self);
  t.after(p.remove);
  const places = { level: 'user', home: p.home, project: p.project, environment: {} } as const;
  const program = join(p.root, 'yolofs');
  writeFileSync(program, '', { mode: 0o755 });
  const targets = targetsOf(agent, places, [program]);
  return {
    files: targets.flatMap(({ kind, path }) => (kind === 'json' ? [path] : [])),
    install: () => applyChanges(planInstall(targets, places, loadRecords(places)), places),
    /** Returns what could not be put back. */
    uninstall: () => {
      const changes = planUninstall(targets, places, loadRecords(places));
      applyChanges(changes, places);
      return changes.flatMap(({ lost }) => lost);
    },
    faults: () =>
      inspectAll((level) => ({ ...places, level }), [program])
        .flatMap(({ faults }) => faults)
        .filter(({ isFatal }) => isFatal)
        .map(({ what }) => what),
  };
}

function seed(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
