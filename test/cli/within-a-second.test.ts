/** What somebody changes on the host while a session is on, and nothing is staged over: the view shows it, and soon. This runs alone. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { session } from '../support/session.ts';

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
