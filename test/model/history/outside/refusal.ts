/** A commit that was refused for what somebody changed outside. */
import assert from 'node:assert/strict';
import { type Conflict, describeConflict } from '../../../../src/history/commit/conflict/conflict.ts';
import type { Order } from '../orders.ts';
import type { Foreign } from './foreign.ts';

/** Fails when there was no reason, or when not every reason is named with both sides. */
export function checkRefusal(
  { order }: Order,
  conflicts: readonly Conflict[],
  { foreign, project }: { readonly foreign: Foreign; readonly project: string },
): void {
  const lines = conflicts.map(describeConflict);
  assert.ok(foreign.mayRefuse, `conflicts with nobody: ${JSON.stringify(lines)}`);
  for (const line of lines) assert.match(line, /: .* here.*, .* outside/s);
  if (order !== 'commit') return;
  for (const path of foreign.unseen.keys()) {
    const at = `${project}/${path}`;
    const isNamed = conflicts.some(({ path, original, to = path }) =>
      [path, original, to].some((named) => `${at}/`.startsWith(`${named}/`) || named.startsWith(`${at}/`)),
    );
    assert.ok(isNamed, `${JSON.stringify(path)} is not named: ${JSON.stringify(lines)}`);
  }
}
