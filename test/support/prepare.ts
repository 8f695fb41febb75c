/** What the suite needs from the machine when root runs it: an ordinary user who can read what is tested. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ordinary } from './accounts.ts';

const NEW_USER = 'yolofs-test';

/** Chooses the ordinary user for all suites, making one where the machine has none. */
export function chooseOrdinaryUser(): void {
  if (process.env.YOLOFS_TEST_USER !== undefined) return;
  const people = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([, , uid]) => Number(uid) >= 1000 && Number(uid) < 60000);
  const found = people[0]?.[0] ?? (makeUser() ? NEW_USER : undefined);
  // Without useradd the suites use a number that no account has, which must work too.
  if (found !== undefined) process.env.YOLOFS_TEST_USER = found;
}

/**
 * Runs the suite again from a copy when the ordinary user cannot read this one (a checkout in /root); returns its exit
 * code, or undefined when no copy is needed.
 */
export function runFromCopy(repository: string, program: string, args: readonly string[]): number | undefined {
  const canRead = asOrdinary(['/usr/bin/test', '-r', join(repository, program)]);
  const canRun = asOrdinary([process.execPath, '--version']);
  if (canRead && canRun) return undefined;
  const copy = mkdtempSync('/var/tmp/yolofs-copy-');
  try {
    chmodSync(copy, 0o755);
    const skip = [join(repository, '.git'), join(repository, '.yolofs')];
    cpSync(repository, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !skip.includes(path) });
    const node = canRun ? process.execPath : copyNode(join(copy, '.node'));
    return spawnSync(node, [join(copy, program), ...args], { cwd: copy, stdio: 'inherit' }).status ?? 1;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Node with its npm, as they lie beside each other in every installation. */
function copyNode(to: string): string {
  const from = dirname(dirname(process.execPath));
  mkdirSync(join(to, 'bin'), { recursive: true });
  mkdirSync(join(to, 'lib/node_modules'), { recursive: true });
  for (const part of ['bin/node', 'bin/npm', 'bin/npx', 'lib/node_modules/npm']) {
    cpSync(join(from, part), join(to, part), { recursive: true, verbatimSymlinks: true });
  }
  return join(to, 'bin/node');
}

function makeUser(): boolean {
  return spawnSync('useradd', ['--create-home', NEW_USER], { stdio: 'ignore' }).status === 0;
}

function asOrdinary(argv: readonly string[]): boolean {
  const { uid, gid } = ordinary();
  const become = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'];
  return spawnSync('setpriv', [...become, ...argv], { stdio: 'ignore', cwd: '/' }).status === 0;
}
