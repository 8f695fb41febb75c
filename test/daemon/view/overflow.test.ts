/** More happens in the base than the kernel can tell: the view shows what is there all the same. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Session, session } from '../../support/session.ts';

/** So many events the kernel keeps for one who does not fetch them. */
const MOST_EVENTS = Number(fs.readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));

test('changes outside are shown when the kernel had too many to tell of all', async (t) => {
  const s = await session(t, {
    seed: (project) => {
      for (const dir of ['a/in', 'b', 'busy']) fs.mkdirSync(join(project, dir), { recursive: true });
      for (const path of ['a/f', 'a/in/g', 'b/f', 'busy/0', 'busy/1']) fs.writeFileSync(join(project, path), 'old\n');
    },
  });
  const look = 'cat a/f a/in/g b/f; cat b/later 2>&1 || true; ls a';
  const at = (path: string): string => join(s.project, path);
  assert.match(await s.sh(`ls busy; ${look}`), /No such file/);
  const daemon = await s.daemonPid();
  process.kill(daemon, 'SIGSTOP');
  try {
    // Two names in turn: the same event twice in a row counts once.
    for (let i = 0; i < MOST_EVENTS + 1000; i++) fs.utimesSync(at(`busy/${i % 2}`), i, i);
    fs.renameSync(at('a'), at('c'));
    fs.mkdirSync(at('a/in'), { recursive: true });
    for (const path of ['a/f', 'a/in/g', 'b/later']) fs.writeFileSync(at(path), 'new\n');
  } finally {
    process.kill(daemon, 'SIGCONT');
  }
  const expected = 'new\nnew\nold\nnew\nf\nin\n';
  assert.equal(await shownSoon(s, look, expected), expected);
  fs.writeFileSync(at('a/in/g'), 'newer\n');
  assert.equal(await shownSoon(s, 'cat a/in/g', 'newer\n'), 'newer\n', 'what comes after is told again');
});

/** What a script says, once it is what is expected, or else after a while: the daemon has thousands of events to go through. */
async function shownSoon(s: Session, script: string, expected: string): Promise<string> {
  const end = Date.now() + 20_000;
  let shown = await s.sh(script);
  for (; shown !== expected && Date.now() < end; shown = await s.sh(script)) await sleep(50);
  return shown;
}
