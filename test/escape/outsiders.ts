/** Processes outside of the view that a test starts as its account: what attempts are aimed at. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Protection } from '../../src/sandbox/protections.ts';
import { become } from '../support/accounts.ts';
import { CLEAN_ENV } from '../support/exec.ts';
import { BUILT } from '../support/session.ts';
import { type Cage, SECRET } from './attempts.ts';

export type Outsider = ChildProcess & { readonly pid: number };

/** Starts a program that outlives the call, and waits until it says something. */
export async function background(
  { s, env }: Cage,
  argv: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Outsider> {
  const [command = '', ...args] = [...become(s.account), ...argv];
  const all = { ...CLEAN_ENV, ...env, ...more, HOME: s.home, YOLOFS_TEST_ROOT: s.root };
  const child = spawn(command, args, { cwd: s.project, env: all, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  assert.ok(child.pid !== undefined && !said.includes('error'), said.toString());
  return Object.assign(child, { pid: child.pid });
}

/** A process with the secret in every way a process can hold one. */
export function bystander(made: Cage): Promise<Outsider> {
  const script = 'cd "$OUT" && exec 3<secret && echo ready && exec sleep 300';
  return background(made, ['sh', '-c', script], { WORD: SECRET });
}

/** Listens at a socket, `@…` an abstract one, and hands a descriptor of the directory with the secret to whoever comes. */
export function server(made: Cage, socket: string): Promise<Outsider> {
  return background(made, [made.probe, 'serve', socket, made.outside]);
}

/** Has the session's view served without some protections, until it is stopped. */
export async function serveWithout(made: Cage, protections: readonly Protection[]): Promise<void> {
  await made.s.stop();
  const main = join(BUILT, 'test/escape/open-daemon-main.js');
  await background(made, [process.execPath, main, made.s.project, protections.join(',')]);
}
