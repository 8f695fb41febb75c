/** What every failure of the command line looks like: exit 1, one line that says what and why, perhaps a hint. */
import assert from 'node:assert/strict';
import type { Result } from './exec.ts';

/** As `assertRefused`, of a command that was asked for JSON: the same is the one line on stdout. */
export function assertRefusedAsJson(result: Result, what: RegExp): void {
  const { error } = JSON.parse(result.stdout) as { error: { code: string; message: string } };
  assert.match(error.code, /^[a-z]+$/);
  assert.ok(result.stderr.split('\n', 1)[0]?.endsWith(`: ${error.message}`), `${result.stderr}\n${result.stdout}`);
  assertRefused({ ...result, stdout: '' }, what);
}

/** Asserts that `result` is a refusal whose line matches `what`; neither output nor a stack trace besides it. */
export function assertRefused(result: Result, what: RegExp): void {
  const shown = `exit ${result.code}\nstdout: ${result.stdout}\nstderr: ${result.stderr}`;
  assert.equal(result.code, 1, shown);
  assert.equal(result.stdout, '', shown);
  const lines = result.stderr.split('\n').filter((line) => line !== '');
  assert.match(lines[0] ?? '', /^yolofs: [^:]+: .+/, shown);
  assert.match(lines[0] ?? '', what, shown);
  assert.ok(!/internal error/.test(result.stderr), shown);
  assert.ok(lines.length === 1 || (lines.length === 2 && lines[1]?.startsWith('hint: ')), shown);
}
