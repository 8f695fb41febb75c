/** What `.yolofs.toml` changes about a session, and what the daemon tells about itself. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Session, session, writeUserConfig } from '../support/session.ts';

async function snapshots(s: Session): Promise<{ name: string }[]> {
  return JSON.parse(await s.succeed(['log', '--json'])) as { name: string }[];
}

test('auto_snapshot = false leaves snapshots to those who name them', async (t) => {
  const s = await session(t, { rules: 'default_rules = false\n[session]\nauto_snapshot = false\n' });
  await s.sh('echo 1 > one');
  assert.deepEqual(await snapshots(s), []);
  await s.succeed(['run', '--quiet', '--name', 'mine', '--', 'sh', '-c', 'echo 2 > two']);
  assert.deepEqual(
    (await snapshots(s)).map(({ name }) => name),
    ['mine'],
  );
  await s.succeed(['run', '--quiet', '--name', 'nothing', '--', 'true']);
  assert.equal((await snapshots(s)).length, 1, 'a command that changed nothing');
});

test('durability decides whether fsync() in the view reaches the disk, not whether it succeeds', async (t) => {
  for (const durability of ['full', 'process']) {
    const s = await session(t, { rules: `default_rules = false\n[session]\ndurability = "${durability}"\n` });
    await s.sh('dd if=/dev/zero of=file bs=4096 count=4 conv=fsync status=none; sync file');
    await s.killDaemon();
    await s.commit();
    assert.equal(readFileSync(join(s.project, 'file')).length, 16384, durability);
  }
});

test('stats tells what was served and what it takes', async (t) => {
  const s = await session(t);
  await s.sh('cat hello.txt; echo x > x');
  const { ok } = (await s.ask({ op: 'stats' })) as {
    ok: { opcodes: Record<string, number>; rss: number; nodes: number };
  };
  assert.ok((ok.opcodes.LOOKUP ?? 0) > 0 && (ok.opcodes.WRITE ?? 0) > 0, JSON.stringify(ok.opcodes));
  assert.ok(ok.rss > 2 ** 20 && ok.nodes > 1);
});

test('a request that the daemon does not know is refused, and the next one is served', async (t) => {
  const s = await session(t);
  await s.sh('true');
  for (const request of [{ op: 'nonsense' }, { op: 'leave' }, { op: 'snapshot' }, {}]) {
    const reply = (await s.ask(request)) as { error?: { message: string } };
    assert.ok((reply.error?.message.length ?? 0) > 0, JSON.stringify(reply));
  }
  assert.deepEqual(Object.keys((await s.ask({ op: 'hello' })) as object), ['ok']);
});

test('a setting that is edited while the daemon runs counts at once, one that makes no sense is told', async (t) => {
  const s = await session(t, { config: '', noisy: true });
  await s.sh('echo 1 > one');
  const daemon = await s.daemonPid();
  const count = async (): Promise<number> => (await snapshots(s)).length;
  const before = await count();
  const set = (text: string): void => writeUserConfig(s.home, `default_rules = false\n[session]\n${text}`, s.account);
  set('auto_snapshot = false\n');
  await s.sh('echo 2 > two');
  assert.equal(await count(), before);
  set('auto_snapshot = perhaps\n');
  const told = /^yolofs: \S*config\.toml:3:\d+: .*; the settings from before count$/m;
  const run = await s.cli(['run', '--quiet', '--', 'touch', 'three']);
  assert.equal(run.code, 0);
  assert.match(run.stderr, told);
  assert.match((await s.cli(['status'])).stderr, told);
  assert.match(s.log(), /the settings from before count/);
  assert.equal(await count(), before);
  set('');
  const again = await s.cli(['run', '--quiet', '--', 'touch', 'four']);
  assert.equal(again.stderr, '');
  assert.equal(await count(), before + 1);
  assert.equal(await s.daemonPid(), daemon);
});

test('a file of settings that cannot be read ends no daemon, and what it said before counts until it can', async (t) => {
  const s = await session(t, { config: '[rules]\n"hello.txt" = "deny"\n', noisy: true });
  const file = join(s.project, '.yolofs.toml');
  const look = (): ReturnType<Session['cli']> => s.cli(['run', '--', 'sh', '-c', 'cat hello.txt 2>&1 || true']);
  assert.match((await look()).stdout, /Permission denied/);
  const daemon = await s.daemonPid();
  renameSync(file, `${file}.old`);
  mkdirSync(file);
  // Longer than the daemon takes to look by itself.
  await sleep(1500);
  const run = await look();
  assert.match(run.stdout, /Permission denied/);
  assert.match(run.stderr, /cannot read .*\.yolofs\.toml: .*EISDIR.*; the settings from before count/);
  rmdirSync(file);
  writeFileSync(file, '');
  assert.equal((await look()).stdout, 'base content\n');
  assert.equal(await s.daemonPid(), daemon);
});
