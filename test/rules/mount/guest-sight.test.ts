/** S6: what `yolofs diff` shows inside is judged by what a file is, not by its path. */
import assert from 'node:assert/strict';
import { appendFileSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts, ordinary } from '../../support/accounts.ts';
import { giveTo, MAIN, type Session, seedSmall, session } from '../../support/session.ts';

const CANARY = 'canary-e05d';
const END = 'end-of-output-b41f';
const NAMES = ['linked', 'moved', 'written', 'removed', 'followed', 'target'];

for (const account of accounts()) {
  test(`S6: diff inside shows nothing of a file that another name denies, as ${account.title}`, async (t) => {
    const seed = (project: string): void => {
      seedSmall(project);
      for (const name of NAMES) writeFileSync(join(project, name), `${name} base\n`);
      linkSync(join(project, 'removed'), join(project, 'removed-too'));
    };
    const s = await session(t, { account, seed });
    await giveTo(account, s.project);
    await s.sh(
      [
        'ln linked linked-alias; echo more >> hello.txt',
        'mkdir sub; mv moved sub/moved-alias',
        'ln written written-alias',
        `echo ${CANARY} >> written-alias`,
        'rm removed-too',
        `ln target target-alias; ln -s target .env; echo ${CANARY} >> target-alias`,
      ].join('\n'),
    );
    const diff = [process.execPath, MAIN, 'diff'];
    const before = await s.cli(['run', '--quiet', '--no-snapshot', '--', ...diff]);
    assert.equal(before.stdout.split(CANARY).length - 1, 4, `the probe shows what is allowed\n${before.stdout}`);

    for (const name of NAMES) await s.succeed(['rule', 'set', name === 'target' ? '**/.env' : name, 'deny']);
    for (const name of ['linked', 'moved', 'removed']) appendFileSync(join(s.project, name), `${CANARY}\n`);
    const read = 'for f in linked-alias sub/moved-alias written-alias target-alias; do cat $f && echo READ; done; true';
    const shown = await s.cli(['run', '--quiet', '--no-snapshot', '--', 'sh', '-c', `stat .env; ${read}`]);
    assert.doesNotMatch(shown.stdout, /READ/);
    for (const words of [diff, [...diff, '0..'], [...diff, '--json'], [...diff, '--', 'linked-alias']]) {
      const result = await s.cli(['run', '--quiet', '--no-snapshot', '--', ...words]);
      assert.ok(!result.stdout.includes(CANARY), `${words.slice(2).join(' ')}\n${result.stdout}`);
      assert.match(result.stderr, /^not shown inside the view: \d+ that the rules keep from being read$/m);
    }
    const inside = await s.cli(['run', '--quiet', '--no-snapshot', '--', ...diff]);
    assert.match(inside.stdout, /^\+more$/m, 'what is allowed is shown');
    assert.match(await s.succeed(['diff']), new RegExp(`\\+${CANARY}`), 'and all of it outside');
  });
}

/** What commands print inside, one after the other, in one run. */
async function inside(s: Session, lists: readonly (readonly string[])[]): Promise<readonly string[]> {
  const each = lists.map((words) => `"$@" ${words.join(' ')} 2>&1 || echo failed; echo ${END}`).join('\n');
  const program = ['sh', '-c', each, 'sh', process.execPath, MAIN];
  const { stdout } = await s.cli(['run', '--quiet', '--no-snapshot', '--', ...program]);
  const outputs = stdout.split(`${END}\n`).slice(0, -1);
  assert.equal(outputs.length, lists.length, stdout);
  assert.doesNotMatch(stdout, /^failed$/m);
  return outputs;
}

test('S6: diff inside shows nothing of what a file held before it had the name that is denied now', async (t) => {
  const s = await session(t, { account: ordinary() });
  await s.sh(`echo ${CANARY} > note; echo ${CANARY} > linked`);
  await s.sh(`mkdir sub; mv note sub/key.secret; ln linked sub/linked.secret; echo ${CANARY} two > fine`);
  const diffs = ['0..1', '1..0', 'all', '-- linked'].map((range) => ['diff', range]);
  const [first = ''] = await inside(s, diffs);
  assert.equal(first.split(CANARY).length - 1, 2, `the probe shows what is allowed\n${first}`);
  await s.succeed(['rule', 'set', '**/*.secret', 'deny']);
  const outputs = await inside(s, diffs);
  for (const output of outputs) assert.ok(!output.includes(`${CANARY}\n`), output);
  assert.match(outputs[2] ?? '', new RegExp(`\\+${CANARY} two`), 'what is allowed is shown');
  assert.equal((await s.succeed(['diff', '0..1'])).split(CANARY).length - 1, 2, 'and all of it outside');
});

test('S6: status and audit inside tell no name that is hidden now', async (t) => {
  const s = await session(t, { account: ordinary() });
  await s.sh(
    'd=secret; mkdir $d-dir; echo x > $d-dir/in; echo y > $d-file; mv $d-file $d-moved; echo z > seen; chmod 755 seen',
  );
  const lists = [['status'], ['status', '--json'], ['status', 'all'], ['audit'], ['audit', '--json']];
  for (const output of await inside(s, lists)) assert.match(output, /secret-/, 'the probe');
  await s.succeed(['rule', 'set', '**/secret-*', 'hidden']);
  for (const output of await inside(s, lists)) {
    assert.doesNotMatch(output, /secret-/);
    assert.match(output, /seen/);
    assert.match(output, /^not shown inside the view: \d names? that the rules hide$/m);
  }
  assert.match(await s.succeed(['audit']), /secret-dir.*\n.*secret-dir\/in/);
});

test('S6: log, audit and travel inside show no command line and no name of a snapshot that names what is hidden now', async (t) => {
  const s = await session(t, { account: ordinary() });
  await s.succeed(['run', '--name', 'before secret-two', '--', 'sh', '-c', 'echo x > "secret-one"']);
  await s.succeed(['run', '--name', 'fine', '--', 'sh', '-c', 'mkdir notes; cd notes; echo y > diary']);
  await s.succeed(['run', '--', 'sh', '-c', `cat ${s.project}/private/in 2>&-; echo z > seen`]);
  const lists = [
    ['log'],
    ['log', '--json'],
    ['audit'],
    ['audit', '--json'],
    ['travel', '1'],
    ['travel', '1', '--json'],
  ];
  const before = (await inside(s, lists)).slice(0, 5).join('');
  for (const name of ['secret-one', 'secret-two', 'diary', 'private'])
    assert.match(before, new RegExp(name), 'the probe');
  for (const path of ['**/secret-*', 'notes/diary', 'private/**']) await s.succeed(['rule', 'set', path, 'hidden']);
  for (const output of await inside(s, lists)) {
    assert.doesNotMatch(output, /secret-|diary|private/);
    assert.match(output, /\(not shown\)/);
    assert.match(output, /fine|traveled|"target"/);
  }
  assert.match(await s.succeed(['log']), /secret-two.*secret-one/);
});

/** Sends what a program may send as it likes, and shows what it is told. */
const ASK = `const s = require('net').connect('/dev/yolofs'); let text = ''; s.write(process.argv[1] + '\\n');
s.on('data', (d) => { text += d; }).on('close', () => {
  console.log(text.trim().split('\\n').map((line) => Object.values(JSON.parse(line)).join('')).join(''));
});`;

test('a guest does not learn from what it asks about whether a file of the host is there', async (t) => {
  const seed = (project: string): void => {
    seedSmall(project);
    mkdirSync(join(project, 'secret-dir/in'), { recursive: true });
    writeFileSync(join(project, 'secret-dir/file'), CANARY);
  };
  const s = await session(t, { account: ordinary(), seed });
  await s.succeed(['rule', 'set', 'secret-dir', 'hidden']);
  const asked = [
    [join(s.project, 'secret-dir'), 'file'],
    [join(s.project, 'secret-dir/in'), '../file'],
    [s.project, 'secret-dir/file'],
    ['/', join(s.project, 'secret-dir/file')],
  ] as const;
  const answers = [];
  for (const [cwd, word] of asked) {
    for (const of of [word, word.replace(/file$/, 'none')]) {
      const request = JSON.stringify({ words: ['diff', of], cwd });
      const run = ['run', '--quiet', '--no-snapshot', '--', process.execPath, '-e', ASK, request];
      answers.push((await s.succeed(run)).replace(/'[^']*' is/, 'WORD is'));
    }
  }
  assert.match(answers[0] ?? '', /WORD.* is neither a generation/);
  assert.deepEqual(new Set(answers).size, 1, answers.join('\n'));
});

test('paths that a guest asks about are those of the view, from where it stands', async (t) => {
  const s = await session(t, { account: ordinary() });
  const { stdout } = await s.cli([
    ...['run', '--quiet', '--no-snapshot', '--', 'sh', '-c'],
    `mkdir -p new/deep; cd new/deep; echo one > mine; echo two > ../other
    "$0" "$1" diff mine | grep '^[+]'; "$0" "$1" status | grep other; "$0" "$1" diff ../../hello.txt && echo unchanged`,
    process.execPath,
    MAIN,
  ]);
  assert.equal(
    stdout.replaceAll(/^\n/gm, ''),
    ['+++ b/new/deep/mine', '+one', '  ../other', 'unchanged', ''].join('\n'),
  );
});
