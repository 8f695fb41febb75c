/** Descriptors and sockets of the host: none is there to begin with, and none can be fetched. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import { exec } from '../support/exec.ts';
import { giveTo, MAIN, PROGRAM } from '../support/session.ts';
import { assertCaged, cage, SECRET, showsTheHost } from './attempts.ts';
import { server, serveWithout } from './outsiders.ts';

for (const account of accounts()) {
  test(`descriptors that run has inherited do not reach the command, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const { s, env } = made;
    const start = (words: readonly string[]): ReturnType<typeof exec> => {
      // Numbers above 9 need a shell that knows them.
      const argv = ['bash', '-c', 'exec "$@" 3<"$OUT" 9<"$OUT/secret" 100<"$OUT" 700<"$OUT"', 'bash', ...words];
      return exec(argv, { account, cwd: s.project, env: { ...env, HOME: s.home, YOLOFS_TEST_ROOT: s.root } });
    };
    const probe = [made.probe, 'descriptors', 'secret'];
    const inside = await start([process.execPath, MAIN, 'run', '--quiet', '--', ...probe]);
    assert.deepEqual(inside, { code: 1, stdout: '', stderr: 'none is open\n' });
    await serveWithout(made, ['descriptors']);
    const open = await start([process.execPath, MAIN, 'run', '--quiet', '--', ...probe]);
    assert.match(open.stdout, new RegExp(`descriptor 100\n${SECRET}[^]*descriptor 700\n${SECRET}`));
  });

  test(`S3: a directory or a device as descriptor 0, 1 or 2 is refused, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const { s, env } = made;
    const script =
      'for d in 0 1 2; do cat /proc/self/fd/$d/secret; echo x >> /proc/self/fd/$d/made; done >&9 2>&9; echo ran';
    for (const program of [[process.execPath, MAIN], [PROGRAM]]) {
      const said = async (redirection: string): Promise<string> => {
        const words = [...program, 'run', '--quiet', '-c', `exec 9>/dev/null; ${script}`];
        const argv = ['bash', '-c', `"$@" ${redirection}`, 'bash', ...words];
        const { code, stdout, stderr } = await exec(argv, { account, cwd: s.project, env: { ...env, HOME: s.home } });
        return `${code} ${stdout}${stderr}`;
      };
      const refused = (fd: number, what = 'a directory'): string =>
        `1 yolofs: run: descriptor ${fd} is ${what}, which would lead out of the view\n`;
      assert.equal(await said('<"$OUT"'), refused(0));
      assert.equal(await said('1<"$OUT"'), refused(1));
      // There is nowhere to say it.
      assert.equal(await said('2<"$OUT"'), '1 ');
      if (account.uid === 0) assert.equal(await said('</dev/kmsg'), refused(0, 'a device'));
      for (const fine of ['<"$OUT/secret"', '< <(echo x)', '</dev/null', '</dev/zero', '<&-', '2>/dev/full'])
        assert.equal(await said(fine), '0 ran\n', fine);
    }
    assert.deepEqual(readdirSync(made.outside), ['secret']);
  });

  test(`sockets of the host cannot be connected to, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const { s } = made;
    for (const dir of ['.docker/run', 'run/user/bus']) mkdirSync(join(s.home, dir), { recursive: true });
    await giveTo(account, s.home);
    const places = ['.docker/run/docker.sock', 'run/user/bus/socket'].map((name) => join(s.home, name));
    const servers = await Promise.all([...places, join(s.project, 'agent.sock')].map((place) => server(made, place)));
    try {
      await assertCaged(made, {
        attempts: {
          'a socket in the home directory': '$P passed-descriptor $HOME/.docker/run/docker.sock secret',
          'a socket of a bus': '$P passed-descriptor $HOME/run/user/bus/socket secret',
          'a socket in the project': '$P passed-descriptor ./agent.sock secret',
          'a socket by way of /proc': '$P passed-descriptor /proc/self/root$HOME/.docker/run/docker.sock secret',
          'a socket by way of a link': 'ln -s ~/.docker d$$; $P passed-descriptor ./d$$/run/docker.sock secret; rm d$$',
          'a socket by another name': 'ln ~/.docker/run/docker.sock h$$; $P passed-descriptor ./h$$ secret; rm h$$',
          'a socket that was moved':
            'mv ~/run/user/bus m$$; $P passed-descriptor ./m$$/socket secret; mv m$$ ~/run/user/bus',
        },
        isThrough: showsTheHost,
      });
    } finally {
      for (const child of servers) child.kill('SIGKILL');
    }
  });
}
