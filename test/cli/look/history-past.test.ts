/**
 * Ranges across commits and an undo. The judge: every state is copied out of the view when it is there, and `git apply`
 * of `diff A..B` makes of the copy of A what the copy of B is, whatever lies between, forward and back.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exec } from '../../support/exec.ts';
import { has } from '../../support/need.ts';
import { assertRefused } from '../../support/refusal.ts';
import { type Session, session } from '../../support/session.ts';
import { readTree } from '../../support/tree.ts';

class Copies {
  readonly #session: Session;
  readonly #dir: string;
  readonly generations: number[] = [];

  constructor(s: Session) {
    this.#session = s;
    this.#dir = join(s.root, 'copies');
    mkdirSync(this.#dir);
  }

  /** Runs a script in the view, and keeps what the view shows at its snapshot. */
  async step(script: string): Promise<void> {
    await this.#session.sh(script);
    const log = JSON.parse(await this.#session.succeed(['log', '--json'])) as { generation: number }[];
    const generation = Math.max(...log.map((entry) => entry.generation));
    const argv = ['run', '--quiet', '--no-snapshot', '-c', 'tar c --exclude=.yolofs.toml . | base64 -w0'];
    const copy = this.#at(generation);
    mkdirSync(copy);
    const archive = join(this.#dir, 'archive');
    writeFileSync(archive, Buffer.from(await this.#session.succeed(argv), 'base64'));
    assert.equal((await exec(['tar', 'xf', archive, '-C', copy])).code, 0);
    this.generations.push(generation);
  }

  async compare(from: number, to: number): Promise<void> {
    const range = `${from}..${to}`;
    const [work, patch] = [join(this.#dir, 'work'), join(this.#dir, 'patch')];
    cpSync(this.#at(from), work, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    const diff = await this.#session.succeed(['diff', range]);
    writeFileSync(patch, diff);
    if (diff !== '') {
      const applied = await exec(['git', 'apply', '--whitespace=nowarn', patch], { cwd: work });
      assert.equal(applied.code, 0, `${range}: ${applied.stderr}\n${diff}`);
    }
    assert.deepEqual(filesOf(work), filesOf(this.#at(to)), `${range}\n${diff}`);
    rmSync(work, { recursive: true });
  }

  #at(generation: number): string {
    return join(this.#dir, String(generation));
  }
}

/** What git knows: files and symlinks. */
function filesOf(dir: string): string[] {
  return readTree(dir)
    .filter(({ type }) => type !== 'directory')
    .map(({ path, mode, sha256, target }) => `${path} ${(mode ?? 0) & 0o100} ${sha256 ?? target}`);
}

test('diff A..B leads from A to B across commits and an undo, forward and back', async (t) => {
  has(t, ['git', 'tar', 'base64']);
  const s = await session(t);
  const copies = new Copies(s);
  await copies.step(
    'echo changed > hello.txt; echo more >> subdir/deep.txt; rm multi.txt; mkdir new; echo n > new/file',
  );
  await copies.step('mv subdir moved; ln -s file new/link; chmod 700 test.sh; echo second >> new/file');
  await s.commit();
  await copies.step('echo again > hello.txt; mv moved back; mv new/file new/other; echo more >> test.sh');
  await copies.step('rm -r back; mkdir moved; echo x > moved/deep.txt; ln hello.txt hard');
  await s.commit();
  await s.succeed(['undo']);
  await copies.step('echo odd >> hello.txt; rm hard new/link');
  const { generations } = copies;
  for (const from of generations) {
    for (const to of generations.slice(generations.indexOf(from) + 1)) await copies.compare(from, to);
  }
  const [first = 0, second = 0, third = 0, fourth = 0, last = 0] = generations;
  for (const [from, to] of [
    [second, first],
    [third, first],
    [last, second],
    [fourth, third],
    [first, first],
  ]) {
    await copies.compare(from ?? 0, to ?? 0);
  }
  const objects = await s.native(['sh', '-c', 'ls .yolofs/*/files/* | sort']);
  await s.succeed(['diff', `${first}..${last}`]);
  assert.deepEqual(await s.native(['sh', '-c', 'ls .yolofs/*/files/* | sort']), objects, 'looking copies nothing');
});

test('N8: a generation that was aborted is shown, and refused in one line once gc has dropped it', async (t) => {
  const s = await session(t);
  await s.sh('echo 1 > new');
  await s.succeed(['abort', '--yes']);
  await s.sh('echo 2 > new');
  assert.match(await s.succeed(['diff', '1']), /^\+1$/m);
  assert.match(await s.succeed(['diff', '3']), /^\+2$/m);
  await s.succeed(['gc', '--drop-abandoned', '--yes']);
  assertRefused(await s.cli(['diff', '1']), /generation 1 is no longer kept \(gc\)/);
  assert.match(await s.succeed(['audit', '1']), /^○ .* staged +new {2}\(sh -euc 'echo 1 > new'\)$/m);
});
