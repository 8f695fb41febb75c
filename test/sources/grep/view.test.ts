/** `yolofs grep` in a real view, where the server of a source narrows it down: the same as the real grep, and nobody learns more by it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Statistics } from '../../../src/sources/grep/step-search.ts';
import { Random } from '../../random/random.ts';
import { SEED } from '../../random/seed.ts';
import { MAIN, type Session, session } from '../../support/session.ts';
import { makeCollection, PUBLICLY, pageRows, type RawRow } from '../chroma/collections.ts';
import { type Asked, type ProtocolServer, startProtocolServer } from '../servers/chroma-protocol.ts';
import { writeCorpus } from './cases.ts';

const AT = '/sources/docs';
const CORPORA = 12;
/** Sends a line to the daemon from inside and shows what comes. */
const ASK = `const s = require('net').connect('/dev/yolofs'); let text = '';
s.on('data', (d) => { text += d; }).on('close', () => process.stdout.write(text)); s.write(process.argv[1] + '\\n');`;
const YOLOFS = `'${process.execPath}' '${MAIN}'`;

test('random searches of a source in a view: the same as GNU grep, also over what is staged, and few files are read', async (t) => {
  const random = new Random(SEED);
  const { s, server } = await withPages(t, (dir) =>
    Array.from({ length: CORPORA }, (_, i) => {
      writeCorpus(dir, random);
      return filesBelow(dir).flatMap((path) =>
        pageRows(`c${i}/${path}`, cut(readFileSync(join(dir, path), 'utf8'), random), PUBLICLY),
      );
    }).flat(),
  );
  const searched = async (directories: readonly string[], count: number): Promise<Statistics & { excerpts: number }> =>
    JSON.parse(await s.program('sources/grep/view-main.js', [String(SEED), String(count), ...directories]));
  const directories = Array.from({ length: CORPORA }, (_, i) => `${AT}/c${i}`);
  const fresh = await searched(directories, 8);
  // Of what was read lately the lines that may match are told, in place of contents.
  const again = await searched(directories, 100);
  assert.ok(fresh.excerpts > 0 && again.excerpts > 20 && again.matched > 20, JSON.stringify(again));
  assert.ok(fresh.matched > 20 && fresh.read >= fresh.matched && fresh.read < fresh.files, JSON.stringify(fresh));
  const isSearch = ({ body }: Asked): boolean => JSON.stringify(body.where_document ?? '').includes('$regex');
  assert.ok(server.asked.some(isSearch), 'the server was asked');
  const changes =
    'echo "foo ab é" >> a.txt; mv b.md b.txt; mv d e; echo aa > b.md; chmod 600 e/c.txt; ln e/c.txt f.txt';
  await s.sh(`for dir in c0 c1 c2; do cd ${AT}/$dir; ${changes}; done`);
  const staged = await searched(directories.slice(0, 4), 20);
  assert.ok(staged.matched > 10 && staged.read < staged.files, JSON.stringify(staged));
});

test('a guest is told what it can see and has to open itself, hears of no hidden file, and gets no content that is not open to it', async (t) => {
  const names = ['open', 'secret', 'hidden', 'asked', 'staged', 'moved', 'written'];
  const { s } = await withPages(
    t,
    () => [
      ...names.flatMap((name) => pageRows(`${name}.md`, [`the ${name} one\n`], PUBLICLY)),
      ...pageRows('billing.md', ['for few\n'], { isPublic: false, groups: ['billing'] }),
    ],
    `default_rules = false\n[rules]\n"${AT}/secret.md" = "deny"\n"${AT}/hidden.md" = "hidden"\n"${AT}/asked.md" = "ask"\n`,
  );
  await s.sh(`cd ${AT}; echo needle > staged.md; mv moved.md away.md`);
  const paths = [...names, 'billing', 'none'].map((name) => `${AT}/${name}.md`);
  const needle = { kind: 'literal', text: 'needle', fold: false };
  const narrow = JSON.stringify({ narrow: needle, within: [AT] });
  // What each of them has: of those that it may not just read nothing is told.
  const the = { ...needle, text: 'the' };
  const excerpts = JSON.stringify({
    narrow: { kind: 'and', parts: [the, { ...the, text: 'one' }] },
    within: [AT],
    lines: 'plain',
  });
  const bring = JSON.stringify({ bring: paths });
  const refused = [
    { bring: [paths[0], paths[0]] },
    { bring: [`${AT}/../docs/open.md`] },
    { bring: ['open.md'] },
    { bring: [`${AT}/a\0b`] },
    { narrow: { kind: 'and', parts: Array(2000).fill(needle) }, within: [AT] },
    { narrow: needle, within: Array(300).fill(AT) },
    { narrow: { kind: 'literal' }, within: [AT] },
    { narrow: { ...needle, text: 'n'.repeat(1000) }, within: [AT] },
  ].map((request) => JSON.stringify(request));
  // Somebody who has a file open to write may be writing to it by a mapping, of which nobody hears.
  const lines = [narrow, bring, ...refused, excerpts, excerpts].map(
    (line) => `"$NODE" -e "$ASK" '${line.replaceAll("'", "'\\''")}'; echo`,
  );
  const script = `exec 3>> ${AT}/written.md\n${lines.join('\n')}`;
  const answers = (await s.sh(script, { env: { ASK, NODE: process.execPath } })).split(/(?<="exit":\d})\n\n/);
  const [places, dir, ...others] = bytesOf(answers[0])
    .split('\0')
    .filter((word) => word !== '');
  assert.deepEqual([places, dir], [AT, AT]);
  assert.deepEqual(others.sort(), ['asked.md', 'away.md', 'secret.md', 'staged.md', 'written.md']);
  assert.equal(bytesOf(answers[1]), '0 13\nthe open one\n');
  for (const [i, line] of refused.entries()) assert.match(answers[i + 2] ?? '', /not possible.*"exit":1/s, line);
  const [lists = '', told = ''] = bytesOf(answers[refused.length + 3]).split('\0\0\0');
  const [, , ...named] = lists.split('\0').filter((word) => word !== '');
  const lengths = named.map((name) => (name === 'open.md' ? '13' : '')).join(' ');
  assert.ok(named.includes('secret.md') && !named.includes('hidden.md'), lists);
  assert.equal(told, `${lengths}\nthe open one\n`);
});

test('directories without a match are left out, but what is new in them, closed, or counted is not', async (t) => {
  const { s } = await withPages(
    t,
    () =>
      ['a/b/one', 'a/two', 'c/d/three', 'closed/four', 'e/five', 'hidden/six'].flatMap((path) =>
        pageRows(`${path}.md`, [path === 'e/five' ? 'a needle\n' : 'hay\n'], PUBLICLY),
      ),
    `default_rules = false\n[rules]\n"${AT}/closed" = "deny"\n"${AT}/hidden" = "hidden"\n`,
  );
  const searched = async (grep: string, options: string): Promise<string> => {
    const script = `cd ${AT}; code=0; ${grep} ${options} needle . > ~/out 2>&1 || code=$?; sort ~/out; echo $code`;
    return (await s.sh(script)).replaceAll('yolofs grep', 'grep');
  };
  const [plain, counted] = [await searched(`${YOLOFS} grep`, '-r'), await searched(`${YOLOFS} grep`, '-rc')];
  assert.match(plain, /closed: Permission denied\n/);
  assert.match(plain, /five\.md:a needle\n/);
  assert.ok(!plain.includes('hidden'), plain);
  assert.equal(plain, await searched('grep', '-r'));
  assert.equal(counted, await searched('grep', '-rc'));
  await s.sh(
    `cd ${AT}; mkdir a/b/new; echo needle > a/b/new/x; echo needle > c/d/y; mv a/two.md c/z; ln -s ../e c/link`,
  );
  for (const options of ['-r', '-rc', '-R', '-rL'])
    assert.equal(await searched(`${YOLOFS} grep`, options), await searched('grep', options), options);
});

test('a server that does not answer: what is here is found, the rest is an error, as for GNU grep', async (t) => {
  const { s, server } = await withPages(t, () =>
    ['here', 'there'].flatMap((name) => pageRows(`${name}.md`, ['a needle\n'], PUBLICLY)),
  );
  await s.sh(`cat ${AT}/here.md`);
  server.fault = () => ({ kind: 'status', status: 500 });
  const searched = async (grep: string): Promise<string> =>
    s.sh(`cd ${AT}; code=0; ${grep} -r needle . 2> ~/err || code=$?; cat ~/err; echo $code`);
  const said = await searched(`${YOLOFS} grep`);
  assert.equal(said, './here.md:a needle\ngrep: ./there.md: Input/output error\n2\n');
  assert.equal(said, await searched('grep'));
});

async function withPages(
  t: TestContext,
  rows: (dir: string) => readonly RawRow[],
  rules?: string,
): Promise<{ s: Session; server: ProtocolServer }> {
  const server = await startProtocolServer();
  const s = await session(t, { onStopped: server.stop, ...(rules === undefined ? {} : { rules }) });
  const { name } = await makeCollection(server.url, rows(join(s.root, 'corpus')));
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', name]);
  return { s, server };
}

function filesBelow(dir: string): string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(dir.length + 1));
}

/** In parts, as splitters cut, in the midst of words. */
function cut(text: string, random: Random): string[] {
  const parts: string[] = [];
  for (let left = [...text]; left.length > 0 || parts.length === 0; ) {
    parts.push(left.splice(0, 1 + random.below(40)).join(''));
  }
  return parts;
}

/** What an answer writes on stdout; it ends well. */
function bytesOf(answer = ''): string {
  const text = answer.trim();
  const told: string[] = [];
  let exit: number | undefined;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
    const line = JSON.parse(text.slice(at, end)) as { out?: string; bytes?: number; exit?: number };
    at = end + 1 + (line.bytes ?? 0);
    told.push(line.out ?? text.slice(end + 1, at));
    exit = line.exit;
  }
  assert.equal(exit, 0, answer);
  return told.join('');
}
