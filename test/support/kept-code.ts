/**
 * What V8 has compiled of the program (sys/process/code-cache.ts) goes from the home of one session to those of the sessions after it, as
 * a person's second session has it. Each session of a run would compile everything anew otherwise.
 */
import { chownSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from './accounts.ts';

/** Set for the processes of a run. */
const VARIABLE = 'YOLOFS_TEST_CODE';

/** Makes the place where a run keeps it; returns what removes that. */
export function shareCode(): () => void {
  const place = mkdtempSync('/var/tmp/yolofs-code-');
  process.env[VARIABLE] = place;
  return () => rmSync(place, { recursive: true, force: true });
}

/** Puts what the run has into a new home. */
export function lendCode(home: string, account: Account): void {
  const from = placeOf(account);
  if (from === undefined) return;
  const to = codeIn(home);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const made = [to, ...[1, 2, 3].map((steps) => join(to, '../'.repeat(steps)))];
  for (const directory of made) chownSync(directory, account.uid, account.gid);
  linkAll(from, to);
}

/** Takes what the sessions of a home have kept, when they have ended. */
export function takeCode(home: string, account: Account): void {
  const to = placeOf(account);
  const from = codeIn(home);
  if (to === undefined || !existsSync(from)) return;
  linkAll(from, to);
}

/** Several sessions may do so at once, and a home may lie on a disk of its own. */
function linkAll(from: string, to: string): void {
  // What a process was killed over while it wrote it is nobody's.
  for (const name of readdirSync(from).filter((one) => !one.endsWith('.new'))) {
    try {
      linkSync(join(from, name), join(to, name));
    } catch (error) {
      if (!['EEXIST', 'EXDEV'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

function codeIn(home: string): string {
  return join(home, '.local/state/yolofs/code');
}

function placeOf({ uid }: Account): string | undefined {
  const all = process.env[VARIABLE];
  if (all === undefined) return undefined;
  const place = join(all, String(uid));
  mkdirSync(place, { recursive: true });
  return place;
}
