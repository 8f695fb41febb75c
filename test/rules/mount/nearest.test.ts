/** Rules within rules in a real view: the nearest decides, for every kind of access; without rules all of it gets through. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts, self } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';
import { outcomeLines, type Probe, rulesText, seedFiles } from '../gated.ts';

const LONG = `long/${'n'.repeat(200)}/${'m'.repeat(200)}/file`;
const RULES = {
  shut: 'deny',
  'shut/open': 'allow',
  'shut/open/inner': 'read-only',
  'shut/open/inner/free': 'allow',
  // Beside one whose name it begins with.
  etc: 'deny',
  staged: 'deny',
  [LONG]: 'deny',
};

const PROBES: readonly (readonly [outcome: string, ...probe: Probe])[] = [
  ['EACCES', 'list', 'shut'],
  ['EACCES', 'read', 'shut/other'],
  ['EACCES', 'exec', 'shut/run.sh'],
  ['EACCES', 'create', 'shut/new'],
  ['EACCES', 'link', 'shut/other', 'name'],
  ['EACCES', 'rename', 'mine', 'shut/mine'],
  ['EACCES', 'rename', 'shut/gone', 'gone'],
  ['ok', 'stat', 'shut/other'],
  ['ok', 'read', 'shut/open/file'],
  ['ok', 'list', 'shut/open'],
  ['ok', 'write', 'shut/open/file'],
  ['ok', 'read', 'shut/open/inner/file'],
  ['EACCES', 'write', 'shut/open/inner/file'],
  ['EACCES', 'mkdir', 'shut/open/inner/made'],
  ['ok', 'write', 'shut/open/inner/free/file'],
  ['EACCES', 'read', 'etc/file'],
  ['ok', 'read', 'etcetera/file'],
  ['EACCES', 'list', 'staged'],
  ['EACCES', 'read', 'staged/new'],
  ['EACCES', 'read', LONG],
  ['EACCES', 'write', LONG],
];

for (const account of accounts()) {
  test(`the nearest rule decides, for ${account.title}`, async (t) => {
    const paths = PROBES.flatMap(([, what, path]) => (what === 'list' || what === 'mkdir' ? [] : [path]));
    const s = await session(t, {
      account,
      seed: (project) => seedFiles(project, [...paths.filter((path) => !/new$/.test(path)), 'staged/old', 'from']),
    });
    await s.sh('echo new > staged/new');
    const probes = PROBES.map(([, ...probe]) => probe as Probe);
    const file = join(s.project, '.yolofs.toml');
    writeFileSync(file, rulesText(RULES));
    const wanted = PROBES.map(([outcome, ...probe]) => `${probe.join(' ')}: ${outcome}`);
    assert.deepEqual(await outcomeLines(s, probes), wanted);
    assert.match(
      await s.sh('ls; cat mine'),
      /^shut\n(?:.*\n)*in mine\n$/m,
      'its name is seen, and what did not move is there',
    );
    const refused = JSON.parse(await s.succeed(['audit', '--json'])) as { tag: string; path: string }[];
    const told = refused.filter(({ tag }) => tag === 'G').map(({ path }) => path);
    assert.ok(told.includes(join(s.project, LONG)), 'a long path is told whole');
    writeFileSync(file, '[rules]\n');
    const free = PROBES.map(([, ...probe]) => `${probe.join(' ')}: ok`);
    assert.deepEqual(await outcomeLines(s, probes), free, 'without rules');
  });
}

test('a rule for everything can be taken back, though nothing runs under it', async (t) => {
  const s = await session(t, { account: self });
  await s.succeed(['rule', 'set', '/', 'deny']);
  const shut = await s.cli(['run', '--', 'true']);
  assert.notEqual(shut.code, 0);
  await s.succeed(['rule', 'unset', '/']);
  assert.equal(await s.sh('cat hello.txt'), 'base content\n');
});
