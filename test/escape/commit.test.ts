/** What is committed is what a person saw, at the place they saw, and nothing that the agent can write makes it more. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import { converse } from '../support/conversation.ts';
import { giveTo, MAIN, type Session } from '../support/session.ts';
import { type Cage, cage, SECRET } from './attempts.ts';
import { background } from './outsiders.ts';

async function generationOf(s: Session): Promise<number> {
  return (JSON.parse(await s.succeed(['commit', '--dry-run', '--json'])) as { generation: number }).generation;
}

/** Neither more nor less than the file that tells the host. */
function assertUntouched({ outside }: Cage): void {
  assert.deepEqual(readdirSync(outside), ['secret']);
  assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), `${SECRET}\n`);
}

for (const account of accounts()) {
  test(`S16: commit writes what was agreed to while the agent goes on, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const { s } = made;
    await s.abort();
    await s.sh('echo harmless > script');
    const seen = await generationOf(s);
    await s.sh('echo harmful > script', { env: made.env });
    await s.succeed(['commit', '--yes', '--reviewed', String(seen)]);
    assert.equal(readFileSync(join(s.project, 'script'), 'utf8'), 'harmless\n');
    assert.deepEqual(await s.changeLines(), ['modified script'], 'what came after stays staged');
    assert.equal(await s.sh('cat script'), 'harmful\n');
    // Somebody who is asked sees one thing while a process left behind goes on writing.
    let shown = 0;
    // It is never empty, whenever the process ends.
    const loop = 'while :; do echo $((n += 1)) > next; mv next script; [ $n -gt 1 ] || echo ready; sleep 0.05; done';
    const writer = await background(made, [process.execPath, MAIN, 'run', '--', 'sh', '-c', loop]);
    try {
      const env = { HOME: s.home, YOLOFS_TEST_ROOT: s.root };
      // Later than the question comes, however slow the machine is.
      const asked = join(s.root, 'asked');
      const later = `until [ -e ${asked} ]; do sleep 0.1; done; sleep 1; echo later`;
      const command = `sh -c '(${later}) & exec ${process.execPath} ${MAIN} commit'`;
      const typed = await converse(
        command,
        [
          [
            /real files\? /,
            () => {
              writeFileSync(asked, '');
              return '';
            },
          ],
          [/later/, 'y\n'],
        ],
        { cwd: s.project, account, env },
      );
      assert.equal(typed.code, 0, typed.shown);
      assert.match(typed.shown, /committed \d changes?/);
      shown = Number(readFileSync(join(s.project, 'script'), 'utf8'));
      assert.ok(shown > 0, `committed ${shown}`);
      // It goes on, in the same view, and nothing of it is lost.
      const now = async (): Promise<number> => Number(await s.sh('cat script'));
      const after = await now();
      assert.ok(after > shown, `${after} after ${shown}`);
      for (const end = Date.now() + 10_000; (await now()) === after; ) assert.ok(Date.now() < end, 'it stands still');
      assert.equal(Number(readFileSync(join(s.project, 'script'), 'utf8')), shown);
    } finally {
      writer.kill('SIGTERM');
    }
    await s.commit();
    assert.ok(Number(readFileSync(join(s.project, 'script'), 'utf8')) > shown, 'nobody was asked');
  });

  test(`links in the place of directories do not lead a commit elsewhere, as ${account.title}`, async (t) => {
    const made = await cage(t, { account, noisy: true });
    if (made === undefined) return;
    const { s, outside, probe } = made;
    await s.abort();
    mkdirSync(join(s.project, 'd'));
    symlinkSync(outside, join(s.project, 'l'));
    await giveTo(account, s.project);
    const fill = 'for i in $(seq 1 60); do echo content > d/f$i; done';
    // From inside: names change all the time while they are committed.
    await s.sh(`ln -s "$OUT" m; mkdir e; ${fill.replaceAll('d/', 'e/')}`, made);
    const swap = [probe, 'swap', 'e', 'm', '60', '1000'];
    const inside = await background(made, [process.execPath, MAIN, 'run', '--quiet', '--', ...swap]);
    for (let i = 0; i < 2; i++) await s.cli(['commit', '--yes']);
    inside.kill('SIGTERM');
    assertUntouched(made);
    // From outside: another process swaps a directory of the real files with a link.
    await s.sh(fill);
    const outsider = await background(made, [probe, 'swap', 'd', 'l', '60', '100']);
    try {
      for (let i = 0; i < 2; i++) await s.cli(['commit', '--yes']);
      assertUntouched(made);
      await s.native(['sh', '-c', `for round in 1 2 3 4 5; do ${fill}; done`]);
      assert.ok(readdirSync(outside).length > 1, 'who follows links writes there');
    } finally {
      outsider.kill('SIGKILL');
    }
  });

  test(`a staged link is committed as a link and shown with its target, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const { s, outside } = made;
    await s.abort();
    await s.sh(
      'rm -r subdir; ln -s "$OUT" subdir; ln -s "$OUT/secret" link; echo changed > link; echo x > subdir/new',
      made,
    );
    assert.deepEqual(await s.changeLines(), [
      `added ${outside}/new`,
      `modified ${outside}/secret`,
      'added link',
      'modified subdir',
      'deleted subdir/deep.txt',
    ]);
    assert.ok((await s.succeed(['diff', '--', 'link'])).includes(outside));
    await s.succeed(['commit', '--yes', '.']);
    assert.equal(readlinkSync(join(s.project, 'subdir')), outside);
    assertUntouched(made);
  });
}
