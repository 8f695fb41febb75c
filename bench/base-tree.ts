/** The tree that all systems start from. Every iteration of a row that changes files has files of its own in it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../test/random/random.ts';
import { succeed } from '../test/support/exec.ts';
import { makeGitFixture } from '../test/support/git-fixture.ts';

export interface Sizes {
  /** Files of 4 KiB a small-file row works on. */
  readonly small: number;
  /** Passes of the rows that repeat. */
  readonly passes: number;
  /** Bytes of the sequential rows. */
  readonly stream: number;
  /** Files of the tree that is copied and deleted. */
  readonly tree: number;
  /** Files the daemon's memory is measured after. */
  readonly many: number;
  /** Files and commits of the git repository. */
  readonly git: { readonly files: number; readonly commits: number };
  readonly objects: number;
  readonly pairs: number;
}

export const FULL: Sizes = {
  small: 2000,
  passes: 20,
  stream: 1 << 30,
  tree: 10_000,
  many: 200_000,
  git: { files: 3000, commits: 400 },
  objects: 120,
  pairs: 5,
};

export const QUICK: Sizes = {
  small: 200,
  passes: 5,
  stream: 32 << 20,
  tree: 500,
  many: 2000,
  git: { files: 200, commits: 40 },
  objects: 10,
  pairs: 1,
};

/** The rows that consume files of the base, one set an iteration. */
export const CONSUMED = ['append', 'rename', 'unlink', 'touch'] as const;

/** Makes the tree in `base`. */
export async function makeBaseTree(base: string, sizes: Sizes): Promise<void> {
  mkdirSync(base);
  const small = Buffer.alloc(4096, 'base ');
  for (const set of [
    'keep',
    ...CONSUMED.flatMap((row) => Array.from({ length: sizes.pairs }, (_, i) => `${row}${i}`)),
  ]) {
    fill(join(base, set), sizes.small, small);
  }
  await succeed(['dd', 'if=/dev/urandom', `of=${base}/stream`, 'bs=1M', `count=${sizes.stream >> 20}`, 'status=none']);
  makeTree(join(base, 'tree'), sizes.tree);
  makeC(join(base, 'c'), sizes.objects);
  const origin = join(base, 'origin.git');
  await makeGitFixture(origin, sizes.git);
  await succeed(['git', 'clone', '-q', origin, join(base, 'repo')]);
  await succeed(['git', '-C', join(base, 'repo'), 'checkout', '-q', 'topic']);
  await succeed(['git', '-C', join(base, 'repo'), 'checkout', '-q', 'main']);
}

/** A tree of `count` empty files, 1,000 a directory. */
export function makeMany(dir: string, count: number): void {
  for (let i = 0; i < count; i += 1000) fill(join(dir, `m${i / 1000}`), Math.min(1000, count - i), Buffer.alloc(0));
}

function fill(dir: string, count: number, content: Buffer): void {
  mkdirSync(dir, { recursive: true });
  for (let i = 0; i < count; i++) writeFileSync(join(dir, `f${String(i).padStart(5, '0')}`), content);
}

function makeTree(root: string, count: number): void {
  const random = new Random(1);
  const text = random.text(16_384);
  for (let i = 0; i < count; i++) {
    const dir = join(root, `a${i % 10}`, `b${Math.floor(i / 10) % 10}`);
    if (i < 100) mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, `file${i}.txt`), text.slice(0, 200 + random.below(8000)));
  }
}

function makeC(dir: string, count: number): void {
  mkdirSync(dir);
  const ids = Array.from({ length: count }, (_, i) => i);
  for (const i of ids)
    writeFileSync(join(dir, `f${i}.c`), `#include <stdio.h>\nint f${i}(int x) { printf("%d", x); return x * ${i}; }\n`);
  writeFileSync(join(dir, 'main.c'), 'int main(void) { return 0; }\n');
  writeFileSync(
    join(dir, 'Makefile'),
    `OBJECTS = main.o ${ids.map((i) => `f${i}.o`).join(' ')}
program: $(OBJECTS)
\tgcc -o $@ $^
%.o: %.c
\tgcc -O1 -c -o $@ $<
clean:
\trm -f *.o program
`,
  );
}
