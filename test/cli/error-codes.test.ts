/** Each failure has a code for programs: one table, the same at the socket, with `--json` and as exit code. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CommanderError, InvalidArgumentError } from 'commander';
import { reportFailure } from '../../src/cli/text/failure-text.ts';
import { UsageError } from '../../src/cli/usage-error.ts';
import { refuseIfBusy } from '../../src/daemon/life/idle-stop.ts';
import type { Failure } from '../../src/daemon/protocol.ts';
import { EIO, SystemError } from '../../src/sys/errno.ts';
import { ERROR_CODES } from '../../src/sys/error-codes.ts';
import { UserError } from '../../src/sys/user-error.ts';
import { type Session, session } from '../support/session.ts';
import { REPOSITORY } from '../support/source-files.ts';

/** Every code that a version of yolofs ever gave: this list only grows. */
const EVER = ['refused', 'usage', 'config', 'conflict', 'busy', 'outdated', 'person', 'system', 'internal'];

test('the table of codes is the one in the document, and each code is in the list of all that ever were', () => {
  const document = readFileSync(join(REPOSITORY, 'src/cli/README.md'), 'utf8');
  const rows = [...document.matchAll(/^\| `(\w+)` \| (\d) \| (.+) \|$/gm)].map(([, code, exit, means]) => [
    code,
    { exit: Number(exit), means },
  ]);
  assert.deepEqual(Object.fromEntries(rows), ERROR_CODES);
  assert.deepEqual(
    Object.keys(ERROR_CODES).filter((code) => !EVER.includes(code)),
    [],
  );
});

test('whatever commander throws is told by its exit code: nothing of what succeeds, also by a code of ours, and usage otherwise', () => {
  const said = (error: unknown): readonly [number, string] => {
    let text = '';
    const err = (more: string): void => {
      text += more;
    };
    const code = reportFailure(error, { what: 'status: ' }, { isTTY: false, env: {}, out: err, err });
    return [code, text];
  };
  for (const code of ['yolofs.schema', 'commander.version']) {
    assert.deepEqual(said(new CommanderError(0, code, 'said before')), [0, '']);
  }
  const wrong = "yolofs: status: odd\nhint: 'yolofs status --help' tells how it is used\n";
  for (const error of [
    new CommanderError(1, 'commander.unknownOption', 'error: odd'),
    new InvalidArgumentError('odd'),
  ]) {
    assert.deepEqual(said(error), [2, wrong]);
  }
  assert.match(said(Object.assign(new Error('odd'), { code: 'ODD' }))[1], /internal error: odd/);
});

/** Of a command that has to fail: its exit code, and the failure in its last line. */
async function failed(s: Session, words: readonly string[]): Promise<Failure & { readonly exit: number }> {
  const { code, stdout } = await s.cli(words);
  const { error } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { error: Failure };
  return { exit: code, ...error };
}

test('a command with --json ends with its failure as JSON: usage, refused, person, and a conflict from the daemon', async (t) => {
  const s = await session(t);
  const usage = await failed(s, ['status', '--json', '--no-such']);
  assert.deepEqual([usage.exit, usage.code, usage.message], [2, 'usage', "unknown option '--no-such'"]);
  const refused = await failed(s, ['status', '--json', '99']);
  assert.deepEqual([refused.exit, refused.code], [1, 'refused']);
  await s.sh('echo staged >> hello.txt');
  const person = await failed(s, ['commit', '--json']);
  assert.deepEqual([person.exit, person.code], [1, 'person']);
  appendFileSync(join(s.project, 'hello.txt'), 'outside\n');
  const conflict = await failed(s, ['commit', '--yes', '--json']);
  assert.deepEqual([conflict.exit, conflict.code, conflict.details?.length], [1, 'conflict', 1]);
  assert.match(conflict.details?.[0] ?? '', /hello\.txt: modified here, modified outside$/);
  const plain = await s.cli(['commit', '--yes']);
  assert.deepEqual([plain.code, plain.stdout], [1, ''], 'without --json stdout has data only');
});

test('settings that make no sense are `config`, also in a command of a command', async (t) => {
  const s = await session(t);
  writeFileSync(join(s.project, '.yolofs.toml'), 'nonsense = 1\n');
  const config = await failed(s, ['rule', 'list', '--json']);
  assert.deepEqual([config.exit, config.code], [1, 'config']);
  assert.match(config.message, /\.yolofs\.toml:1:1: there is no setting 'nonsense'$/);
});

test('what cannot be provoked in a session has its code, too: busy, system with its errno, internal', () => {
  const tell = (error: unknown): { exit: number; error: Failure } => {
    let out = '';
    const write = (text: string): void => {
      out += text;
    };
    const reporter = { isTTY: false, env: {}, out: write, err: () => undefined };
    const exit = reportFailure(error, { what: 'x: ', asJson: true }, reporter);
    return { exit, ...(JSON.parse(out) as { error: Failure }) };
  };
  assert.throws(() => refuseIfBusy(true, 1), { code: 'busy' });
  const system = { code: 'system', errno: 'EIO', message: 'read: input/output error (EIO)' };
  assert.deepEqual(tell(new SystemError('read', EIO)), { exit: 1, error: system });
  const internal = { code: 'internal', message: 'internal error: oops', hint: 'YOLOFS_TRACE=all shows where' };
  assert.deepEqual(tell(new Error('oops\nmore')), { exit: 1, error: internal });
  const odd = { code: 'refused', message: 'a\\x0ab\\x1b[2J', details: ['\\x7f'] };
  assert.deepEqual(tell(new UserError('a\nb\x1b[2J', undefined, { details: ['\x7f'] })), { exit: 1, error: odd });
  const usage = { code: 'usage', message: 'no', hint: "'yolofs x --help' tells how it is used" };
  assert.deepEqual(tell(new UsageError('no')), { exit: 2, error: usage });
});
