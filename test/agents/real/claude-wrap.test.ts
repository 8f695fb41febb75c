/** The real Claude Code in the view as a whole, by default rules and with nobody listening: all its tools are staged. */
import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Account, self, someAccounts } from '../../support/accounts.ts';
import type { Result } from '../../support/exec.ts';
import { giveTo, type Session, session } from '../../support/session.ts';
import { contextTexts, messagesModel, resultOf } from '../model-servers/anthropic.ts';
import type { ScriptedModel } from '../model-servers/loopback.ts';
import { callTool } from '../model-servers/script.ts';
import { claudeEnvironment } from './claude.ts';
import { installClient } from './clients.ts';

const SETTINGS = '{"permissions":{"allow":["Bash","Write","Edit","Read"]}}\n';

const TOKENS = '{"claudeAiOauth":{"accessToken":"old","refreshToken":"r","expiresAt":4000000000000,"scopes":[]}}';
/** Claude Code itself would refuse these as a command; a program that it runs is not asked. */
const EVIL = "echo '{}' > ~/.claude/settings.json; cd ~/.claude/projects/*-project && ln -s ~/.bashrc x.jsonl\n";

async function wrapped(s: Session, model: ScriptedModel): Promise<Result> {
  const own = claudeEnvironment(s, model);
  const PATH = `${dirname(await installClient('claude'))}:${own.PATH}`;
  return s.cli(['wrap', 'claude', '-p', 'go on'], { env: { ...own, PATH }, timeout: 60_000 });
}

async function prepared(t: TestContext, account: Account): Promise<Session> {
  const s = await session(t, { account, rules: 'default' });
  writeFileSync(join(s.project, 'evil.sh'), EVIL);
  mkdirSync(join(s.home, '.claude/projects/-other'), { recursive: true, mode: 0o700 });
  writeFileSync(join(s.home, '.claude/projects/-other/t.jsonl'), '{"of":"another project"}\n');
  writeFileSync(join(s.home, '.claude/settings.json'), SETTINGS);
  writeFileSync(join(s.home, '.claude/.credentials.json'), TOKENS, { mode: 0o600 });
  if (account.uid !== self.uid) await giveTo(account, join(s.home, '.claude'));
  return s;
}

function baseText(s: Session, name: string): string | undefined {
  const path = join(s.project, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

for (const account of someAccounts()) {
  test(`claude, wrapped, as ${account.title}: all tools are staged, each call has its snapshot, the model hears of it`, async (t) => {
    const s = await prepared(t, account);
    const model = await messagesModel(t);
    const [multi, written] = [join(s.project, 'multi.txt'), join(s.project, 'written.txt')];
    model.say(
      callTool('Bash', { command: 'echo hi > made.txt; rm hello.txt; exit 3' }, 'one'),
      callTool('Write', { file_path: written, content: 'by the tool\n' }, 'two'),
      {
        calls: [
          { id: 'pa', tool: 'Bash', input: { command: 'echo a > pa.txt' } },
          { id: 'pb', tool: 'Bash', input: { command: 'echo b > pb.txt' } },
        ],
      },
      callTool('Read', { file_path: multi }, 'read'),
      callTool('Edit', { file_path: multi, old_string: 'line1', new_string: 'LINE' }, 'edit'),
      callTool('Bash', { command: 'sh evil.sh' }, 'evil'),
    );
    await s.sh('echo mine > mine.txt');
    await s.commit();
    const { code, stderr, stdout } = await wrapped(s, model);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /The script is over/);

    await t.test('all tools worked, and on the same files', () => {
      assert.match(resultOf(model.turns[1], 'one') ?? '', /Exit code 3/);
      assert.match(resultOf(model.turns[4], 'read') ?? '', /line1/);
      assert.match(resultOf(model.turns[5], 'edit') ?? '', /updated/);
    });
    await t.test('the next request says what each call has changed', () => {
      const told = (turn: number): string => contextTexts(model.turns[turn]).join('\n');
      // Claude Code may note the time of its own cleaning up during the first call.
      assert.match(
        told(1),
        /yolofs: 1 deleted, [12] added\n +deleted +hello\.txt\n(?: +added .*\.last-cleanup.*\n)? +added +made\.txt/,
      );
      assert.match(told(2), /added +written\.txt/);
      // Each by itself, either first, or both after one of them.
      for (const name of ['pa', 'pb']) assert.match(told(3), new RegExp(`^ +added .*\\b${name}\\.txt`, 'm'));
      assert.match(told(5), /modified +multi\.txt/);
    });
    await t.test('the base is as it was', () => {
      assert.equal(baseText(s, 'hello.txt'), 'base content\n');
      assert.equal(baseText(s, 'multi.txt'), 'line1\nline2\n');
      for (const name of ['made.txt', 'written.txt', 'pa.txt', 'pb.txt'])
        assert.equal(baseText(s, name), undefined, name);
    });
    await t.test('each call that changed something has a snapshot that is named after it', async () => {
      const log = JSON.parse(await s.succeed(['log', '--json'])) as { name?: string }[];
      const names = log.map(({ name }) => name ?? '');
      const expected = [
        'Bash: echo hi > made.txt; rm hello.txt; exit 3',
        'Write',
        'Bash: echo a > pa.txt',
        'Bash: echo b > pb.txt',
        'Edit',
      ];
      for (const name of expected) assert.ok(names.includes(name), `${name} in ${names.join(' | ')}`);
    });
    await t.test('its transcript is on the host; what could act outside is staged, and the link is gone', async () => {
      const projects = join(s.home, '.claude/projects');
      const [own = ''] = readdirSync(projects).filter((name) => name !== '-other');
      const transcripts = readdirSync(join(projects, own)).filter((name) => name.endsWith('.jsonl'));
      assert.equal(transcripts.length, 1, transcripts.join());
      const [transcript = ''] = transcripts.map((name) => join(projects, own, name));
      assert.ok(lstatSync(transcript).isFile());
      assert.match(readFileSync(transcript, 'utf8'), /echo hi > made\.txt/);
      assert.match(stderr, /removed .*x\.jsonl/);
      assert.equal(readFileSync(join(s.home, '.claude/settings.json'), 'utf8'), SETTINGS);
      assert.deepEqual(
        (await s.changeLines()).filter((line) => line.includes('/home/')),
        [`modified ${s.home}/.claude/settings.json`],
      );
    });
    await t.test('its counters are applied, and nobody was asked', () => {
      assert.ok('firstStartTime' in (JSON.parse(readFileSync(join(s.home, '.claude.json'), 'utf8')) as object));
      assert.doesNotMatch(stderr, /not answered|stays staged/);
    });
    await t.test("undo takes the person's last commit back, and leaves what the agent keeps", async () => {
      const state = readFileSync(join(s.home, '.claude.json'), 'utf8');
      assert.match((await s.cli(['undo'])).stderr, /^took commit 1 back: 1 change is staged again\n$/);
      assert.equal(existsSync(join(s.project, 'mine.txt')), false);
      assert.equal(readFileSync(join(s.home, '.claude.json'), 'utf8'), state);
      assert.ok((await s.changeLines()).every((line) => !line.endsWith('/.claude.json')));
      assert.match((await s.cli(['undo'])).stderr, /^yolofs: undo: there is no commit of yours to take back\n/);
    });
  });

  test(`claude, wrapped, as ${account.title}, that is killed leaves a whole session; tokens survive an abort`, async (t) => {
    const s = await prepared(t, account);
    const model = await messagesModel(t);
    model.say(callTool('Bash', { command: 'echo hi > made.txt; kill -9 $PPID' }));
    const { code, stderr } = await wrapped(s, model);
    assert.equal(code, 137, stderr);
    assert.deepEqual(await s.changeLines(), ['added made.txt']);
    assert.equal(await s.sh('cat made.txt'), 'hi\n');
    const other = await s.cli(['run', '--quiet', '--', 'sh', '-c', 'cat ~/.claude/projects/-other/*']);
    assert.doesNotMatch(other.stdout, /another project/);
    assert.match(other.stderr, /Permission denied/);
    // As a client does when a token has run out, and nobody was there to apply it.
    await s.sh(
      'cd ~/.claude; sed "s/old/new/" .credentials.json >c.tmp; mv c.tmp .credentials.json; chmod 600 .credentials.json',
    );
    assert.deepEqual((await s.changeLines()).length, 2);
    await s.abort();
    assert.deepEqual(await s.changeLines(), []);
    assert.equal(readFileSync(join(s.home, '.claude/.credentials.json'), 'utf8'), TOKENS.replace('old', 'new'));
  });
}
