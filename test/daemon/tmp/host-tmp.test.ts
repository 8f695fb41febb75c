/** N12: what a person names of the host's /tmp is in the view's, and nothing else is. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { type TestContext, test } from 'node:test';
import { namedInTmp } from '../../../src/cli/wrap/named-files.ts';
import { type Account, accounts } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';

/** The beginning of names in the host's /tmp that are gone in the end, and a way to make such a file. */
function hostFiles(t: TestContext, { uid, gid }: Account): { name: string; put: (path: string, text: string) => void } {
  const dir = fs.mkdtempSync('/tmp/yolofs-named-');
  t.after(() => {
    for (const end of ['', '-shot', '-other', '-link', '-late', '-new'])
      fs.rmSync(`${dir}${end}`, { recursive: true, force: true });
  });
  const put = (path: string, text: string): void => {
    fs.writeFileSync(path, text);
    fs.chownSync(path, uid, gid);
  };
  return { name: dir, put };
}

for (const account of accounts()) {
  test(`N12: a file of the host’s /tmp that a rule of the person’s opens is in the view, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const { name, put } = hostFiles(t, account);
    const [shot, other, link, late] = ['shot', 'other', 'link', 'late'].map((end) => `${name}-${end}`) as [
      string,
      string,
      string,
      string,
    ];
    put(shot, 'first');
    put(other, 'secret');
    fs.symlinkSync(other, link);
    const list = `cd /tmp; for f in ${name}*; do [ -e $f ] && echo "$f $(cat $f)"; done; true`;
    assert.equal(await s.sh(list), '');
    for (const path of [shot, late]) await s.succeed(['rule', 'set', path, 'allow']);
    assert.equal(await s.sh(`${list}; echo mine > ${shot}; mkdir ${late}`), `${shot} first\n`);
    assert.equal(fs.readFileSync(shot, 'utf8'), 'first', 'the real file is as it was');
    put(shot, 'second');
    put(late, 'the name is taken');
    assert.equal(await s.sh(`cat ${shot}; rmdir ${late}`), 'second', 'the next version comes in its place');
    await s.sh(`rm ${shot}; ln -s ~/outside ${shot}; echo x > ~/outside`);
    put(shot, 'third');
    assert.equal(
      await s.sh(`cat ${shot}; readlink ${shot}; cat ~/outside`),
      `x\n${s.home}/outside\nx\n`,
      'what is there stays',
    );
    assert.ok(!fs.existsSync(`${s.home}/outside`));
    await s.succeed(['rule', 'set', other, 'deny']);
    await s.succeed(['rule', 'set', `${name}-*`, 'allow']);
    put(`${name}-new`, 'new');
    assert.match(await s.sh(list), new RegExp(`^${name}-new new$`, 'm'));
    assert.doesNotMatch(await s.sh(list), /secret/);
    assert.deepEqual(await s.changeLines(), [`added ${s.home}/outside`]);
  });

  test(`N12: wrap brings files of the host’s /tmp along that are named to the agent, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const { name, put } = hostFiles(t, account);
    put(`${name}-shot`, 'picture');
    put(`${name}-other`, 'secret');
    const script = `cat ${name}-shot; ls -d ${name}*`;
    const { stdout, stderr } = await s.cli(['wrap', 'sh', '-c', script, `look at "${name}-shot".`]);
    assert.equal(stdout, `picture${name}-shot\n`);
    assert.match(stderr, new RegExp(`^the view's /tmp has a copy of ${name}-shot$`, 'm'));
  });
}

test('N12: a file below /tmp is named as a word, and in a sentence', () => {
  const args = [
    '/tmp/a.png',
    'see "/tmp/b c" and /tmp/d.txt, please: /tmp/e?',
    '--file=/tmp/f',
    '~/tmp/g',
    '/var/tmp/h',
    '/tmp/i/j',
    '/tmp/',
  ];
  assert.deepEqual(namedInTmp(args), ['a.png', 'b', 'd.txt', 'e', 'f']);
});
