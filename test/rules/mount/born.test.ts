/** Names that stand for a secret anywhere, by the built-in rules: closed where the base has them, whatever the way, and open where they were made. */
import assert from 'node:assert/strict';
import { appendFileSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../../support/accounts.ts';
import { plainDirectory } from '../../support/plain.ts';
import { giveTo, PROGRAM, type Session, session } from '../../support/session.ts';

function seed(project: string): void {
  for (const dir of ['app', 'shut/.aws', 'links']) mkdirSync(join(project, dir), { recursive: true });
  for (const path of ['.env', 'app/.env', 'shut/.aws/credentials'])
    writeFileSync(join(project, path), `SECRET=${path}\n`);
  for (const path of ['.env.example', 'plain', 'stored']) writeFileSync(join(project, path), 'PORT=1\n');
  writeFileSync(join(project, 'links/real'), 'SECRET=links\n');
  const beside = join(project, '../beside');
  mkdirSync(beside);
  writeFileSync(join(beside, '.env'), 'SECRET=beside\n');
  linkSync(join(beside, '.env'), join(beside, 'conf'));
  symlinkSync('real', join(project, 'links/.env'));
}

/** Each is refused, and shows no secret. */
const CLOSED = [
  ...['cat .env', 'echo x > .env', 'echo x >> .env', 'rm -f .env', 'mv .env y', 'ln .env y', 'chmod 666 .env'],
  ...[
    'mv plain .env',
    'cp plain .env',
    'ln -f plain .env',
    'ln -sf plain .env',
    'tar x -f env.tar',
    'truncate -s 0 .env',
  ],
  ...[
    'mv app app2 && cat app2/.env',
    'mv app app2 && mv app2/.env app2/y',
    'ln -s .env y && cat y',
    'cat links/.env links/real',
  ],
  ...[
    'ls shut/.aws',
    'cat shut/.aws/credentials',
    'echo x > shut/.aws/.env',
    'mkdir shut/.aws/.ssh',
    'mv plain shut/.aws/plain',
  ],
  // Nobody has looked at either name before; the base has both.
  ...['stat ../beside/conf && cat ../beside/.env', 'ls -l ../beside && cat ../beside/.env ../beside/conf'],
  ...['mv shut/.aws y', 'mv shut y && cat y/.aws/credentials', 'mv shut y && echo x > y/.aws/.env'],
];

/** What a project begins with, in a directory that is new. */
const OPEN = [
  'mkdir fresh && cd fresh && cp ../.env.example .env && echo A=1 >> .env && sed -i s/1/2/ .env && cat .env',
  'cd fresh && ln .env name && rm .env && mv name .env && chmod 600 .env && cat .env && grep -c A= .env',
  'cd fresh && mkdir -p .aws/deep .ssh && echo k > .aws/credentials && echo d > .aws/deep/.env && ls -A .aws && cat .aws/credentials .aws/deep/.env',
  'cd fresh && mv ../plain .env.local && cat .env.local && mv .env.local plain && cat plain',
  // As package managers do it with what lies in their store.
  'cd fresh && ln ../stored .env.stored && cat .env.stored ../stored',
  'cd fresh && ln -s .env .env.link && cat .env.link && rm .env.link',
  'mkdir -p pack/in && echo P=1 > pack/in/.env && tar c -C pack -f in.tar in && mkdir out && tar x -C out -f in.tar && cat out/in/.env',
  'git init -q made && cd made && echo G=1 > .env && git add -f .env && git -c user.name=a -c user.email=a@b commit -qm one && cd .. && git clone -q made cloned && cat cloned/.env',
  'mv app old && mkdir app && echo B=1 > app/.env && cat app/.env',
];

function inView(s: Session, script: string): ReturnType<Session['cli']> {
  return s.native([PROGRAM, 'run', '--quiet', '--', 'sh', '-c', script]);
}

for (const account of accounts()) {
  test(`a name that stands for a secret is closed where the base has it, for ${account.title}`, async (t) => {
    const s = await session(t, { account, seed, rules: 'default' });
    await s.sh('mkdir pack; echo x > pack/.env; tar c -C pack -f env.tar .env');
    for (const script of CLOSED) {
      const { code, stdout } = await inView(s, script);
      assert.notEqual(code, 0, script);
      assert.doesNotMatch(stdout, /SECRET/, script);
      await s.succeed(['travel', '1']);
    }
    assert.equal(readFileSync(join(s.project, '.env'), 'utf8'), 'SECRET=.env\n');
  });

  test(`a name that stands for a secret is open where it was made, until the base has it, for ${account.title}`, async (t) => {
    const s = await session(t, { account, seed, rules: 'default' });
    const plain = plainDirectory(account);
    t.after(() => plain.remove());
    seed(plain.project);
    await giveTo(account, plain.project);
    for (const script of OPEN) {
      const [inside, outside] = [await inView(s, script), await s.native(['sh', '-c', script], { cwd: plain.project })];
      assert.equal(outside.code, 0, `${script}: ${outside.stderr}`);
      assert.deepEqual([inside.code, inside.stdout], [0, outside.stdout], `${script}: ${inside.stderr}`);
    }
    assert.match((await inView(s, 'cat old/.env')).stdout, /^$/, 'what the base had in a directory that was moved');
    await s.commit();
    const own = 'cat fresh/.env fresh/.aws/credentials';
    assert.equal((await inView(s, own)).stdout, '', 'the base has it now');
    await s.succeed(['undo']);
    assert.equal((await inView(s, own)).stdout, 'PORT=2\nA=2\nk\n', 'it is staged again');
    await s.commitForGood();
    assert.equal(readFileSync(join(s.project, 'fresh/.env'), 'utf8'), 'PORT=2\nA=2\n');
    assert.equal(readFileSync(join(s.project, 'old/.env'), 'utf8'), 'SECRET=app/.env\n');
    appendFileSync(join(s.project, 'fresh/.env'), 'SECRET=person\n');
    const after = await inView(s, `${own}; echo x >> fresh/.env`);
    assert.deepEqual(
      { code: after.code, stdout: after.stdout },
      { code: 2, stdout: '' },
      'and a person may write there',
    );
  });
}
