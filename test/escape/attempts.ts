/**
 * Attempts to get out of the view: shell lines, made in the view and then, to see that they have teeth, without it. There is
 * one file that shows where one is: `$OUT/secret` says so on the host, and something else in the view, where it is staged.
 */
import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { exec, SLOWNESS } from '../support/exec.ts';
import { has } from '../support/need.ts';
import { type Session, type SessionOptions, session } from '../support/session.ts';
import { REPOSITORY } from '../support/source-files.ts';

/** What the host's file says: who can show it has read the host's. */
export const SECRET = 'the secret of the host';
const STAGED = 'what the view shows';

/** Shell lines by what they try. */
export type Attempts = Readonly<Record<string, string>>;

/** What became of an attempt. */
export interface Outcome {
  readonly code: number;
  /** stdout and stderr. */
  readonly said: string;
}

export interface Cage {
  readonly s: Session;
  /** `$OUT`: a directory beside the project that belongs to the account. */
  readonly outside: string;
  /** `$P`: the program of probe.c. */
  readonly probe: string;
  /** The variables above, for whatever else the test starts. */
  readonly env: Readonly<Record<string, string>>;
}

/** A session with the file that tells the host from the view; undefined where no compiler is installed. */
export async function cage(t: TestContext, options: SessionOptions): Promise<Cage | undefined> {
  if (!has(t, ['gcc'])) return undefined;
  const s = await session(t, options);
  const made = { s, outside: join(s.root, 'outside'), probe: join(s.root, 'probe') };
  const env = { OUT: made.outside, P: made.probe };
  const compiled = await exec(['gcc', '-O1', '-o', made.probe, join(REPOSITORY, 'test/escape/probe.c')]);
  assert.equal(compiled.code, 0, compiled.stderr);
  chmodSync(made.probe, 0o755);
  mkdirSync(made.outside);
  writeFileSync(join(made.outside, 'secret'), `${SECRET}\n`, { mode: 0o600 });
  for (const path of [made.outside, join(made.outside, 'secret')]) chownSync(path, s.account.uid, s.account.gid);
  await s.sh(`echo ${STAGED} > "$OUT/secret"`, { env });
  return { ...made, env };
}

/** Makes the attempts, in the view or on the host, one after the other and none for longer than ten seconds (of a machine that is not emulated). */
export async function outcomes(
  { s, env }: Cage,
  where: 'view' | 'host',
  attempts: Attempts,
): Promise<Record<string, Outcome>> {
  const script = `for line; do
    said=$(timeout ${10 * SLOWNESS} sh -c "$line" 2>&1 </dev/null)
    printf '%s\\036%s\\036' "$?" "$said"
  done`;
  const argv = ['sh', '-c', script, 'sh', ...Object.values(attempts)];
  const result =
    where === 'view' ? await s.cli(['run', '--quiet', '--', ...argv], { env }) : await s.native(argv, { env });
  assert.equal(result.code, 0, result.stderr);
  const fields = result.stdout.split('\x1e');
  const titles = Object.keys(attempts);
  assert.equal(fields.length, 2 * titles.length + 1, `not all attempts were made: ${result.stdout}${result.stderr}`);
  return Object.fromEntries(
    titles.map((title, i) => [title, { code: Number(fields[2 * i]), said: fields[2 * i + 1] ?? '' }]),
  );
}

/** The attempts that got through, by `isThrough`, each with what it said. */
export async function through(
  made: Cage,
  where: 'view' | 'host',
  {
    attempts,
    isThrough = succeeded,
  }: { readonly attempts: Attempts; readonly isThrough?: (outcome: Outcome) => boolean },
): Promise<string[]> {
  const all = Object.entries(await outcomes(made, where, attempts));
  return all
    .filter(([, outcome]) => isThrough(outcome))
    .map(([title, { said }]) => (where === 'host' ? title : `${title}: ${said}`));
}

/** For attempts to do something. */
export function succeeded({ code }: Outcome): boolean {
  return code === 0;
}

/** For attempts to read the host's file, whatever their exit code. */
export function showsTheHost({ said }: Outcome): boolean {
  return said.includes(SECRET);
}

/** Whether the host's file is what it was. */
export function hostFile({ outside }: Cage): string {
  return readFileSync(join(outside, 'secret'), 'utf8');
}

/** Asserts that no attempt gets through in the view, and that on the host all do, but for `toothless`. */
export async function assertCaged(
  made: Cage,
  group: {
    readonly attempts: Attempts;
    readonly isThrough?: (outcome: Outcome) => boolean;
    /** Attempts that the kernel refuses this account on the host, too. */
    readonly toothless?: readonly string[];
  },
): Promise<void> {
  const { toothless = [] } = group;
  assert.deepEqual(await through(made, 'view', group), [], 'in the view');
  const armed = Object.keys(group.attempts).filter((title) => !toothless.includes(title));
  const free = await through(made, 'host', group);
  assert.deepEqual(
    free.filter((title) => !toothless.includes(title)),
    armed,
    'without the view',
  );
  assert.equal(hostFile(made), `${SECRET}\n`);
}
