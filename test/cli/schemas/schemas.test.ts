/** What `--json` prints is what `--schema` says of it: of each command that has the one. */
import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMANDS } from '../../../src/cli/command-table.ts';
import { declared, everyOne } from '../../../src/cli/reference/declared.ts';
import { DU, WATCHED } from '../../../src/cli/schemas/inside.ts';
import { listen } from '../../ask/front.ts';
import { world } from '../../ask/world.ts';
import { self } from '../../support/accounts.ts';
import { exec } from '../../support/exec.ts';
import { MAIN, type Session, session, writeUserConfig } from '../../support/session.ts';
import { assertFits } from './fits.ts';

/** Runs `words` with --json, and holds what is printed against what `--schema` prints. */
async function check(s: Session, words: readonly string[], code = 0): Promise<unknown> {
  const command = words.filter((word, i) => i < 2 && /^[a-z]+$/.test(word) && (i === 0 || TWO.has(words[0] ?? '')));
  const printed = await exec([process.execPath, MAIN, ...command, '--schema'], { cwd: '/', env: { HOME: s.home } });
  assert.deepEqual([printed.code, printed.stderr], [0, ''], command.join(' '));
  const result = await s.cli([...words, '--json']);
  assert.equal(result.code, code, `${words.join(' ')}: ${result.stderr}`);
  const value = JSON.parse(result.stdout) as unknown;
  assertFits(JSON.parse(printed.stdout) as object, value, words.join(' '));
  return value;
}

/** Commands that are several. */
const TWO = new Set(['rule', 'source', 'debug']);

test('each command with --json has --schema', async () => {
  const all = [...everyOne(await declared(COMMANDS))];
  const flagsOf = (name: string): string[] =>
    all.filter(({ options }) => options.some(({ flags }) => flags.includes(name))).map(({ path }) => path.join(' '));
  assert.ok(flagsOf('--json').length >= 17);
  assert.deepEqual(flagsOf('--schema'), flagsOf('--json'));
});

test('status, diff, log, audit, travel, commit, undo, du, gc, rules and debug print what their schemas say', async (t) => {
  const s = await session(t, { config: '[rules]\n"**/*.pem" = "deny"\n' });
  writeFileSync(join(s.project, 'a.pem'), 'key');
  await check(s, ['status']);
  await s.sh('mv hello.txt moved; chmod 600 multi.txt; rm -r subdir; ln -s /etc link; echo b > new');
  await s.cli(['run', '--quiet', '-c', 'cat a.pem']);
  await s.sh('echo more > new');
  await check(s, ['diff']);
  await check(s, ['diff', '--hunks']);
  await check(s, ['travel', '1']);
  await check(s, ['travel', '2']);
  appendFileSync(join(s.project, 'multi.txt'), 'outside\n');
  const status = (await check(s, ['status'])) as { readonly refused?: object[]; readonly notices?: object[] };
  assert.ok(status.refused !== undefined && status.notices !== undefined, 'the test needs a refusal and a notice');
  await check(s, ['commit', '--dry-run', '--ours', 'multi.txt']);
  await check(s, ['commit', '--yes'], 1);
  await s.succeed(['commit', '--yes', 'new']);
  await check(s, ['undo']);
  await s.succeed(['abort', '--yes']);
  await check(s, ['undo']);
  await check(s, ['log']);
  await check(s, ['audit']);
  assertFits(DU, await check(s, ['du']), 'du, which has not failed');
  await check(s, ['gc', '--yes', '--keep-last', '1']);
  await check(s, ['log']);
  await check(s, ['rule', 'list']);
  await check(s, ['rule', 'explain', 'x.pem']);
  await s.succeed(['debug', 'stats', '--measure', 'on']);
  await s.sh('mkdir dir');
  await check(s, ['debug', 'stats']);
  await check(s, ['debug', 'pending']);
});

test('source list and check, and doctor, print what their schemas say', async (t) => {
  const s = await session(t);
  const good = `[sources.notes]\nkind = "memory"\ndir = ${JSON.stringify(s.project)}\nopen = true\n`;
  writeUserConfig(
    s.home,
    `${good}[sources.gone]\nkind = "chroma"\nurl = "http://127.0.0.1:1"\ncollection = "c"\n`,
    s.account,
  );
  await check(s, ['source', 'list']);
  await check(s, ['source', 'check'], 1);
  writeFileSync(join(s.home, '.config/yolofs/config.toml'), 'default_rules = false\n');
  await check(s, ['doctor']);
});

test('watch prints lines of its schema: a question, and what became of it', async (t) => {
  const { s, asked } = await world(t, self);
  const front = await listen(t, s);
  const lines: object[] = [];
  const reading = s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]);
  const question = await front.question();
  lines.push({ question });
  await front.answer(question.id, { allow: true });
  await reading;
  lines.push(...front.closed.map((closed) => ({ closed })), ...front.requests);
  assert.equal(lines.length, 2);
  for (const line of lines) assertFits(WATCHED, line, 'watch');
});
