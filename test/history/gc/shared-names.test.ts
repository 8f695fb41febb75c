/** Names in the backups of files that the base has, too: when gc takes them away, what is staged of the files has not changed outside. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { checkBase } from '../../../src/history/commit/conflict/check.ts';
import { NamesGone } from '../../../src/history/commit/conflict/names-gone.ts';
import { OwnChanges } from '../../../src/history/commit/conflict/own-changes.ts';
import { Facts } from '../../../src/history/diff/facts.ts';
import { type NamesGoing, unlinkShared } from '../../../src/history/gc/shared-names.ts';
import { type StagedProject, withProject } from '../projects/staged-project.ts';

const FILES = { f: 'f', 'd/g': 'g', 'd/in/h': 'h', 'odd\n': 'odd', plain: 'p' };

/** As a commit leaves it that took a name from each file but `plain`, from one of them two. */
function backups(p: StagedProject): string {
  const kept = `${p.top}/commits/gone-1/kept`;
  fs.mkdirSync(`${kept}/2`, { recursive: true });
  p.native((dir) => {
    for (const name of ['f', 'd/g', 'd/in/h']) fs.linkSync(`${dir}/${name}`, `${kept}/2/${name.slice(-1)}`);
    fs.linkSync(`${dir}/odd\n`, `${kept}/1`);
    fs.linkSync(`${dir}/odd\n`, `${kept}/3`);
    fs.writeFileSync(`${kept}/only`, 'no other name');
    fs.linkSync(`${kept}/only`, `${kept}/only too`);
  });
  return `${p.top}/commits`;
}

/** A change of each kind: content, attributes, a deletion, a move, and a deletion of a whole directory. */
function stage(p: StagedProject): void {
  p.append('f', '+').chmod('odd\n', 0o600).rmTree('d').append('plain', '+');
}

function conflicts(p: StagedProject, ownChanges: OwnChanges): string[] {
  p.view.base.shed();
  const { tree, base, store } = p.view;
  const found = checkBase({ tree, facts: new Facts(base, store), ownChanges }).conflicts;
  return found.map(({ path }) => path.slice(p.view.dir.length + 1));
}

/** `history`: nothing but the base is kept, or something. */
function told(
  p: StagedProject,
  ownChanges: OwnChanges,
  history = { isUnmarked: false, changedSinceMarker: true },
): NamesGoing {
  const names = new NamesGone({ tree: p.view.tree, base: p.view.base, ownChanges, history });
  return { begin: async (prints) => names.begin(prints), done: async (touched) => names.done(touched) };
}

async function unlink(directory: string, going: NamesGoing): Promise<void> {
  const handle = await fs.promises.open(directory);
  await unlinkShared(handle.fd, ['gone-1'], going).finally(() => handle.close());
}

test('unlinkShared() takes away what has other names, and it is no conflict, in this process or the next', () =>
  withProject(FILES, async (p) => {
    const directory = backups(p);
    stage(p);
    await unlink(directory, told(p, p.ownChanges));
    // Of what has no name but in the backups, one stays for who removes the directory.
    const left = fs.readdirSync(`${directory}/gone-1/kept`).map((name) => name.replace('only too', 'only'));
    assert.deepEqual(left.sort(), ['2', 'only']);
    assert.equal(fs.statSync(`${p.view.dir}/f`).nlink, 1);
    for (const ownChanges of [p.ownChanges, new OwnChanges(`${p.view.dir}-touches`)]) {
      assert.equal(ownChanges.isPending, false);
      assert.deepEqual(conflicts(p, ownChanges), []);
    }
    // Without that note all of them would be.
    assert.deepEqual(conflicts(p, new OwnChanges(`${p.view.dir}-none`)), ['d', 'f', 'odd\n']);
    p.native((dir) => fs.appendFileSync(`${dir}/f`, 'theirs'));
    assert.deepEqual(conflicts(p, p.ownChanges), ['f']);
  }));

test('unlinkShared() that is killed before it has told: what is staged of the files is found in the base again', () =>
  withProject(FILES, async (p) => {
    const directory = backups(p);
    p.append('f', '+').chmod('odd\n', 0o600).append('plain', '+');
    const going = told(p, p.ownChanges);
    await assert.rejects(unlink(directory, { ...going, done: () => Promise.reject(new Error('killed')) }), /killed/);
    const next = new OwnChanges(`${p.view.dir}-touches`);
    assert.equal(next.isPending, true);
    p.view.base.shed();
    next.finalise(p.view.base);
    assert.deepEqual(conflicts(p, next), []);
  }));

test('what is overridden after we have touched it is no conflict either', () =>
  withProject(FILES, async (p) => {
    const directory = backups(p);
    p.append('f', '+');
    await unlink(directory, told(p, p.ownChanges));
    p.view.base.shed();
    stage(p);
    assert.deepEqual(conflicts(p, p.ownChanges), []);
  }));

test('where nothing is staged and no generation kept, nothing is noted', () =>
  withProject(FILES, async (p) => {
    const directory = backups(p);
    await unlink(directory, told(p, p.ownChanges, { isUnmarked: true, changedSinceMarker: false }));
    assert.equal(p.ownChanges.isEmpty, true);
    assert.equal(fs.existsSync(`${p.view.dir}-touches`), false);
  }));
