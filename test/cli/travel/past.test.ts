/** Travel to what was before a commit: the base has changed since, and yet the view shows what it showed then. */
import assert from 'node:assert/strict';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Session, session } from '../../support/session.ts';
import type { TreeEntry } from '../../support/tree.ts';

/** Does something in the view, and remembers what it showed afterwards, by the number of its snapshot. */
class Witness {
  readonly session: Session;
  readonly #seen = new Map<number, TreeEntry[]>();

  constructor(s: Session) {
    this.session = s;
  }

  async step(script: string): Promise<number> {
    await this.session.sh(script);
    const log = JSON.parse(await this.session.succeed(['log', '--json'])) as { generation: number }[];
    const generation = Math.max(...log.map((entry) => entry.generation));
    this.#seen.set(generation, await this.session.tree({}));
    return generation;
  }

  /** Goes to every state, from the last to the first and back, and it is what it was. */
  async revisit(): Promise<void> {
    const all = [...this.#seen.keys()];
    for (const generation of [...all.reverse(), ...all]) await this.visit(generation);
  }

  async visit(generation: number): Promise<void> {
    await this.session.succeed(['travel', String(generation)]);
    assert.deepEqual(await this.session.tree({}), this.#seen.get(generation), `generation ${generation}`);
  }
}

const FIRST = `
  echo changed > hello.txt; echo more >> subdir/deep.txt; rm multi.txt; mkdir new; echo n > new/file; ln -s file new/link
  chmod 700 test.sh; mv subdir moved`;
const SECOND = `
  echo again > hello.txt; rm -r moved; mv new renamed; echo late > renamed/late; ln hello.txt hard; chmod 600 test.sh`;

describe('travel across commits', () => {
  it('shows every state before and after each of them', async (t) => {
    const s = await session(t);
    const witness = new Witness(s);
    await witness.step(FIRST);
    await witness.step('echo second >> new/file; mv hello.txt greeting; echo fresh > hello.txt');
    await s.commit();
    await witness.step(SECOND);
    await witness.step('mv renamed back; rm hard; mkdir moved; echo x > moved/deep.txt');
    await s.commit();
    await witness.step('rm -r back; echo third > third; echo odd >> greeting');
    await witness.revisit();
    await s.killDaemon();
    await witness.revisit();
  });

  it('gives what comes back from before a commit a number that no other file will have', async (t) => {
    const s = await session(t);
    const witness = new Witness(s);
    const { ino } = statSync(join(s.project, 'multi.txt'));
    const first = await witness.step('echo one > one');
    await witness.step('rm multi.txt');
    await s.commit();
    await witness.visit(first);
    const number = await s.sh('stat -c %i multi.txt');
    // It is that of the original, which is in .yolofs until gc frees it for whatever is made next.
    assert.notEqual(Number(number), ino);
    await s.sh('echo two > two');
    await s.killDaemon();
    await witness.visit(first);
    assert.equal(await s.sh('stat -c %i multi.txt'), number);
    assert.notEqual(await s.sh('echo three > three; stat -c %i three'), number);
  });

  it('shows nothing where an original was removed outside, not the file that has its name since', async (t) => {
    const s = await session(t);
    const witness = new Witness(s);
    const first = await witness.step('chmod 600 multi.txt; mv hello.txt moved; echo kept >> test.sh');
    for (const name of ['multi.txt', 'hello.txt', 'test.sh']) rmSync(join(s.project, name));
    await s.sh('for i in $(seq 60); do [ -e multi.txt ] || break; sleep 0.05; done; mkdir multi.txt; rmdir multi.txt');
    await s.sh('for name in multi.txt hello.txt; do echo new > $name; done');
    await s.succeed(['commit', '--yes', '--ours', '.']);
    for (const isRestarted of [false, true]) {
      if (isRestarted) await s.killDaemon();
      await s.succeed(['travel', String(first)]);
      assert.equal(await s.sh('ls; tail -1 test.sh'), 'subdir\ntest.sh\nkept\n');
    }
    await s.succeed(['travel', '0']);
    assert.equal(await s.sh('ls'), 'subdir\n');
  });

  it('keeps the base as it is, and what is shown can be committed', async (t) => {
    const s = await session(t);
    const witness = new Witness(s);
    const before = await s.baseTree({});
    const first = await witness.step(FIRST);
    await s.commit();
    const committed = await s.baseTree({});
    await witness.step(
      'echo again > hello.txt; rm -r moved; mv new renamed; echo late > renamed/late; chmod 600 test.sh',
    );
    await s.commit();
    const latest = await s.baseTree({});
    await witness.visit(first);
    assert.deepEqual(await s.baseTree({}), latest, 'a travel changes nothing of the base');
    await s.commit();
    assert.deepEqual(withoutTimes(await s.baseTree({})), withoutTimes(committed));
    assert.notDeepEqual(withoutTimes(committed), withoutTimes(before));
  });

  it('is not misled by what was edited outside after the commit', async (t) => {
    const s = await session(t);
    const witness = new Witness(s);
    const first = await witness.step('echo staged > hello.txt; echo made > made.txt');
    const second = await witness.step('echo later > made.txt');
    await s.commit();
    writeFileSync(join(s.project, 'hello.txt'), 'edited outside\n');
    writeFileSync(join(s.project, 'made.txt'), 'edited, too\n');
    await witness.visit(first);
    await witness.visit(second);
    assert.equal(await s.sh('cat hello.txt made.txt'), 'staged\nlater\n');
  });

  it('lets no commit write over what somebody has changed since, also after a travel to the base', async (t) => {
    const s = await session(t);
    const witness = new Witness(s);
    const first = await witness.step(
      'echo one > hello.txt; echo one > subdir/deep.txt; rm multi.txt; echo n > new.txt',
    );
    await s.succeed(['commit', '--yes', 'hello.txt', 'new.txt']);
    await witness.step('echo two > hello.txt');
    const edited = ['hello.txt', 'multi.txt', 'new.txt', 'subdir/deep.txt'];
    for (const name of edited) writeFileSync(join(s.project, name), `${name}, edited outside\n`);
    const base = await s.baseTree({});
    await s.succeed(['travel', '0']);
    await witness.visit(first);
    for (const isRestarted of [false, true]) {
      if (isRestarted) await s.killDaemon();
      const { code, stderr } = await s.cli(['commit', '--yes']);
      assert.equal(code, 1, stderr);
      for (const name of edited) assert.match(stderr, new RegExp(`${name}: .* here.*, modified outside`));
      assert.deepEqual(await s.baseTree({}), base, 'nothing was written');
    }
    await s.succeed(['commit', '--yes', '--ours', '.']);
    assert.deepEqual(await s.changeLines(), []);
  });

  it('finds its way past commits that were undone, also to the time between', async (t) => {
    const s = await session(t);
    const witness = new Witness(s);
    await witness.step(FIRST);
    await s.commit();
    await witness.step('echo between > hello.txt; rm new/link');
    await s.commit();
    await witness.step('echo between again >> hello.txt; chmod 755 test.sh');
    await s.succeed(['undo']);
    await witness.step('echo after > after');
    await s.succeed(['undo']);
    await witness.step('rm after; mv hello.txt bye.txt');
    await witness.revisit();
    await s.commit();
    await witness.revisit();
  });

  it('D7: goes back with 0 to what was before anything was committed', async (t) => {
    const s = await session(t);
    await s.sh('echo one > one');
    await s.commit();
    await s.sh('echo two > two; rm hello.txt');
    const said = await s.succeed(['travel', '0']);
    assert.equal(said, 'traveled to 0 (1 staged change); back with: yolofs travel 2\n');
    assert.equal(await s.sh('ls'), 'hello.txt\nmulti.txt\nsubdir\ntest.sh\n');
    assert.deepEqual(await s.changeLines(), ['deleted one']);
    assert.match(await s.succeed(['log']), / 3 .*travel to 0$/m);
    assert.match(await s.succeed(['log', '--json']), /"generation":3,"kind":"travel","name":"","target":0,/);
    assert.match(await s.succeed(['audit']), / travel +to 0$/m);
    await s.succeed(['travel', '2']);
    assert.deepEqual(await s.changeLines(), ['deleted hello.txt', 'added two']);
  });
});

/** A commit makes files anew, so times of directories around them differ. */
function withoutTimes(entries: readonly TreeEntry[]): unknown[] {
  return entries.map(({ mtime: _, ...entry }: TreeEntry & { mtime?: unknown }) => entry);
}
