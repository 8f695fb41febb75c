/** The second mount of the view, which covers the project and has no OPEN (daemon/view/fast-view.ts). */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '../support/accounts.ts';
import { giveTo, type Session, session, writeUserConfig } from '../support/session.ts';

const RULES = 'default_rules = false\n';
const NO_ENV = `${RULES}[rules]\n"**/.env" = "deny"\n`;

const MOVED = [
  'deleted hello.txt',
  'deleted ../beside/deep',
  'deleted ../beside/deep/file',
  'added both',
  'added both2',
  'added deep',
  'added deep/file',
  'added ../beside/both',
  'added ../beside/hello.txt',
];

/** How many mounts of the tree the view has. */
const MOUNTS = "grep -c ' - fuse yolofs ' /proc/self/mountinfo";

/** Requests by opcode while `script` runs in the view. */
async function requestsOf(s: Session, script: string): Promise<Record<string, number>> {
  type Stats = { ok: { opcodes: Record<string, number> } };
  const before = ((await s.ask({ op: 'stats' })) as Stats).ok.opcodes;
  await s.sh(script);
  const after = ((await s.ask({ op: 'stats' })) as Stats).ok.opcodes;
  return Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]));
}

/** Tries each line with sh; returns its exit code and what it said, shortened to the reason. */
async function outcomes(s: Session, lines: readonly string[]): Promise<string[]> {
  const script = lines.map((line) => `( ${line} ) 2>&1 >/dev/null | sed 's/.*: //' | tail -n 1 | grep . || echo done`);
  return (await s.sh(script.join('\n'))).trim().split('\n');
}

for (const account of accounts()) {
  test(`opening a file of the project asks nobody, of another one it does, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    assert.equal(await s.sh(MOUNTS), '2\n');
    writeFileSync(join(s.root, 'outside'), 'o\n');
    const loop = (file: string): string => `for i in 1 2 3 4 5 6 7 8 9; do read -r line < ${file}; done`;
    const [idle, inside, outside] = [
      (await requestsOf(s, 'true')).OPEN ?? 0,
      (await requestsOf(s, loop('hello.txt'))).OPEN ?? 0,
      (await requestsOf(s, loop('../outside'))).OPEN ?? 0,
    ];
    assert.ok(inside <= idle + 1, `${inside} in the project, ${idle} without`);
    assert.ok(outside >= idle + 9, `${outside} outside, ${idle} without`);
  });

  test(`a denied file cannot be opened, changed or replaced without OPEN either, as ${account.title}`, async (t) => {
    const s = await session(t, { account, rules: NO_ENV });
    writeFileSync(join(s.project, '.env'), '#!/bin/sh\necho secret\n', { mode: 0o755 });
    await giveTo(account, join(s.project, '.env'));
    const refused = [
      'cat .env',
      'echo x > .env',
      'echo x >> .env',
      './.env',
      'truncate -s 0 .env',
      'chmod 777 .env',
      'chown $(id -u) .env',
      'rm -f .env',
      'mv .env other',
      'mv hello.txt .env',
      'ln .env other && cat other',
      'ln -s /etc/passwd subdir/.env',
      'touch subdir/.env',
      "unshare -Urm sh -c 'cat .env'",
    ];
    for (const [i, why] of (await outcomes(s, refused)).entries()) {
      assert.match(why, /denied|not permitted|too large/i, refused[i]);
    }
    assert.equal(await s.sh('stat -c %F:%s .env'), 'regular file:22\n', 'stat works');
    assert.equal(await s.sh(MOUNTS), '2\n');
    assert.deepEqual(await s.changeLines(), []);
    assert.match(readFileSync(join(s.project, '.env'), 'utf8'), /secret/);
  });

  test(`a rule that needs OPEN takes the second mount away, also from who sits on it, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    writeFileSync(join(s.project, 'secret'), 'secret\n');
    await giveTo(account, join(s.project, 'secret'));
    const sitting = s.sh(
      `exec 5<hello.txt 6>>late; cat secret > /dev/null; echo before >&6; touch ready
       until [ -e /tmp/go ]; do sleep 0.05; done
       echo after >&6; exec 6>&-
       cat <&5; cat secret 2>&1 | sed 's/.*: //'; ${MOUNTS}; cat late; cat "$PWD/secret" 2>&1 | sed 's/.*: //'`,
    );
    while (!(await s.changeLines()).includes('added ready')) await new Promise((done) => setTimeout(done, 50));
    writeUserConfig(s.home, `${RULES}[rules]\n"${s.project}/secret" = "ask"\n`, account);
    await s.ask({ op: 'reload' });
    await s.sh('cat hello.txt; ! cat secret 2>/dev/null; touch /tmp/go');
    assert.equal(await sitting, 'base content\nPermission denied\n1\nbefore\nafter\nPermission denied\n');
    assert.deepEqual(await s.changeLines(), ['added late', 'added ready']);
    assert.equal(await s.sh(MOUNTS), '1\n');
    await s.stop();
    assert.equal(await s.sh(MOUNTS), '1\n', 'it is not made where a rule needs OPEN');
  });

  test(`changes on both sides of the project's border are one history, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    mkdirSync(join(s.root, 'beside/deep'), { recursive: true });
    writeFileSync(join(s.root, 'beside/deep/file'), 'from outside\n');
    await giveTo(account, join(s.root, 'beside'));
    await s.sh('mv hello.txt ../beside/; mv ../beside/deep .; echo x > both; ln both both2; cp both ../beside/');
    // What `mv` does across a border between file systems is a copy and a deletion.
    const { root } = s;
    assert.deepEqual(new Set(await s.changeLines()), new Set(MOVED.map((line) => line.replace('..', root))));
    await s.sh('echo later > both; rm -r deep');
    await s.succeed(['travel', '1']);
    assert.equal(
      await s.sh('cat both deep/file ../beside/hello.txt; ls'),
      'x\nfrom outside\nbase content\nboth\nboth2\ndeep\nmulti.txt\nsubdir\ntest.sh\n',
    );
    await s.commit();
    assert.equal(readFileSync(join(s.root, 'beside/hello.txt'), 'utf8'), 'base content\n');
    assert.equal(readFileSync(join(s.project, 'deep/file'), 'utf8'), 'from outside\n');
    assert.ok(!existsSync(join(s.root, 'beside/deep')));
    assert.equal(statSync(join(s.project, 'both')).nlink, 2);
    await s.sh('rm both; echo y > ../beside/both');
    await s.abort();
    assert.equal(await s.sh('cat both ../beside/both'), 'x\nx\n');
  });
}

test('git finds the repository that the project is a part of', async (t) => {
  const s = await session(t);
  await s.native(['sh', '-c', 'cd .. && git init -q . && git config user.email a@b && git config user.name n']);
  const shown = await s.sh(
    'git rev-parse --show-toplevel; git add hello.txt; git commit -qm one; git log --format=%s; git status -s hello.txt',
  );
  assert.equal(shown, `${s.root}\none\n`);
});

test('what changes on the host shows by both mounts, and a parent that changes keeps them', async (t) => {
  const s = await session(t);
  await s.sh('cat hello.txt ../project/multi.txt; ls ..');
  writeFileSync(join(s.project, 'hello.txt'), 'changed outside\n');
  writeFileSync(join(s.root, 'new'), 'n\n');
  for (const dir of [s.root, s.project]) chmodSync(dir, 0o711);
  chmodSync(dirname(s.root), statSync(dirname(s.root)).mode & 0o7777);
  assert.equal(await s.sh(`cat hello.txt ../new; stat -c %a . ..; ${MOUNTS}`), 'changed outside\nn\n711\n711\n2\n');
});

test('a file with names on both sides of the border is one file', async (t) => {
  const s = await session(t);
  linkSync(join(s.project, 'hello.txt'), join(s.root, 'twin'));
  await s.sh('cat hello.txt ../twin; stat -c %h hello.txt');
  assert.equal(
    await s.sh('echo more >> hello.txt; cat ../twin; echo again >> ../twin; cat hello.txt'),
    'base content\nmore\nbase content\nmore\nagain\n',
  );
});

test('there is no second mount over a project with a direct path inside', async (t) => {
  const s = await session(t);
  mkdirSync(join(s.project, 'state'));
  writeUserConfig(s.home, `default_rules = false\n[session]\ndirect = ["${s.project}/state"]\n`, s.account);
  assert.equal(await s.sh(`${MOUNTS}; echo x > state/file`), '1\n');
  assert.equal(readFileSync(join(s.project, 'state/file'), 'utf8'), 'x\n');
});

test('a rule holds for what the kernel knows by another name', async (t) => {
  const s = await session(t);
  linkSync(join(s.project, 'hello.txt'), join(s.project, 'twin'));
  await s.sh('cat twin; mv subdir moved; cat moved/deep.txt');
  writeUserConfig(
    s.home,
    `${RULES}[rules]\n"${s.project}/hello.txt" = "deny"\n"${s.project}/subdir" = "deny"\n`,
    s.account,
  );
  await s.ask({ op: 'reload' });
  assert.deepEqual(await outcomes(s, ['cat twin', 'cat moved/deep.txt', 'cat multi.txt']), [
    'Permission denied',
    'Permission denied',
    'done',
  ]);
  assert.equal(await s.sh(MOUNTS), '2\n');
});

test('a project below /tmp keeps its mount and its place through commit, travel and abort', async (t) => {
  const s = await session(t, { at: '/tmp' });
  // One of them is what keeps the way to the project visible in the private /tmp.
  const here = `${s.project}\n3\n`;
  assert.equal(await s.sh(`pwd -P; ${MOUNTS}; echo x > new; echo y > ../beside`), here);
  for (const argv of [
    ['commit', '--yes'],
    ['travel', '0'],
    ['abort', '--yes'],
  ]) {
    await s.sh('echo more >> new; echo more >> ../beside');
    await s.succeed(argv);
    assert.equal(await s.sh(`pwd -P; ${MOUNTS}`), here, argv[0]);
  }
});

test('who stays on the mount that was taken away and who comes later see what the other does', async (t) => {
  const s = await session(t);
  const until = (file: string): string => `until [ -e /tmp/${file} ]; do sleep 0.05; done; sleep 0.3`;
  const sitting = s.sh(
    `echo a > log; [ ! -e later ]; touch /tmp/ready; ${until('one')}
     touch made; rm multi.txt; mkdir dir; echo b >> log; touch /tmp/two; ${until('three')}
     ls; cat later log; cd "$PWD"; pwd -P`,
  );
  await s.sh(until('ready'));
  writeUserConfig(s.home, `${RULES}[rules]\n"${s.project}/secret" = "ask"\n`, s.account);
  await s.ask({ op: 'reload' });
  const seen = await s.sh(
    `${MOUNTS}; [ ! -e made ] && [ -e multi.txt ] && [ ! -e dir ]; cat log; touch /tmp/one; ${until('two')}
     [ -e made ] && [ ! -e multi.txt ] && [ -d dir ]; cat log; echo later > later; echo c >> log; touch /tmp/three`,
  );
  assert.equal(seen, '1\na\na\nb\n');
  assert.equal(await sitting, `dir\nhello.txt\nlater\nlog\nmade\nsubdir\ntest.sh\nlater\na\nb\nc\n${s.project}\n`);
});

test('further rules leave who works on the first mount where it is', async (t) => {
  const s = await session(t);
  const ask = async (...names: string[]): Promise<void> => {
    const lines = names.map((name) => `"${s.project}/${name}" = "ask"\n`);
    writeUserConfig(s.home, `${RULES}[rules]\n${lines.join('')}`, s.account);
    await s.ask({ op: 'reload' });
  };
  await s.sh('true');
  await ask('one');
  // Nobody else may look the project up meanwhile: that would give it its place back.
  const working = s.sh('touch /tmp/ready; until [ -e /tmp/go ]; do sleep 0.05; done; readlink /proc/self/cwd');
  const tmp = join(s.layout.entry, 'tmp');
  while (!existsSync(join(tmp, 'ready'))) await sleep(20);
  await ask('one', 'two');
  writeFileSync(join(tmp, 'go'), '');
  assert.equal(await working, `${s.project}\n`);
});
