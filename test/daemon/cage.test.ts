/** What a command gives up when it enters the view, and what it keeps. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import { has } from '../support/need.ts';
import { plainDirectory } from '../support/plain.ts';
import { session, writeUserConfig } from '../support/session.ts';

/** Numbers of capabilities in a mask of /proc/self/status. */
function numbersIn(mask: string): number[] {
  const bits = BigInt(`0x${mask}`);
  return Array.from({ length: 64 }, (_, bit) => bit).filter((bit) => ((bits >> BigInt(bit)) & 1n) === 1n);
}

/** CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, SETPCAP, NET_BIND_SERVICE, SYS_CHROOT, MKNOD, SETFCAP. */
const OF_ROOT = [0, 1, 3, 4, 5, 6, 7, 8, 10, 18, 27, 31];

for (const account of accounts()) {
  test(`a command has few capabilities, a filter, and no way to more, as ${account.title}`, async (t) => {
    if (!has(t, ['perl'])) return;
    const s = await session(t, { account });
    const status = await s.sh('cat /proc/self/status');
    const field = (name: string): string => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
    const expected = account.uid === 0 ? OF_ROOT : [];
    for (const set of ['CapPrm', 'CapEff', 'CapBnd']) assert.deepEqual(numbersIn(field(set)), expected, set);
    for (const set of ['CapInh', 'CapAmb']) assert.deepEqual(numbersIn(field(set)), [], set);
    assert.deepEqual([field('NoNewPrivs'), field('Seccomp')], ['1', '2']);
    assert.equal(await s.sh('exec 9>&-; echo /proc/self/fd/[3-9]* | wc -w'), '1\n');
  });

  test(`S15: /dev and /dev/shm are bounded, and stop empties /tmp but nothing that is staged, as ${account.title}`, async (t) => {
    if (!has(t, ['perl'])) return;
    const s = await session(t, { account, config: '[limits]\nmemory = "64 MiB"\n' });
    const fill = (file: string): string => `head -c 80000000 /dev/zero 2>/dev/null > ${file} || stat -c %s ${file}`;
    assert.equal(await s.sh(`${fill('/dev/shm/a')}; rm /dev/shm/a`), `${64 << 20}\n`);
    assert.ok(Number(await s.sh(`${fill('/dev/a')}; rm -f /dev/a`)) <= 1 << 20);
    await s.sh('echo staged > staged; mkdir -p /tmp/a/b; echo x > /tmp/a/b/c; ln -s ~ /tmp/home; echo y > ~/kept');
    await s.stop();
    assert.equal(await s.sh('ls -A /tmp; cat staged ~/kept'), 'staged\ny\n');
  });

  test(`S15: a limit of /tmp holds for its bytes and its files, and the host reads where a command ended, as ${account.title}`, async (t) => {
    if (!has(t, ['perl'])) return;
    const s = await session(t, { account, config: '[limits]\ntmp = "16 MiB"\n' });
    await s.sh('head -c 20000000 /dev/zero > /tmp/a 2>/tmp/why || true; mkdir /tmp/kept');
    assert.equal(await s.sh('stat -c %s /tmp/a; ls /tmp; stat -c %a /tmp'), `${16 << 20}\na\nkept\nwhy\n1777\n`);
    const many =
      'rm /tmp/a; i=0; while (: > /tmp/f$i) 2>/dev/null; do i=$((i + 1)); done; [ $i -lt 4096 ] && rm /tmp/f*';
    assert.equal(await s.sh(`${many} && ls /tmp`), 'kept\nwhy\n');
    const call = ['run', '--quiet', '--call', 'c-1', '--keep-directory', '-c', 'cd /etc'];
    await s.succeed(call);
    assert.equal(readFileSync(join(s.layout.calls, 'c-1.json.cwd'), 'utf8'), '/etc\n');
    await s.killDaemon();
    assert.equal(await s.sh('ls /tmp'), '');
  });

  test(`limits of the configuration hold for every process of a command, as ${account.title}`, async (t) => {
    if (!has(t, ['perl'])) return;
    const config = '[limits]\nmemory = "1 GiB"\nopen_files = 200\ncpu_time = 30\nfile_size = "1 MiB"\nprocesses = 60\n';
    const s = await session(t, { account, config });
    assert.equal(await s.sh('ulimit -n; ulimit -Hn; ulimit -t; ulimit -d'), '200\n200\n30\n1048576\n');
    const big = await s.sh('(ulimit -f; head -c 2000000 /dev/zero > big) 2>/dev/null || wc -c < big');
    assert.match(big, /1048576\n$/);
    const eat = 'const all = []; for (;;) all.push(Buffer.alloc(1 << 26, 1))';
    const greedy = await s.cli(['run', '--quiet', '--', process.execPath, '-e', eat]);
    assert.notEqual(greedy.code, 0);
    if (account.uid === 0) return;
    const forks = 'i=0; while [ $i -lt 100 ]; do sleep 5 & i=$((i + 1)); done; wait';
    assert.notEqual((await s.cli(['run', '--quiet', '--', 'sh', '-c', forks])).code, 0);
  });

  test(`a view without a network has a loopback device of its own, as ${account.title}`, async (t) => {
    if (!has(t, ['perl'])) return;
    const server = createServer((socket) => socket.end('host'));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    t.after(() => server.close());
    const { port } = server.address() as { port: number };
    const say = `const net = require('net'); const say = (port, done) => net.connect(port, '127.0.0.1')
      .on('data', (d) => done(String(d))).on('error', (e) => done(e.code));`;
    const own = `net.createServer((c) => c.end('own')).listen(0, '127.0.0.1', function () {
      say(this.address().port, (a) => say(${port}, (b) => { console.log(a, b); process.exit(); })); });`;
    const script = [process.execPath, '-e', say + own];
    const run = ['run', '--quiet', '--', ...script];
    assert.equal(await (await session(t, { account })).succeed(run), 'own host\n');
    const alone = await session(t, { account, config: '[session]\nnetwork = "none"\n' });
    assert.equal(await alone.succeed(run), 'own ECONNREFUSED\n');
  });

  test(`variables that lead to sockets of the host are not passed on, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const env = {
      SSH_AUTH_SOCK: '/x',
      DOCKER_HOST: 'unix:///x',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x',
      XDG_RUNTIME_DIR: s.home,
      KEPT: 'a\nb',
    };
    assert.equal(
      await s.sh('env | grep -E "SSH_AUTH|DOCKER|DBUS|RUNTIME" || echo none; echo "$KEPT"', { env }),
      'none\na\nb\n',
    );
  });

  test(`programs find a directory for temporary files, whatever the caller's variable says, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const ours = `/tmp/yolofs-test-${process.pid}-${account.uid}`;
    mkdirSync(ours, { mode: 0o777 });
    t.after(() => rmSync(ours, { recursive: true }));
    assert.match(await s.sh('mktemp', { env: { TMPDIR: ours } }), /^\/tmp\/tmp\.\w+\n$/);
    const inProject = await s.sh('mkdir here; mktemp', { env: { TMPDIR: join(s.project, 'here') } });
    assert.match(inProject, new RegExp(`^${s.project}/here/tmp\\.\\w+\n$`));
    assert.deepEqual(readdirSync(ours), []);
  });

  test(`a socket of the host can be connected to when the user's file allows it, as ${account.title}`, async (t) => {
    const place = plainDirectory(account);
    const at = join(place.root, 'socket');
    const server = createServer((socket) => socket.end('host'));
    await new Promise<void>((resolve) => {
      server.listen(at, resolve);
    });
    chmodSync(at, 0o777);
    t.after(() => server.close());
    const ask = `require('net').connect('${at}').on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))`;
    const env = { XDG_RUNTIME_DIR: place.root };
    const leads = `process.stdout.write(process.env.XDG_RUNTIME_DIR === undefined ? 'nowhere ' : 'there '); ${ask}`;
    const run = ['run', '--quiet', '--', process.execPath, '-e', leads];
    const rules = (sockets: string): string => `default_rules = false\n[session]\nsockets = ${sockets}\n`;
    const s = await session(t, { account, place, rules: rules('[]') });
    assert.equal(await s.succeed(run, { env }), 'nowhere ECONNREFUSED\n');
    writeUserConfig(s.home, rules(`["${at}"]`), account);
    await s.stop();
    assert.equal(await s.succeed(run, { env }), 'there host\n');
    // What the agent may have written does not count.
    writeFileSync(join(s.project, '.yolofs.toml'), '[session]\nsockets = ["docker"]\n');
    await s.stop();
    assert.match((await s.cli(run)).stderr, /there is no setting 'session\.sockets'/);
    writeFileSync(join(s.project, '.yolofs.toml'), '');
  });
}
