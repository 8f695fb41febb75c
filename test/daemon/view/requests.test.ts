/**
 * How many requests the kernel makes for one file of a usual workload. Counted, not timed: a request costs a switch to the
 * daemon and back, whatever it asks. Why the kernel makes them: `src/fuse/KERNEL.md`.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Session, session } from '../../support/session.ts';

const SIZES = [100, 200] as const;

/**
 * The most for each file. In brackets what 6.18 makes as root; another one where a clock's tick passes between two steps (the
 * kernel writes its times back), and kernels differ, so each may have one or two more.
 */
const WORKLOADS: readonly (readonly [string, string, number])[] = [
  // [0.05]: READDIRPLUS brings all.
  ['find, first', 'find base.$0 -size 1 > /dev/null', 0.5],
  // [9.5] LOOKUP, MKNOD, WRITE, 3 SETATTR asked for and one of the kernel's, 2 GETXATTR, GETATTR of the directory.
  ['tar x', 'mkdir tar.$0; tar xf $0.tar -C tar.$0', 11],
  // [5.3] LOOKUP, MKNOD, GETXATTR, COPY_FILE_RANGE, GETATTR of the directory.
  ['cp -r', 'cp -r base.$0 copy.$0', 7],
  // [3] UNLINK, SETATTR of its ctime, GETATTR of the directory.
  ['rm -rf of new files', 'rm -rf tar.$0', 4.5],
  ['rm -rf of the base', 'rm -rf base.$0', 4.5],
  // [10]
  ['git clone', 'git clone -q --no-local origin.$0 clone.$0', 13],
];

test('a file of a workload takes no more requests than it did', async (t) => {
  const s = await session(t, { seed });
  await s.sh('true');
  for (const [name, script, most] of WORKLOADS) {
    const [few, many] = [await requests(s, script, SIZES[0]), await requests(s, script, SIZES[1])];
    const each = (many.total - few.total) / (SIZES[1] - SIZES[0]);
    assert.ok(each <= most, `${name}: ${each} requests a file: ${JSON.stringify([few, many])}`);
  }
});

function seed(project: string): void {
  const git = (cwd: string, ...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'ignore' });
  };
  for (const size of SIZES) {
    const dir = join(project, `base.${size}`);
    mkdirSync(dir);
    for (let i = 0; i < size; i++) writeFileSync(join(dir, `f${i}`), `${i}\n`.repeat(80));
    execFileSync('tar', ['cf', join(project, `${size}.tar`), '-C', dir, '.']);
    git(dir, 'init', '-q');
    git(dir, 'add', '.');
    git(dir, 'commit', '-qm', 'all');
    git(project, 'clone', '-q', '--bare', dir, `origin.${size}`);
    rmSync(join(dir, '.git'), { recursive: true });
  }
}

const LATE = ['FORGET', 'BATCH_FORGET', 'INTERRUPT'];

interface Requests {
  readonly total: number;
  readonly byOpcode: Readonly<Record<string, number>>;
}

/** Requests of a script, without those that come when the kernel finds the time. */
async function requests(s: Session, script: string, size: number): Promise<Requests> {
  const served = async (): Promise<Record<string, number>> =>
    ((await s.ask({ op: 'stats' })) as { ok: { opcodes: Record<string, number> } }).ok.opcodes;
  const before = await served();
  await s.succeed(['run', '--quiet', '--no-snapshot', '--', 'sh', '-euc', script, String(size)]);
  const made = Object.entries(await served())
    .filter(([opcode]) => !LATE.includes(opcode))
    .map(([opcode, n]) => [opcode, n - (before[opcode] ?? 0)] as const);
  return { total: made.reduce((sum, [, n]) => sum + n, 0), byOpcode: Object.fromEntries(made) };
}
