import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { isRoot } from '../../support/accounts.ts';
import { exec, succeed } from '../../support/exec.ts';
import { BUILT } from '../../support/session.ts';

const MAIN = [process.execPath, join(BUILT, 'test/sys/process/load-bundle-main.js')];

/** A directory with bundles in it, and a place for what is kept. */
class Place {
  readonly root = mkdtempSync('/var/tmp/yolofs-code-cache-');
  readonly state = join(this.root, 'yolofs');
  readonly code = join(this.state, 'code');

  constructor(t: TestContext) {
    t.after(() => rmSync(this.root, { recursive: true, force: true }));
    mkdirSync(this.state, { mode: 0o700 });
  }

  /** A bundle that prints the word. Those of words of one length are of one length. */
  write(name: string, word: string, more = ''): string {
    const path = join(this.root, name);
    writeFileSync(path, `const say = () => '${word}';\n${more}process.stdout.write(say() + '\\n');\n`);
    return path;
  }

  run(bundle: string, options: readonly string[] = []): Promise<string> {
    const [node = '', ...main] = MAIN;
    return succeed([node, ...options, ...main, bundle], { env: { XDG_STATE_HOME: this.root } });
  }

  kept(): string[] {
    return readdirSync(this.code).sort();
  }

  /**
   * Bundles `mine` and `other` have been run, and what was kept of the other is in the place of what was kept of mine. V8 takes it, as
   * both are of one length: whoever believes it prints the other's word.
   */
  async swap(): Promise<{ mine: string; kept: string }> {
    const [mine, other] = [this.write('mine.cjs', 'mine.'), this.write('other.cjs', 'other')];
    assert.equal(await this.run(mine), 'mine.\n');
    assert.equal(await this.run(other), 'other\n');
    const [ofMine = '', ofOther = ''] = this.kept().map((name) => join(this.code, name));
    renameSync(ofOther, ofMine);
    return { mine, kept: ofMine };
  }
}

describe('loadBundle()', () => {
  test('keeps what V8 has compiled, for this user alone, and runs that the next time', async (t) => {
    const place = new Place(t);
    const { mine, kept } = await place.swap();
    assert.equal(await place.run(mine), 'other\n');
    assert.equal(statSync(kept).mode & 0o777, 0o600);
    assert.equal(statSync(place.code).mode & 0o777, 0o700);
  });

  test('what was kept of a bundle that was changed since, or of another in its place, does not count', async (t) => {
    const place = new Place(t);
    const bundle = place.write('one.cjs', 'first');
    assert.equal(await place.run(bundle), 'first\n');
    place.write('one.cjs', 'again');
    assert.equal(await place.run(bundle), 'again\n');
    renameSync(place.write('two.cjs', 'third'), bundle);
    assert.equal(await place.run(bundle), 'third\n');
  });

  test('a file that others can read, write or own, or a link to one, does not count', async (t) => {
    const place = new Place(t);
    const { mine, kept } = await place.swap();
    const aside = join(place.root, 'aside');
    copyFileSync(kept, aside);
    for (const mode of [0o640, 0o604, 0o620]) {
      chmodSync(kept, mode);
      assert.equal(await place.run(mine), 'mine.\n', `mode ${mode.toString(8)}`);
      // It was kept anew, in the place of the other.
      assert.equal(statSync(kept).mode & 0o777, 0o600);
      copyFileSync(aside, kept);
    }
    assert.equal(await place.run(mine), 'other\n');
    rmSync(kept);
    symlinkSync(aside, kept);
    assert.equal(await place.run(mine), 'mine.\n');
    if (!isRoot) return;
    copyFileSync(aside, kept);
    chownSync(kept, 65534, 65534);
    assert.equal(await place.run(mine), 'mine.\n');
  });

  test('a file that a disk has damaged or cut anywhere does not count, and is kept anew', async (t) => {
    const place = new Place(t);
    const { mine, kept } = await place.swap();
    const whole = readFileSync(kept);
    const flipped = [0, 17, 40, whole.length >> 1, whole.length - 5, whole.length - 1].map((at) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      return bytes;
    });
    const cut = [0, 3, 4, 24, whole.length - 1].map((length) => whole.subarray(0, length));
    for (const [i, bytes] of [...flipped, ...cut].entries()) {
      writeFileSync(kept, bytes);
      assert.equal(await place.run(mine), 'mine.\n', `${i}`);
      assert.notDeepEqual(readFileSync(kept), bytes);
    }
    writeFileSync(kept, whole);
    assert.equal(await place.run(mine), 'other\n');
  });

  test('nothing is kept or believed in a directory that others can enter, or that is a link', async (t) => {
    for (const which of ['state', 'code'] as const) {
      const place = new Place(t);
      const { mine } = await place.swap();
      const before = place.kept();
      chmodSync(place[which], 0o750);
      assert.equal(await place.run(mine), 'mine.\n', which);
      assert.equal(await place.run(place.write('new.cjs', 'fresh')), 'fresh\n');
      assert.deepEqual(place.kept(), before);
      chmodSync(place[which], 0o700);
      renameSync(place[which], join(place.root, 'moved'));
      symlinkSync(join(place.root, 'moved'), place[which]);
      assert.equal(await place.run(mine), 'mine.\n', which);
      assert.deepEqual(place.kept(), before);
    }
  });

  test('what was made with other options of V8, also such as were set meanwhile, is kept apart or not at all', async (t) => {
    const place = new Place(t);
    const bundle = place.write('one.cjs', 'first');
    await place.run(bundle);
    const [plain] = place.kept();
    await place.run(bundle, ['--no-opt']);
    assert.equal(place.kept().length, 2);
    assert.ok(place.kept().includes(plain ?? ''));
    const sets = place.write('two.cjs', 'later', "require('node:v8').setFlagsFromString('--no-opt');\n");
    assert.equal(await place.run(sets), 'later\n');
    assert.equal(place.kept().length, 2);
  });

  test('runs as a module of Node does: its own path, require(), an error with its code', async (t) => {
    const place = new Place(t);
    place.write('beside.cjs', 'beside');
    const bundle = join(place.root, 'all.cjs');
    writeFileSync(bundle, "require('./beside.cjs');\nconsole.log(__filename, __dirname, typeof module.exports);\n");
    for (const time of ['first', 'second'])
      assert.equal(await place.run(bundle), `beside\n${bundle} ${place.root} object\n`, time);
    writeFileSync(bundle, "require('./missing.cjs');");
    const failed = await exec([...MAIN, bundle], { env: { XDG_STATE_HOME: place.root } });
    assert.match(failed.stderr, /code: 'MODULE_NOT_FOUND'/);
    assert.match((await exec([...MAIN, join(place.root, 'none.cjs')])).stderr, /code: 'ENOENT'/);
  });

  test('where there is no directory of yolofs’s none is made; of what is kept the oldest go', async (t) => {
    const place = new Place(t);
    const bundle = place.write('one.cjs', 'first');
    rmSync(place.state, { recursive: true });
    assert.equal(await place.run(bundle), 'first\n');
    assert.deepEqual(readdirSync(place.root), ['one.cjs']);
    mkdirSync(place.code, { recursive: true, mode: 0o700 });
    chmodSync(place.state, 0o700);
    for (let n = 10; n < 30; n += 1) {
      writeFileSync(join(place.code, `old-${n}`), '');
      utimesSync(join(place.code, `old-${n}`), n, n);
    }
    await place.run(bundle);
    const kept = place.kept().map((name) => name.replace(/^one\.cjs-.*/, 'one.cjs'));
    assert.equal(kept.length, 12);
    assert.deepEqual([kept[0], ...kept.slice(-2)], ['old-19', 'old-29', 'one.cjs']);
  });
});
