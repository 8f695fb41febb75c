/** The first search of a source, of which nothing is here yet: what is fetched for it, for whom, and where that gets to. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../support/leaks.ts';
import { MAIN, type Session, session } from '../../support/session.ts';
import { makeCollection, PUBLICLY, pageRows, type RawRow } from '../chroma/collections.ts';
import { type Asked, type ProtocolServer, startProtocolServer } from '../servers/chroma-protocol.ts';

const AT = '/sources/docs';
const YOLOFS = `'${process.execPath}' '${MAIN}'`;
const PAGE = 'hay\na needle\n';
const OPEN = ['a/one', 'a/two', 'b/three', 'top'];

test('contents come with what may match, are told of nothing that is closed or staged, and get into the files', async (t) => {
  const { s, server } = await withNeedles(t);
  await s.sh(`cd ${AT}; mv a/gone.md a/moved.md; echo needle >> b/changed.md`);
  const lines = await s.sh(
    `cd ${AT}; code=0; ${YOLOFS} grep -rn needle . > ~/out 2>&1 || code=$?; sort ~/out; echo $code`,
  );
  const open = OPEN.map((name) => `./${name}.md:2:a needle`);
  const staged = ['./a/moved.md:2:a needle', './b/changed.md:2:a needle', './b/changed.md:3:needle'];
  const refused = ['./a/secret.md', './b/asked.md'].map((path) => `grep: ${path}: Permission denied`);
  assert.deepEqual(lines.trim().split('\n').sort(), [...open, ...staged, ...refused, '2'].sort());
  // Those that are staged are opened in the view, which asks for what they were.
  const isOriginal = (page: string): boolean => !['a/gone', 'b/changed'].includes(page);
  assert.deepEqual(pagesRead(server).flat().filter(isOriginal), []);
  assert.equal(server.asked.filter(isForContents).length, 1);
  const before = pagesRead(server).length;
  // Whether that is in its file by now or not.
  assert.equal(await s.sh(`cat ${AT}/b/three.md`), PAGE);
  assert.equal(pagesRead(server).length, before);
  assert.ok(await eventually(() => OPEN.every((name) => isFilled(s, name))));
  assert.ok(!['a/secret', 'b/asked', 'hidden'].some((name) => isFilled(s, name)));
});

test('a page of which one chunk matches is fetched whole', async (t) => {
  const { s } = await withNeedles(t, pageRows('b/half', ['hay\n', 'a needle\n', 'hay\n'], PUBLICLY));
  const found = await s.sh(`${YOLOFS} grep -rn needle ${AT} 2> /dev/null | grep half || true`);
  assert.equal(found, `${AT}/b/half.md:2:a needle\n`);
  assert.equal(await s.sh(`cat ${AT}/b/half.md`), 'hay\na needle\nhay\n');
  const file = `${s.layout.sources}/root${AT}/b/half.md`;
  assert.ok(await eventually(() => readFileSync(file, 'utf8') === 'hay\na needle\nhay\n'));
});

test('what is here since an earlier start does not come again', async (t) => {
  const { s, server } = await withNeedles(t);
  const search = (): Promise<string> => s.sh(`${YOLOFS} grep -rh needle ${AT} 2> /dev/null || true`);
  const lines = await search();
  assert.equal(lines, 'a needle\n'.repeat(6));
  assert.ok(await eventually(() => OPEN.every((name) => isFilled(s, name))));
  await s.succeed(['stop']);
  const before = server.asked.length;
  assert.equal(await search(), lines);
  const since = server.asked.slice(before);
  assert.ok(!since.some(isForContents));
  assert.deepEqual(since.flatMap(pagesOf), []);
});

test('what a search leaves out by its name is not fetched for it, and neither is more than -q needs', async (t) => {
  const { s, server } = await withNeedles(t);
  const found = await s.sh(`${YOLOFS} grep -r --include='t*' needle ${AT}/a ${AT}/top.md`);
  assert.deepEqual(found.trim().split('\n').sort(), [`${AT}/a/two.md:a needle`, `${AT}/top.md:a needle`]);
  assert.deepEqual(pagesRead(server).flat().sort(), ['a/two', 'top']);
  await s.sh(`${YOLOFS} grep -q needle ${AT}/b/three.md`);
  assert.deepEqual(pagesRead(server).flat().sort(), ['a/two', 'b/three', 'top']);
});

test('lines of files below one directory are fetched at once', async (t) => {
  const { s, server } = await withNeedles(t);
  const found = await s.sh(`${YOLOFS} grep -rh needle ${AT}/a 2> /dev/null || true`);
  assert.equal(found, 'a needle\n'.repeat(3));
  assert.deepEqual(
    pagesRead(server).map((pages) => pages.sort()),
    [['a/gone', 'a/one', 'a/two']],
  );
});

for (const [what, options] of [
  ['lines', '-rh'],
  // Offsets in a file take all of its content.
  ['contents', '-rhb'],
] as const) {
  test(`what is closed while the server still answers is not told: ${what}`, async (t) => {
    const { s, server } = await withNeedles(t);
    await s.sh(`ls -R ${AT}`);
    const answer = withhold(server, (asked) => pagesOf(asked).includes('a/two'));
    const found = s.sh(`${YOLOFS} grep ${options} needle ${AT}/a 2>&1 || true`);
    assert.ok(await eventually(() => pagesRead(server).flat().includes('a/two')));
    await s.succeed(['rule', 'set', `${AT}/a/two.md`, 'deny']);
    answer();
    const [line, refused] = [
      options.includes('b') ? '4:a needle' : 'a needle',
      ['secret', 'two'].map((name) => `grep: ${AT}/a/${name}.md: Permission denied`),
    ];
    assert.deepEqual((await found).trim().split('\n').sort(), [line, line, ...refused].sort());
  });
}

test('what is closed while the server still answers with contents is not told, and not kept', async (t) => {
  const { s, server } = await withNeedles(t);
  await s.sh(`ls -R ${AT}`);
  const answer = withhold(server, isForContents);
  const found = s.sh(`${YOLOFS} grep -rh needle ${AT} 2>&1 || true`);
  assert.ok(await eventually(() => server.asked.some(isForContents)));
  await s.succeed(['rule', 'set', `${AT}/a/two.md`, 'deny']);
  answer();
  const refused = ['a/secret', 'a/two', 'b/asked'].map((name) => `grep: ${AT}/${name}.md: Permission denied`);
  assert.deepEqual((await found).trim().split('\n').sort(), [...Array(5).fill('a needle'), ...refused].sort());
  assert.ok(await eventually(() => ['top', 'b/three'].every((name) => isFilled(s, name))));
  assert.ok(!['a/secret', 'a/two', 'b/asked', 'hidden'].some((name) => isFilled(s, name)));
});

test('an output that cannot be written is told as by GNU grep, a reader who has seen enough is nothing to tell', async (t) => {
  const { s } = await withNeedles(t);
  const said = (grep: string): Promise<string> =>
    s.sh(`cd ${AT}; code=0; ${grep} -r needle a/one.md > /dev/full 2> ~/err || code=$?; cat ~/err; echo $code
      ${grep} -rh needle top.md a/two.md 2>&1 | head -n 1`);
  const own = await said(`${YOLOFS} grep`);
  assert.equal(own, 'grep: write error: No space left on device\n2\na needle\n');
  assert.equal(own, await said('grep'));
});

/** Pages of two lines, the second with a needle, some of which cannot be read. */
async function withNeedles(
  t: TestContext,
  more: readonly RawRow[] = [],
): Promise<{ s: Session; server: ProtocolServer }> {
  const server = await startProtocolServer();
  const rules = `default_rules = false\n[rules]\n"${AT}/a/secret.md" = "deny"\n"${AT}/b/asked.md" = "ask"\n"${AT}/hidden.md" = "hidden"\n`;
  const s = await session(t, { onStopped: server.stop, rules, noisy: true });
  const names = [...OPEN, 'a/secret', 'a/gone', 'b/asked', 'b/changed', 'hidden'];
  const rows = [...names.flatMap((name) => pageRows(name, [PAGE], PUBLICLY)), ...more];
  const { name } = await makeCollection(server.url, rows);
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', name, '--extension', '.md']);
  return { s, server };
}

/** The server holds such answers back until that is called. */
function withhold(server: ProtocolServer, isMeant: (asked: Asked) => boolean): () => void {
  let answer = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.fault = (asked) => (isMeant(asked) ? { kind: 'withheld', until } : undefined);
  return () => answer();
}

/** Whether the content of a page is in its file. */
function isFilled(s: Session, name: string): boolean {
  return readFileSync(`${s.layout.sources}/root${AT}/${name}.md`, 'utf8') === PAGE;
}

/** The pages of each request for contents. */
function pagesRead({ asked }: ProtocolServer): string[][] {
  return asked.map(pagesOf).filter((list) => list.length > 0);
}

/** Whether it asks for what matches, with the contents. */
function isForContents({ body }: Asked): boolean {
  return body.where_document !== undefined && JSON.stringify(body.include).includes('documents');
}

function pagesOf({ body }: Asked): string[] {
  const lists = JSON.stringify(body.where ?? {}).matchAll(/"page":{"\$in":(\[[^\]]*\])/g);
  return body.where_document === undefined ? [...lists].flatMap(([, list = '[]']) => JSON.parse(list) as string[]) : [];
}
