/** What somebody changes on the host while a session is on: shown by `status` where something is staged, by the view elsewhere. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Session, session } from '../support/session.ts';

interface Marked {
  readonly path: string;
  readonly change: string;
  readonly conflict?: string;
}

async function marks(s: Session): Promise<string[]> {
  const { changes } = JSON.parse(await s.succeed(['status', '--json'])) as { changes: Marked[] };
  return changes.map(({ path, change, conflict }) => `${path.replace(`${s.project}/`, '')} ${change} ${conflict}`);
}

test('status marks at once what was changed outside, with a daemon and without', async (t) => {
  const s = await session(t);
  await s.sh('echo x >> hello.txt; rm multi.txt; mv test.sh run.sh; echo x > new; echo x >> subdir/deep.txt');
  assert.deepEqual(await marks(s), [
    'hello.txt modified undefined',
    'multi.txt deleted undefined',
    'new added undefined',
    'run.sh renamed undefined',
    'subdir/deep.txt modified undefined',
  ]);
  fs.appendFileSync(join(s.project, 'hello.txt'), 'outside\n');
  fs.rmSync(join(s.project, 'multi.txt'));
  fs.symlinkSync('hello.txt', join(s.project, 'multi.txt'));
  fs.appendFileSync(join(s.project, 'test.sh'), 'exit\n');
  fs.writeFileSync(join(s.project, 'new'), '');
  fs.rmSync(join(s.project, 'subdir/deep.txt'));
  const expected = [
    'hello.txt modified modified',
    'multi.txt deleted replaced',
    'new modified appeared',
    'run.sh renamed modified',
    'subdir/deep.txt modified deleted',
  ];
  assert.deepEqual(await marks(s), expected);
  const text = await s.succeed(['status']);
  assert.equal(text.match(/ \(changed outside\)$/gm)?.length, 5, text);
  assert.match(text, /^5 of them changed outside, too: /m);
  await s.succeed(['stop']);
  assert.deepEqual(await marks(s), expected);
});

test('status marks what was changed outside after an undo, and after a travel to before a commit, too', async (t) => {
  const s = await session(t);
  await s.sh('mv subdir moved; mkdir d; echo 1 > d/f');
  await s.commit();
  await s.sh(
    'echo x >> hello.txt; rm multi.txt; mv test.sh run.sh; echo x > new; echo x >> moved/deep.txt; echo 2 > d/f',
  );
  await s.succeed(['commit', '--yes', 'd']);
  for (const name of ['hello.txt', 'multi.txt', 'test.sh', 'new', 'moved/deep.txt'])
    fs.appendFileSync(join(s.project, name), 'outside\n');
  const others = ['multi.txt deleted modified', 'new modified appeared', 'run.sh renamed modified'];
  const expected = ['hello.txt modified modified', 'moved/deep.txt modified modified', ...others];
  assert.deepEqual(await marks(s), expected);
  await s.succeed(['undo']);
  assert.deepEqual(await marks(s), ['d/f modified undefined', ...expected], 'after an undo');
  await s.succeed(['undo']);
  const undone = ['d added undefined', 'd/f added undefined', 'hello.txt modified modified', 'moved renamed undefined'];
  const both = [...undone, 'moved/deep.txt modified modified', ...others];
  assert.deepEqual(await marks(s), both, 'after an undo that moves the directory back');
  await s.succeed(['stop']);
  assert.deepEqual(await marks(s), both, 'without a daemon');
  await s.succeed(['travel', '2']);
  assert.deepEqual(await marks(s), both, 'after a travel');
  assert.match((await s.cli(['commit', '--yes'])).stderr, /^yolofs: commit: 5 conflicts, nothing was written$/m);
});

test('status marks what commit would name, also in a directory that moved and where nothing differs', async (t) => {
  const s = await session(t);
  await s.sh('echo x > subdir/more');
  await s.commit();
  await s.sh('mkdir both; mv subdir moved; rm moved/deep.txt; mv moved/more out');
  for (const name of ['subdir/deep.txt', 'subdir/more']) fs.appendFileSync(join(s.project, name), 'outside\n');
  fs.mkdirSync(join(s.project, 'both'));
  const expected = ['moved renamed undefined', 'out renamed modified', 'subdir/deep.txt deleted modified'];
  assert.deepEqual(await marks(s), expected);
  const { conflicts } = JSON.parse(await s.succeed(['status', '--json'])) as { conflicts: Marked[] };
  assert.deepEqual(conflicts, [{ path: join(s.project, 'both'), conflict: 'appeared' }]);
  const text = await s.succeed(['status']);
  assert.match(
    text,
    /^Nothing left to change \(1\)\n {2}both \(changed outside\)\n\n3 of them changed outside, too: /m,
  );
  assert.match((await s.cli(['commit', '--yes'])).stderr, /^yolofs: commit: 3 conflicts, nothing was written$/m);
});

/** Runs a loop in the view that ends when `seen` succeeds; the host changes something meanwhile. Returns milliseconds. */
async function delay(
  t: TestContext,
  what: { before: string; seen: string; change: (dir: string) => void },
): Promise<number> {
  const s = await session(t);
  const script = `${what.before}; touch ready; while ! { ${what.seen}; } 2>/dev/null; do sleep 0.02; done; date +%s%3N`;
  const running = s.sh(script, { timeout: 20_000 });
  for (let left = 200; !(await s.changeLines()).includes('added ready'); left--) {
    assert.ok(left > 0, 'the script in the view does not get ready');
    await sleep(50);
  }
  await sleep(300);
  const start = Date.now();
  what.change(s.project);
  const end = Number((await running).trim().split('\n').at(-1));
  return end - start;
}

const WITHIN = 1000;

const CASES: readonly (readonly [string, Parameters<typeof delay>[1]])[] = [
  [
    'a file that was read',
    {
      before: 'cat hello.txt',
      seen: 'grep -q outside hello.txt',
      change: (dir) => fs.appendFileSync(join(dir, 'hello.txt'), 'outside\n'),
    },
  ],
  [
    'a file that was read, replaced by a rename',
    {
      before: 'cat hello.txt',
      seen: 'grep -q outside hello.txt',
      change: (dir) => {
        fs.writeFileSync(join(dir, 'hello.tmp'), 'outside\n');
        fs.renameSync(join(dir, 'hello.tmp'), join(dir, 'hello.txt'));
      },
    },
  ],
  [
    'a new file in a directory that was listed',
    {
      before: 'ls subdir',
      seen: 'ls subdir | grep -q new',
      change: (dir) => fs.writeFileSync(join(dir, 'subdir/new'), ''),
    },
  ],
  [
    'a new file under a name that was looked for',
    {
      before: 'test ! -e subdir/new',
      seen: 'test -e subdir/new',
      change: (dir) => fs.writeFileSync(join(dir, 'subdir/new'), ''),
    },
  ],
  [
    'a file that goes',
    { before: 'cat multi.txt', seen: 'test ! -e multi.txt', change: (dir) => fs.rmSync(join(dir, 'multi.txt')) },
  ],
  [
    'attributes',
    {
      before: 'stat -c %a hello.txt',
      seen: 'test "$(stat -c %a hello.txt)" = 600',
      change: (dir) => fs.chmodSync(join(dir, 'hello.txt'), 0o600),
    },
  ],
  [
    'the content of a file that is open',
    {
      before: `exec 3<hello.txt; cat <&3 > /dev/null`,
      seen: `node -e 'const b = Buffer.alloc(7); require("fs").readSync(3, b, 0, 7, 0); process.exit(b.toString() === "OUTSIDE" ? 0 : 1)'`,
      change: (dir) => {
        const fd = fs.openSync(join(dir, 'hello.txt'), 'r+');
        fs.writeSync(fd, 'OUTSIDE');
        fs.closeSync(fd);
      },
    },
  ],
];

for (const [title, what] of CASES) {
  test(`the view shows a change on the host within a second: ${title}`, async (t) => {
    const ms = await delay(t, what);
    assert.ok(ms < WITHIN, `${ms} ms`);
  });
}
