/**
 * What holds of every source, whatever server answers: as an adapter, and as a directory of a real view with changes on top. An
 * adapter's suite calls `conformance` with a world of its own.
 */
import assert from 'node:assert/strict';
import { test as always, describe, type TestContext } from 'node:test';
import { type Entry, maySee, type Principal, type Source } from '../../../src/sources/source.ts';
import { ENOENT } from '../../../src/sys/errno.ts';
import { has } from '../../support/need.ts';
import { type Session, session } from '../../support/session.ts';

/** A server with one source, which is empty at first. */
export interface World {
  /** What `yolofs source add docs` gets: the kind, and the options that lead to this server. */
  readonly settings: readonly string[];
  /** Before a session uses it, for a server whose place depends on who does. */
  settle?(s: Session): Promise<void>;
  /** The same server by its adapter. */
  open(): Promise<Source>;
  /** Somebody else writes a file, which these groups may see; the settings say nothing of groups unless `as` is among them. */
  put(path: string, content: string, acl: readonly string[]): Promise<void>;
  /** Somebody else removes one. */
  remove(path: string): Promise<void>;
  /** What the server has at a path, past all of ours; undefined: nothing. */
  read(path: string): Promise<string | undefined>;
  /** Who may see it, sorted, of a server that keeps that with the file; undefined: it is not there. */
  acl?(path: string): Promise<readonly string[] | undefined>;
  close(): Promise<void>;
}

const FILES: Readonly<Record<string, string>> = {
  'guide/oauth.md': '# OAuth\n\nUse the access_token.\n',
  'guide/keys.md': 'first\nsecond\n',
  'guide/deep/er/page.md': 'no newline at the end',
  'readme.md': 'Ünïcödé ☃ 😀\n',
};
const HIDDEN = 'internal/billing.md';
const PUBLIC: Principal = { groups: [] };
const never = new AbortController().signal;

type Make = (t: TestContext) => Promise<World>;

interface Server {
  /** What it needs. */
  readonly programs?: readonly string[];
  /** Whether it keeps with a file who may see it; its world says that then. */
  readonly keepsAcl?: boolean;
}

/** Tests a source; `make` starts its server for one test, which closes it. */
export function conformance(name: string, make: Make, { programs = [], keepsAcl = false }: Server = {}): void {
  const test = (title: string, run: (t: TestContext) => Promise<void>): void => {
    always(title, async (t) => {
      if (has(t, programs)) await run(t);
    });
  };
  describe(`source conformance: ${name}`, () => {
    test('the tree is what was put, and no more than may be seen', async (t) => {
      const { source } = await seeded(t, make);
      assert.deepEqual(await pathsOf(source, PUBLIC), Object.keys(FILES).sort());
      assert.deepEqual(await pathsOf(source, { groups: ['billing'] }), [...Object.keys(FILES), HIDDEN].sort());
    });

    test('contents are the bytes that were put, in the order that was asked for', async (t) => {
      const { source } = await seeded(t, make);
      const entries = (await filesOf(source, PUBLIC)).reverse();
      const reads = await source.readMany(entries, PUBLIC, never);
      const contents = reads.map((read) => ('content' in read ? Buffer.from(read.content).toString() : read));
      assert.deepEqual(
        contents,
        entries.map(({ path }) => FILES[path]),
      );
      for (const [i, read] of reads.entries()) {
        const { size, rev } = entries[i] as Entry;
        assert.ok('content' in read && read.rev === rev, 'the revision is that of the tree');
        if (size !== undefined) assert.equal(size, read.content.length);
      }
    });

    test('what was not changed is not told again, and what was is', async (t) => {
      const { source, world } = await seeded(t, make);
      const first = await source.tree(PUBLIC, undefined, never);
      assert.ok(first !== 'unchanged');
      assert.equal(await source.tree(PUBLIC, first.version, never), 'unchanged');
      await world.put('guide/keys.md', 'another\n', ['public']);
      const second = await source.tree(PUBLIC, first.version, never);
      assert.ok(second !== 'unchanged' && second.version !== first.version);
      const revs = [first, second].map(({ entries }) => entries.find(({ path }) => path === 'guide/keys.md')?.rev);
      assert.notEqual(revs[0], revs[1]);
    });

    test('what may not be seen is read by nobody, and is as missing', async (t) => {
      const { source } = await seeded(t, make);
      const hidden = (await filesOf(source, { groups: ['billing'] })).find(({ path }) => path === HIDDEN);
      assert.ok(hidden !== undefined && !maySee(PUBLIC, hidden.acl));
      const [read] = await source.readMany([hidden], PUBLIC, never);
      const [missing] = await source.readMany([{ ...hidden, path: 'internal/none.md' }], PUBLIC, never);
      assert.ok(read !== undefined && 'errno' in read && read.errno === ENOENT);
      assert.deepEqual({ ...read, cause: '' }, { ...missing, cause: '' });
    });

    test('in a view: staged, told, committed, taken back', async (t) => {
      const { world } = await seeded(t, make);
      const s = await withSource(t, world);
      const at = '/sources/docs';
      assert.equal(
        await s.sh(`cat ${at}/readme.md ${at}/guide/deep/er/page.md`),
        `${FILES['readme.md']}no newline at the end`,
      );
      assert.equal(
        await s.sh(`stat -c %s ${at}/guide/oauth.md; ls ${at}; ls ${at}/internal || true`),
        '31\nguide\nreadme.md\n',
      );
      await s.sh(
        `cd ${at}; echo more >> guide/keys.md; rm guide/oauth.md; mv readme.md start.md; echo new > guide/new.md`,
      );
      assert.equal(await world.read('guide/keys.md'), FILES['guide/keys.md']);
      const staged = await s.changeLines();
      assert.deepEqual(staged.length, 4, staged.join('; '));
      await s.commit();
      assert.equal(await world.read('guide/keys.md'), 'first\nsecond\nmore\n');
      assert.equal(await world.read('guide/oauth.md'), undefined);
      assert.equal(await world.read('start.md'), FILES['readme.md']);
      assert.equal(await world.read('readme.md'), undefined);
      assert.equal(await world.read('guide/new.md'), 'new\n');
      assert.deepEqual(await s.changes(), []);
      await s.succeed(['undo']);
      for (const path of Object.keys(FILES)) assert.equal(await world.read(path), FILES[path], path);
      assert.equal(await world.read('guide/new.md'), undefined);
      assert.equal(await s.sh(`cat ${at}/guide/keys.md`), 'first\nsecond\nmore\n');
      await s.succeed(['travel', '0']);
      assert.equal(await s.sh(`cat ${at}/guide/keys.md; ls ${at}`), 'first\nsecond\nguide\nreadme.md\n');
    });

    if (keepsAcl) {
      test('in a view: who may see a file stays with it over renames, a removal, and their undo', async (t) => {
        const { world } = await seeded(t, make);
        assert.ok(world.acl !== undefined);
        const all = ['readme.md', 'guide/deep/er/page.md', HIDDEN, 'start.md', 'guide/far/er/page.md', 'internal/b.md'];
        const acls = (): Promise<unknown[]> =>
          Promise.all([...all, 'internal/new.md'].map((path) => world.acl?.(path)));
        await world.put('internal/gone.md', 'gone\n', ['public']);
        const s = await withSource(t, world, ['billing', 'hr']);
        const before = await acls();
        assert.deepEqual(before.slice(0, 3), [['public'], ['public'], ['billing']]);
        const moves = 'mv readme.md start.md; mv guide/deep guide/far; mv internal/billing.md internal/b.md';
        await s.sh(`cd /sources/docs; ${moves}; rm internal/gone.md; echo new > internal/new.md`);
        await s.commit();
        assert.equal(await world.acl('internal/gone.md'), undefined);
        assert.deepEqual(await acls(), [
          ...[undefined, undefined, undefined],
          ...[['public'], ['public'], ['billing'], ['billing', 'hr']],
        ]);
        await s.succeed(['undo']);
        assert.deepEqual([await acls(), await world.acl('internal/gone.md')], [before, ['public']]);
        // What is new where something was removed is for those who write it.
        await s.commit();
        await s.sh('echo other > /sources/docs/internal/gone.md');
        await s.commit();
        assert.deepEqual(await world.acl('internal/gone.md'), ['billing', 'hr']);
      });
    }

    test('in a view: what somebody else has changed meanwhile is a conflict, and nothing is written', async (t) => {
      const { world } = await seeded(t, make);
      const s = await withSource(t, world);
      await s.sh('cd /sources/docs; echo mine >> guide/keys.md; echo mine > fresh.md; echo kept > ~/beside');
      // As long as it was.
      await world.put('guide/keys.md', 'FIRST\ntheirs\n', ['public']);
      const refused = await s.cli(['commit', '--yes']);
      assert.notEqual(refused.code, 0);
      assert.match(refused.stderr, /guide\/keys\.md/);
      assert.equal(await world.read('guide/keys.md'), 'FIRST\ntheirs\n');
      assert.equal(await world.read('fresh.md'), undefined);
      assert.equal(await s.sh('cat /sources/docs/guide/keys.md ~/beside'), 'first\nsecond\nmine\nkept\n');
      await s.abort();
      await s.succeed(['source', 'refresh', 'docs']);
      assert.equal(await s.sh('cat /sources/docs/guide/keys.md'), 'FIRST\ntheirs\n');
    });
  });
}

async function seeded(t: TestContext, make: Make): Promise<{ world: World; source: Source }> {
  const world = await make(t);
  t.after(() => world.close());
  for (const [path, content] of Object.entries(FILES)) await world.put(path, content, ['public']);
  await world.put(HIDDEN, 'secret\n', ['billing']);
  const source = await world.open();
  t.after(() => source.close());
  return { world, source };
}

async function withSource(t: TestContext, world: World, groups: readonly string[] = []): Promise<Session> {
  const s = await session(t);
  await world.settle?.(s);
  await s.succeed(['source', 'add', 'docs', ...world.settings, ...groups.flatMap((group) => ['--as', group])]);
  return s;
}

async function filesOf(source: Source, principal: Principal): Promise<Entry[]> {
  const listing = await source.tree(principal, undefined, never);
  assert.ok(listing !== 'unchanged');
  return listing.entries.filter(({ kind }) => kind !== 'directory');
}

async function pathsOf(source: Source, principal: Principal): Promise<string[]> {
  return (await filesOf(source, principal)).map(({ path }) => path).sort();
}
