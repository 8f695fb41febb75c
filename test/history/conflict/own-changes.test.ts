/** Files that a commit of ours has touched and put back look as they did before, to us and to nobody else. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { OwnChanges } from '../../../src/history/commit/conflict/own-changes.ts';
import { type Fingerprint, fingerprintOf } from '../../../src/staging/inode.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { type StagedProject, withProject } from '../projects/staged-project.ts';

const fileOf = (p: StagedProject): string => `${p.view.dir}-own`;

function printOf(p: StagedProject, path: BytePath): Fingerprint {
  p.view.base.shed();
  const stat = p.view.base.statPath(path);
  assert.ok(typeof stat === 'object');
  return fingerprintOf(stat);
}

/** What moving it away and back does. */
function touch(p: StagedProject, name: string): void {
  p.native((dir) => fs.renameSync(`${dir}/${name}`, `${dir}/x`));
  p.native((dir) => fs.renameSync(`${dir}/x`, `${dir}/${name}`));
}

test('before() gives back what a file was, over several commits and a restart', () =>
  withProject({ f: 'x', 'odd\n\t-': 'y' }, (p) => {
    const [f, odd] = [p.at('f'), p.at('odd\n\t-')];
    const [first, other] = [printOf(p, f), printOf(p, odd)];
    const ownChanges = new OwnChanges(fileOf(p));
    for (let round = 0; round < 3; round++) {
      ownChanges.begin([
        { path: f, print: printOf(p, f) },
        { path: odd, print: printOf(p, odd) },
      ]);
      assert.equal(ownChanges.isPending, true);
      touch(p, 'f');
      if (round === 1) touch(p, 'odd\n\t-');
      // The process that began it may be gone.
      if (round === 2) new OwnChanges(fileOf(p)).finalise(p.view.base);
      else ownChanges.finalise(p.view.base);
    }
    const again = new OwnChanges(fileOf(p));
    assert.equal(again.isPending, false);
    assert.notDeepEqual(printOf(p, f), first);
    assert.deepEqual(again.before(printOf(p, f)), first);
    assert.deepEqual(again.before(printOf(p, odd)), other);
    assert.deepEqual(again.before({ ...other, ino: 1 }), { ...other, ino: 1 });
    again.done();
    assert.equal(fs.existsSync(fileOf(p)), false);
  }));

test('before() knows nothing of what somebody else changed, before it was settled or after', () =>
  withProject({ f: 'x', g: 'y' }, (p) => {
    const ownChanges = new OwnChanges(fileOf(p));
    ownChanges.begin(['f', 'g'].map((name) => ({ path: p.at(name), print: printOf(p, p.at(name)) })));
    for (const name of ['f', 'g']) touch(p, name);
    p.native((dir) => fs.writeFileSync(`${dir}/f`, 'z'));
    ownChanges.finalise(p.view.base);
    p.native((dir) => fs.appendFileSync(`${dir}/g`, 'z'));
    for (const name of ['f', 'g']) assert.deepEqual(ownChanges.before(printOf(p, p.at(name))), printOf(p, p.at(name)));
  }));

test('donePart() keeps what earlier commits have touched', () =>
  withProject({ f: 'x', g: 'y' }, (p) => {
    const first = printOf(p, p.at('f'));
    const ownChanges = new OwnChanges(fileOf(p));
    ownChanges.begin([{ path: p.at('f'), print: first }]);
    touch(p, 'f');
    ownChanges.finalise(p.view.base);
    ownChanges.begin([{ path: p.at('g'), print: printOf(p, p.at('g')) }]);
    ownChanges.donePart(p.view.base);
    assert.equal(ownChanges.isPending, false);
    assert.deepEqual(ownChanges.before(printOf(p, p.at('f'))), first);
    assert.equal(fs.readFileSync(fileOf(p), 'utf8').split('\n').length, 2);
  }));

test('a file that was cut off while it was written is read as far as it goes', () =>
  withProject({ f: 'x', g: 'y' }, (p) => {
    const ownChanges = new OwnChanges(fileOf(p));
    ownChanges.begin(['f', 'g'].map((name) => ({ path: p.at(name), print: printOf(p, p.at(name)) })));
    const whole = fs.readFileSync(fileOf(p), 'utf8');
    for (let length = 0; length < whole.length; length++) {
      fs.writeFileSync(fileOf(p), whole.slice(0, length));
      const cut = new OwnChanges(fileOf(p));
      assert.equal(cut.isPending, length >= whole.indexOf('\n'), String(length));
    }
  }));
