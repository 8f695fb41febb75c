/** Programs a test works with. Where one is missing the test says so and is left out; in CI that is a failure. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { CLEAN_ENV } from './exec.ts';

/** Whether all `programs` are installed; if not, the test is marked as left out and must return. */
export function has(t: TestContext, programs: readonly string[]): boolean {
  const dirs = (CLEAN_ENV.PATH ?? '').split(':');
  const missing = programs.filter((program) => !dirs.some((dir) => existsSync(`${dir}/${program}`)));
  if (missing.length === 0) return true;
  leaveOut(t, `${missing.join(', ')} not installed`);
  return false;
}

/** Leaves a test out for `reason`; with `$CI` set that is a failure: there, all must be proven. */
export function leaveOut(t: TestContext, reason: string): void {
  assert.equal(process.env.CI, undefined, `left out in CI: ${reason}`);
  t.skip(reason);
}
