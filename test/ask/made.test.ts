/** What is made in the view with a person's leave holds nothing of the host's: nobody is asked about it again. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts, self } from '../support/accounts.ts';
import { type Front, listen } from './front.ts';
import { world } from './world.ts';

/** What was asked since `from`, as lines such as `open one`. */
function told(front: Front, asked: string, from = 0): string[] {
  return front.questions.slice(from).map(({ op, label }) => `${op} ${label.slice(asked.length + 1)}`);
}

for (const account of accounts()) {
  test(`a new directory is asked about, what is made in it is not, as ${account.title}`, async (t) => {
    const { s, asked } = await world(t, account);
    const front = await listen(t, s);
    front.answerAll(() => ({ allow: true }));
    await s.sh(`cd ${asked}; mkdir -p new/sub; echo a > new/sub/a; echo b >> new/sub/a; cat new/sub/a; ln -s a new/l
      mv new/sub/a new/b; chmod 600 new/b; rm new/l; rmdir new/sub; cp -r ${s.project}/subdir new/copy`);
    assert.deepEqual(told(front, asked), ['mkdir new']);
    // Another command, later, too.
    assert.equal(await s.sh(`cat ${asked}/new/b ${asked}/new/copy/deep.txt`), 'a\nb\nnested\n');
    assert.deepEqual(told(front, asked), ['mkdir new']);
  });

  test(`what was there before is asked about wherever it is moved, as ${account.title}`, async (t) => {
    const { s, asked } = await world(t, account);
    const front = await listen(t, s);
    front.answerAll(() => ({ allow: true }));
    await s.sh(`cd ${asked}; mkdir new; mv one new/one; mv sub new/sub`);
    assert.deepEqual(told(front, asked), ['mkdir new', 'rename one', 'rename sub']);
    front.answerAll(() => ({ allow: false }));
    const attempts = ['cat new/one', 'cat new/sub/deep', 'echo x > new/one', 'rm new/one', 'echo x > new/sub/deep'];
    attempts.push(
      'echo x > new/sub/made',
      'mv new/sub/deep new/deep',
      'ln two new/two',
      'ln new/one new/more',
      'mv two new/x',
    );
    // What is made there gets no name beside it without a question, nor takes the place of what is there.
    attempts.push('echo x > new/own && mv new/own own', 'mv new/own two', 'mv new/own new/one', 'ln new/own own');
    for (const attempt of attempts) {
      const before = front.questions.length;
      const { code } = await s.cli(['run', '--quiet', '--', 'sh', '-ec', `cd ${asked}; ${attempt}`]);
      assert.notEqual(code, 0, attempt);
      assert.equal(front.questions.length, before + 1, attempt);
    }
    assert.equal(await s.sh(`cd ${asked}; ls new new/sub; cat new/own`), 'new:\none\nown\nsub\n\nnew/sub:\ndeep\nx\n');
  });
}

test('what is made is asked about again after a commit, a travel, or when rules change; a nearer rule asks at once', async (t) => {
  const { s, asked } = await world(t, self);
  const user = join(s.home, '.config/yolofs/config.toml');
  writeFileSync(user, `${readFileSync(user, 'utf8')}"**/*.key" = "ask"\n`);
  const front = await listen(t, s);
  front.answerAll(() => ({ allow: true }));
  await s.sh(`cd ${asked}; mkdir new; echo 1 > new/a; echo 2 > new/k.key; echo 3 >> new/k.key`);
  assert.deepEqual(told(front, asked), ['mkdir new', 'create new/k.key']);
  const again = async (): Promise<string[]> => {
    const from = front.questions.length;
    await s.sh(`echo more >> ${asked}/new/a`);
    return told(front, asked, from);
  };
  assert.deepEqual(await again(), []);
  await s.succeed(['rule', 'set', 'other', 'deny']);
  assert.deepEqual(await again(), ['open new/a']);
  await s.sh(`mkdir ${asked}/new/b`);
  await s.succeed(['travel', '1']);
  assert.deepEqual(await again(), ['open new/a']);
  await s.commit();
  assert.deepEqual(await again(), ['open new/a']);
  assert.equal(readFileSync(join(asked, 'new/a'), 'utf8'), '1\nmore\n');
});
