/**
 * A git repository with some history, the same on every machine: fixed authors, dates and content. It is written with
 * `git fast-import`, so that hundreds of commits take a fraction of a second.
 */
import assert from 'node:assert/strict';
import { Random } from '../random/random.ts';
import { exec, succeed } from './exec.ts';

export interface GitFixture {
  readonly commits: number;
  readonly files: number;
}

/** Who commits, and when, in every git command of a test; packs do not depend on the number of processors. */
export const GIT_ENV: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ann Author',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_AUTHOR_DATE: '2024-02-03T04:05:06Z',
  GIT_COMMITTER_NAME: 'Carl Committer',
  GIT_COMMITTER_EMAIL: 'carl@example.org',
  GIT_COMMITTER_DATE: '2024-02-03T04:05:07Z',
  GIT_CONFIG_COUNT: '5',
  GIT_CONFIG_KEY_0: 'pack.threads',
  GIT_CONFIG_VALUE_0: '1',
  GIT_CONFIG_KEY_1: 'init.defaultBranch',
  GIT_CONFIG_VALUE_1: 'main',
  GIT_CONFIG_KEY_2: 'gc.auto',
  GIT_CONFIG_VALUE_2: '0',
  GIT_CONFIG_KEY_3: 'advice.detachedHead',
  GIT_CONFIG_VALUE_3: 'false',
  GIT_CONFIG_KEY_4: 'safe.directory',
  GIT_CONFIG_VALUE_4: '*',
};

/** Makes a bare repository at `path` with the branches `main` and `topic`, which has forked off half way. */
export async function makeGitFixture(path: string, size: GitFixture): Promise<void> {
  await succeed(['git', 'init', '-q', '--bare', path], { env: GIT_ENV });
  const imported = await exec(['git', '-C', path, 'fast-import', '--quiet'], { env: GIT_ENV, input: history(size) });
  assert.equal(imported.code, 0, imported.stderr);
  // A silent fall-back to a toy has misled others: count before anything relies on it.
  const listed = await succeed(['git', '-C', path, 'ls-tree', '-r', '--name-only', 'main'], { env: GIT_ENV });
  assert.ok(listed.split('\n').length > size.files * 0.9, `the fixture has only ${listed.split('\n').length} files`);
}

/** A fast-import stream: all files in the first commit, then edits, renames, deletions, modes and symlinks. */
function history(size: GitFixture): string {
  const random = new Random(7);
  const paths = Array.from({ length: size.files }, (_, i) => `dir${i % 17}/sub${i % 5}/file${i}.txt`);
  const stream: string[] = [];
  const commit = (branch: string, n: number, changes: readonly string[], from?: string): void => {
    const date = `Ann <ann@example.org> ${1_600_000_000 + n * 600} +0000`;
    stream.push(`commit refs/heads/${branch}`, `mark :${n + 1}`, `author ${date}`, `committer ${date}`);
    stream.push(
      data(`Change ${n}\n\n${random.text(60)}`),
      ...(from === undefined ? [] : [`from ${from}`]),
      ...changes,
      '',
    );
  };
  const write = (path: string, bytes: number): string => `M 100644 inline ${path}\n${data(random.text(bytes))}`;
  commit('main', 0, [
    ...paths.map((path) => write(path, 200 + random.below(3000))),
    `M 100755 inline run.sh\n${data('#!/bin/sh\necho hello\n')}`,
    `M 120000 inline current\n${data('dir1/sub1')}`,
    `M 100644 inline .gitignore\n${data('*.o\n/build/\n')}`,
  ]);
  const half = Math.floor(size.commits / 2);
  for (let n = 1; n < size.commits; n++) {
    const onTopic = n > half && n % 4 === 0;
    const first = n > half && n <= half + 4 && onTopic;
    commit(
      onTopic ? 'topic' : 'main',
      n,
      changes(random, paths, { n, onTopic, write }),
      first ? `:${half + 1}` : undefined,
    );
  }
  return `${stream.join('\n')}\n`;
}

interface Step {
  readonly n: number;
  readonly onTopic: boolean;
  readonly write: (path: string, bytes: number) => string;
}

/** The topic branch touches its own files, so that it can be rebased without conflicts. */
function changes(random: Random, paths: string[], { n, onTopic, write }: Step): string[] {
  if (onTopic) return [write(`topic/t${n}.txt`, 400), write(`topic/common.txt`, 900)];
  const edits = [write(random.pick(paths), 1500), write(`new/n${n}.txt`, 300)];
  if (n % 10 !== 0) return edits;
  const at = random.below(paths.length);
  const from = paths[at] ?? '';
  paths[at] = `moved/m${n}.txt`;
  return [...edits.filter((edit) => !edit.includes(` ${from}\n`)), `R ${from} ${paths[at]}`];
}

function data(content: string): string {
  return `data ${Buffer.byteLength(content)}\n${content}`;
}
