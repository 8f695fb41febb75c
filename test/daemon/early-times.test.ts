/** New files get their times in the store while nobody waits, and a commit gives them those that the view shows, early or not. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Session, session } from '../support/session.ts';

const NAMES = ['early', 'touched', 'later', 'hello.txt'];
const LONGEST_MS = 20_000;

/** Nanoseconds, of the content objects that begin with `text`. */
function timesInStore(s: Session, text: string): bigint[] {
  const store = join(s.layout.store, 'files');
  const objects = readdirSync(store).flatMap((shard) =>
    readdirSync(join(store, shard)).map((object) => join(store, shard, object)),
  );
  const found = objects.filter((path) => readFileSync(path, 'latin1').startsWith(text));
  assert.ok(found.length > 0, `no object begins with ${text}`);
  return found.map((path) => statSync(path, { bigint: true }).mtimeNs);
}

function timeInStore(s: Session, text: string): bigint | undefined {
  return timesInStore(s, text)[0];
}

async function timesInView(s: Session): Promise<readonly bigint[]> {
  const said = await s.sh(`stat -c %.9Y ${NAMES.join(' ')}`);
  return said
    .trim()
    .split('\n')
    .map((time) => BigInt(time.replace('.', '')));
}

test('a new file has its times in the store before the commit, and what changes after that counts', async (t) => {
  const s = await session(t);
  // The view's time of what is written through a descriptor is that of the write, the store's that of the write-back.
  await s.sh(
    'exec 3> early; echo early >&3; sleep 0.05; exec 3>&-; echo touched > touched; touch -d @1000000000.123456789 touched',
  );
  await s.sh('echo later > later; echo changed >> hello.txt');
  const first = await timesInView(s);
  for (const end = Date.now() + LONGEST_MS; Date.now() < end; await sleep(50)) {
    if (timeInStore(s, 'early') === first[0] && timeInStore(s, 'touched') === first[1]) break;
  }
  assert.equal(timeInStore(s, 'early'), first[0]);
  assert.equal(timeInStore(s, 'touched'), 1_000_000_000_123_456_789n);
  await s.sh('echo again >> later');
  const shown = await timesInView(s);
  assert.deepEqual(shown.slice(0, 2), first.slice(0, 2));
  await s.commit();
  const committed = NAMES.map((name) => statSync(join(s.project, name), { bigint: true }).mtimeNs);
  assert.deepEqual(committed, shown);
});

test('a file that came back from before commits shows its old time there, also when it got another since', async (t) => {
  const s = await session(t);
  const time = (): Promise<string> => s.sh('stat -c %.9Y hello.txt');
  await s.sh('touch new');
  await s.sh('echo more >> hello.txt');
  await s.commit();
  await s.succeed(['travel', '1']);
  const old = await time();
  await s.commit();
  await s.sh('rm hello.txt');
  await s.commit();
  // It is born in the view now, with the content that the first travel has brought back from the backups.
  await s.succeed(['travel', '4']);
  await s.sh('touch -d @1000000000 hello.txt');
  const isSet = (): boolean => timesInStore(s, 'base content').includes(1_000_000_000_000_000_000n);
  for (const end = Date.now() + LONGEST_MS; Date.now() < end && !isSet(); await sleep(50));
  assert.ok(isSet(), 'times are set early');
  await s.succeed(['travel', '4']);
  assert.equal(await time(), old);
});
