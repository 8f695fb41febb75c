/** The tree that all systems start from, in parts: a row says which it needs. Rows that use up files have some of their own for each round. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../test/random/random.ts';
import { succeed } from '../test/support/exec.ts';
import { makeGitFixture } from '../test/support/git-fixture.ts';
import { makeC, makeNpm, makeTypeScript } from './programs.ts';

export interface Sizes {
  /** Files of 4 KiB a small-file row works on. */
  readonly small: number;
  /** Passes of the rows that repeat. */
  readonly passes: number;
  /** Bytes of the sequential rows. */
  readonly stream: number;
  /** Files of the tree that is unpacked, copied, looked through and deleted. */
  readonly tree: number;
  /** Bytes of each of the eight large files that are copied. */
  readonly large: number;
  /** Files the daemon's memory is measured after. */
  readonly many: number;
  /** Files and commits of the git repository. */
  readonly git: { readonly files: number; readonly commits: number };
  /** Sources of the C and of the TypeScript program. */
  readonly objects: number;
  /** Packages that npm installs, of fifty files each. */
  readonly packages: number;
  readonly pairs: number;
}

export const FULL: Sizes = {
  small: 2000,
  passes: 20,
  stream: 1 << 30,
  tree: 5000,
  large: 32 << 20,
  many: 200_000,
  git: { files: 3000, commits: 400 },
  objects: 120,
  packages: 40,
  pairs: 3,
};

export const QUICK: Sizes = {
  small: 200,
  passes: 5,
  stream: 32 << 20,
  tree: 500,
  large: 1 << 20,
  many: 2000,
  git: { files: 200, commits: 40 },
  objects: 10,
  packages: 3,
  pairs: 1,
};

type Maker = (base: string, sizes: Sizes) => void | Promise<void>;

const PARTS = {
  keep: (base, sizes) => makeSmall(join(base, 'keep'), sizes),
  append: eachRound('append', makeSmall),
  rename: eachRound('rename', makeSmall),
  unlink: eachRound('unlink', makeSmall),
  touch: eachRound('touch', makeSmall),
  stream: async (base, { stream }) => {
    await succeed(['dd', 'if=/dev/urandom', `of=${base}/stream`, 'bs=1M', `count=${stream >> 20}`, 'status=none']);
  },
  tree: (base, sizes) => makeTree(join(base, 'tree'), sizes),
  gone: eachRound('gone', makeTree),
  archive: async (base, sizes) => {
    makeTree(join(base, 'packed'), sizes);
    await succeed(['tar', 'cf', join(base, 'archive.tar'), '-C', join(base, 'packed'), '.']);
    await succeed(['rm', '-rf', join(base, 'packed')]);
  },
  large: (base, sizes) => makeLarge(join(base, 'large'), sizes),
  git: makeGit,
  c: (base, { objects }) => makeC(join(base, 'c'), objects),
  typescript: (base, { objects }) => makeTypeScript(join(base, 'ts'), objects),
  npm: (base, { packages }) => makeNpm(join(base, 'npm'), packages),
} satisfies Readonly<Record<string, Maker>>;

export type Part = keyof typeof PARTS;

/** Makes these parts of the tree in `base`. */
export async function makeBaseTree(base: string, sizes: Sizes, parts: ReadonlySet<Part>): Promise<void> {
  mkdirSync(base);
  for (const part of parts) await PARTS[part](base, sizes);
}

/** A tree of `count` empty files, 1,000 a directory. */
export function makeMany(dir: string, count: number): void {
  for (let i = 0; i < count; i += 1000) fill(join(dir, `m${i / 1000}`), Math.min(1000, count - i), Buffer.alloc(0));
}

function eachRound(name: string, make: Maker): Maker {
  return async (base, sizes) => {
    for (let i = 0; i < sizes.pairs; i++) await make(join(base, `${name}${i}`), sizes);
  };
}

function makeSmall(dir: string, { small }: Sizes): void {
  fill(dir, small, Buffer.alloc(4096, 'base '));
}

function fill(dir: string, count: number, content: Buffer): void {
  mkdirSync(dir, { recursive: true });
  for (let i = 0; i < count; i++) writeFileSync(join(dir, `f${String(i).padStart(5, '0')}`), content);
}

function makeTree(root: string, { tree }: Sizes): void {
  const random = new Random(1);
  const text = random.text(16_384);
  for (let i = 0; i < tree; i++) {
    const dir = join(root, `a${i % 10}`, `b${Math.floor(i / 10) % 10}`);
    if (i < 100) mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, `file${i}.txt`), text.slice(0, 200 + random.below(8000)));
  }
}

function makeLarge(dir: string, { large }: Sizes): void {
  mkdirSync(dir);
  for (let i = 0; i < 8; i++) writeFileSync(join(dir, `f${i}`), Buffer.alloc(large, `large ${i} `));
}

async function makeGit(base: string, { git }: Sizes): Promise<void> {
  const origin = join(base, 'origin.git');
  await makeGitFixture(origin, git);
  await succeed(['git', 'clone', '-q', origin, join(base, 'repo')]);
  await succeed(['git', '-C', join(base, 'repo'), 'checkout', '-q', 'topic']);
  await succeed(['git', '-C', join(base, 'repo'), 'checkout', '-q', 'main']);
}
