/** What somebody changes in the base while the view is in use is shown by every name, and nobody writes over it. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { ConflictError } from '../../../src/history/commit/conflict/conflict.ts';
import { ENODATA } from '../../../src/sys/errno.ts';
import { CALLER } from '../history/kernel.ts';
import { Used } from './used.ts';

test('a directory that is moved away outside, and made anew, is the new one (its subdirectories were the old ones)', (t) => {
  const used = new Used(t, { 'a/sub/x': 'old', 'a/sub/gone': 'old' });
  assert.deepEqual(used.see('a/sub/x', 'a/sub/gone', 'a/sub/new'), ['old', 'old', undefined]);
  used.outside((dir) => {
    fs.renameSync(`${dir}/a`, `${dir}/b`);
    used.put('a/sub/x', 'made anew');
    used.put('a/sub/new', 'new');
  });
  const all = ['a/sub/x', 'a/sub/gone', 'a/sub/new', 'b/sub/x'];
  assert.deepEqual(used.see(...all), ['made anew', undefined, 'new', 'old']);
  used.outside((dir) => {
    fs.writeFileSync(`${dir}/a/sub/x`, 'again');
    fs.writeFileSync(`${dir}/b/sub/x`, 'moved');
  });
  assert.deepEqual(used.see(...all), ['again', undefined, 'new', 'moved']);
});

test('a directory that is removed outside, and made anew, is the new one (it was found empty, or not at all)', (t) => {
  const used = new Used(t, { 'a/sub/x': 'old', 'a/y': 'old' });
  assert.deepEqual(used.see('a/sub/x', 'a/y', 'a/new'), ['old', 'old', undefined]);
  for (const text of ['new', 'newer still']) {
    used.outside((dir) => {
      fs.rmSync(`${dir}/a`, { recursive: true });
      used.put('a/sub/x', text);
      used.put('a/new', text);
    });
    assert.deepEqual(used.see('a/sub/x', 'a/y', 'a/new'), [text, undefined, text]);
  }
  used.outside((dir) => fs.appendFileSync(`${dir}/a/sub/x`, ', changed'));
  assert.deepEqual(used.see('a/sub/x'), ['newer still, changed']);
});

test('what is done outside in a new directory before its commit is through is shown (nobody was told of it)', async (t) => {
  const used = new Used(t, { 'old/f': 'moves', 'old/sub/f': 'moves' });
  const all = ['n/edited', 'n/kept', 'n/gone', 'n/added', 'n/sub/f', 'old/f', 'moved/f', 'moved/sub/f'];
  used.makeDirectory('n');
  used.makeDirectory('n/sub');
  for (const name of ['n/edited', 'n/kept', 'n/gone', 'n/sub/f']) used.make(name, 'staged');
  used.kernel.rename('old', 'moved', 0);
  assert.deepEqual(used.see(...all), [
    ...['staged', 'staged', 'staged', undefined, 'staged'],
    undefined,
    'moves',
    'moves',
  ]);
  const kept = used.kernel.node('n/kept');
  await used.commitWhile((dir) => {
    fs.writeFileSync(`${dir}/n/edited`, 'edited outside');
    fs.writeFileSync(`${dir}/n/added`, 'added outside');
    fs.writeFileSync(`${dir}/n/sub/f`, 'edited below');
    fs.writeFileSync(`${dir}/moved/sub/f`, 'edited, too');
    fs.rmSync(`${dir}/n/gone`);
  });
  const expected = [
    'edited outside',
    'staged',
    undefined,
    'added outside',
    'edited below',
    undefined,
    'moves',
    'edited, too',
  ];
  assert.deepEqual(used.see(...all), expected);
  assert.equal(used.kernel.node('n/kept'), kept, 'what nobody touched is the node that it was');
});

test('a name that is replaced outside leaves the file its others (they showed the new one, and writes were lost)', async (t) => {
  const used = new Used(t, { 'd/f': 'first', 'e/o': '' }, [
    ['d/f', 'd/l'],
    ['d/f', 'e/m'],
  ]);
  assert.deepEqual(used.see('d/f', 'd/l', 'e/m'), ['first', 'first', 'first']);
  used.outside((dir) => {
    used.put('d/.new', 'replaced outside');
    fs.renameSync(`${dir}/d/.new`, `${dir}/d/f`);
  });
  used.append('d/l', ' and more');
  assert.deepEqual(used.see('d/f', 'd/l', 'e/m'), ['replaced outside', 'first and more', 'first and more']);
  await used.commit();
  assert.deepEqual(used.has('d/f', 'd/l', 'e/m'), ['replaced outside', 'first and more', 'first and more']);
});

test('a file with several names that is written to outside is that by all of them (a commit wrote over it)', async (t) => {
  const used = new Used(t, { 'd/f': 'first', 'e/o': '' }, [
    ['d/f', 'd/l'],
    ['d/f', 'e/m'],
  ]);
  used.see('d/f', 'd/l', 'e/m');
  used.outside((dir) => fs.appendFileSync(`${dir}/d/f`, ' outside'));
  used.append('e/m', ' inside');
  const both = 'first outside inside';
  assert.deepEqual(used.see('d/f', 'd/l', 'e/m'), [both, both, both]);
  await used.commit();
  assert.deepEqual(used.has('d/f', 'd/l', 'e/m'), [both, both, both]);
});

for (const part of [[], ['b', 'new']]) {
  const what = part.length === 0 ? 'a commit' : 'a commit of paths';
  test(`what ${what} has made or moved shows what is changed in it outside (for a day it did not)`, async (t) => {
    const used = new Used(t, { 'a/sub/x': 'x', 'a/y': 'y' });
    used.see('a/sub/x', 'a/y');
    used.kernel.rename('a', 'b', 0);
    used.makeDirectory('new');
    used.make('new/f', 'f');
    used.make('other', 'o');
    const all = ['b/sub/x', 'b/y', 'new/f', 'new/none'];
    assert.deepEqual(used.see(...all), ['x', 'y', 'f', undefined]);
    await used.commit(...part);
    assert.deepEqual(used.see(...all), ['x', 'y', 'f', undefined]);
    used.outside(() => {
      for (const path of all) used.put(path, `${path}, changed`);
    });
    assert.deepEqual(
      used.see(...all),
      all.map((path) => `${path}, changed`),
    );
    used.append('new/f', ', twice');
    await used.commit();
    assert.deepEqual(used.has('new/f'), ['new/f, changed, twice']);
  });
}

test('what an undo has moved back shows what is changed in it outside', async (t) => {
  const used = new Used(t, { 'a/sub/x': 'x', 'a/y': 'y' });
  used.see('a/sub/x', 'a/y');
  used.kernel.rename('a', 'b', 0);
  await used.commit();
  assert.deepEqual(used.see('b/sub/x', 'b/y'), ['x', 'y']);
  const { invalidations } = await used.live.orders.undo(() => undefined);
  used.kernel.forget([...invalidations, ...used.live.host.drainWatch()]);
  assert.deepEqual(used.see('b/sub/x', 'b/y'), ['x', 'y']);
  used.outside(() => {
    used.put('a/sub/x', 'changed');
    used.put('a/y', 'changed, too');
  });
  assert.deepEqual(used.see('b/sub/x', 'b/y'), ['changed', 'changed, too']);
});

test('a file with staged attributes, or moved, shows what is written to it outside (the old content, until asked again)', async (t) => {
  const used = new Used(t, { 'a/x': 'x', 'a/y': 'y', 'b/z': 'z' });
  assert.deepEqual(used.see('a/x', 'a/y', 'b/z'), ['x', 'y', 'z']);
  used.kernel.setattr(used.kernel.node('a/x'), { mode: 0o600 });
  used.kernel.rename('a/y', 'b/y', 0);
  assert.deepEqual(used.see('a/x', 'b/y'), ['x', 'y']);
  fs.writeFileSync(`${used.project}/a/x`, 'x, written to');
  used.put('a/.new', 'y, replaced');
  fs.renameSync(`${used.project}/a/.new`, `${used.project}/a/y`);
  used.kernel.forgetUnused(used.live.host.drainWatch());
  assert.deepEqual(used.see('a/x', 'b/y', 'a/y'), ['x, written to', 'y, replaced', undefined]);
  await assert.rejects(used.commit(), ConflictError);
});

test('a staged file whose original is removed outside takes extended attributes (it was not found)', (t) => {
  const used = new Used(t, { 'a/x': 'x' });
  used.append('a/x', ', staged');
  used.outside((dir) => fs.unlinkSync(`${dir}/a/x`));
  const node = used.kernel.node('a/x');
  assert.equal(used.live.overlay.getxattr(node, 'user.a', CALLER), ENODATA);
  assert.equal(used.live.overlay.setxattr(node, 'user.a', Buffer.from('value'), 0, CALLER), 0);
  assert.deepEqual(used.live.overlay.getxattr(node, 'user.a', CALLER), Buffer.from('value'));
  assert.deepEqual(used.see('a/x'), ['x, staged']);
});
