/** rg on the view's PATH, where the person wants it to know sources: the same as the real one, whatever is asked of it, and fewer files are fetched. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { Random } from '../../random/random.ts';
import { SEED } from '../../random/seed.ts';
import { has } from '../../support/need.ts';
import { session } from '../../support/session.ts';
import { makeCollection, PUBLICLY, pageRows } from '../chroma/collections.ts';
import { type Asked, startProtocolServer } from '../servers/chroma-protocol.ts';

const AT = '/sources/docs';
const COUNT = 60;
const PATH = `PATH="$PATH:${dirname(process.execPath)}"; export PATH LC_ALL=C.UTF-8; set +e; cd ${AT}`;
const REAL = '/usr/bin/env PATH=/usr/bin:/bin rg';

/** Corners: what decides by itself what is searched, names that patterns have to escape, and what is no plain search. */
const LINES = [
  `needle ${AT}`,
  `nowhere-at-all ${AT}`,
  `-n needle ${AT}/`,
  `needle ${AT}/guide ${AT}/a.md`,
  '-F "a.b[" .',
  '"a.b[" .',
  '-w needle guide',
  '-S NEEDLE .',
  '-i NEEDLE .',
  '-s NEEDLE .',
  '-c needle .',
  '-v needle .',
  '--files .',
  '-l --hidden needle .',
  '-u needle .',
  "-g '*.md' needle .",
  "-g '!a*' needle .",
  '-t md needle .',
  '--files-without-match needle .',
  '--passthru needle .',
  '--max-depth 1 needle .',
  '-e needle -e hay .',
  '-A1 -B 1 -m2 needle .',
  '"n(ee)?dle" .',
  '--count --include-zero needle .',
  '--stats -q needle .',
  'needle ../docs/guide',
  'needle ./guide',
  'needle nothing-there',
  '--no-such-option needle .',
  'needle',
  '-x "a needle" link',
];

test('rg of the PATH is as the real one, and does not have fetched what cannot match', async (t) => {
  if (!has(t, ['rg'])) return;
  const random = new Random(SEED);
  const server = await startProtocolServer();
  const s = await session(t, { onStopped: server.stop, rules: 'default_rules = false\n[session]\nshims = ["rg"]\n' });
  const names = ['a.md', 'b.md', 'guide/c.md', 'guide/d [x]{y}*?.md', 'guide/!e.md', 'guide/#f.md', 'guide/deep/g.txt'];
  const more = ['barren/h.md', 'barren/deep/i.md', '.hidden/j.md', '.k.md', 'ünï/l.md', 'x y/m \\n.md', 'wide.md'];
  const texts = ['hay\nand a needle\nhay\n', 'A Needle\n', 'nothing\n', 'a.b[\n', 'a needle\n'];
  const rows = [...names, ...more].flatMap((path, i) => {
    const text = path.startsWith('barren') ? 'nothing\n' : (texts[i % texts.length] ?? '');
    return pageRows(path, [text], PUBLICLY);
  });
  const { name } = await makeCollection(server.url, rows);
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', name]);
  const said = async (program: string, lines: readonly string[]): Promise<string[]> => {
    const each = lines.map(
      (line) =>
        `${program} --sort=path ${line} > ~/out 2> ~/err < /dev/null; echo "$?" >> ~/out; cat ~/out ~/err; echo ==`,
    );
    return (await s.sh(`${PATH}; ${each.join('\n')}`)).split('==\n');
  };
  assert.match(await s.sh('command -v rg'), /\/shims\/rg\/rg\n$/);
  const isRead = ({ body }: Asked): boolean => /\$in/.test(JSON.stringify(body.where ?? ''));
  const isSearch = ({ body }: Asked): boolean => JSON.stringify(body.where_document ?? '').includes('$regex');
  const first = await said('rg', [`zebrafish ${AT}`]);
  const isKnown = (await s.sh('rg --version')).startsWith('ripgrep 13.');
  assert.equal(server.asked.some(isSearch), isKnown, 'the server was asked');
  // One, so that ripgrep does not say that it has searched none.
  if (isKnown) assert.ok(server.asked.filter(isRead).length <= 1, `${server.asked.filter(isRead).length} reads`);
  assert.deepEqual(first, await said(REAL, [`zebrafish ${AT}`]));
  const words = ['needle', 'NEEDLE', 'hay', 'a', 'nothing', 'a.b', 'nowhere', 'Needle$'];
  const flags = ['', '-n', '-i', '-w', '-l', '-c', '-S', '-o', '-F', '-x', '--hidden', '--column', '-v', '-g "*.txt"'];
  const places = ['.', AT, 'guide', `${AT}/guide/deep`, 'barren', '"x y"', 'a.md', 'guide a.md', '.hidden'];
  const randomly = Array.from(
    { length: COUNT },
    () => `${random.pick(flags)} ${random.pick(flags)} '${random.pick(words)}' ${random.pick(places)}`,
  );
  const changes = [
    'ln -s guide link; echo a needle > barren/new; mv b.md moved.md; rm -r "x y"; printf "\\377\\376n\\0e\\0e\\0d\\0l\\0e\\0" > wide.md',
    'printf "a.md\\n" > .ignore',
  ];
  for (const change of ['true', ...changes]) {
    await s.sh(`cd ${AT}; ${change}`);
    const lines = [...LINES, ...randomly];
    const [ours, theirs] = [await said('rg', lines), await said(REAL, lines)];
    for (const [i, line] of lines.entries())
      assert.equal(timeless(ours[i]), timeless(theirs[i]), `${change}: rg ${line}`);
  }
});

/** `--stats` says how long it took. */
function timeless(text = ''): string {
  return text.replace(/^[\d.]+ seconds.*$/gm, 'SECONDS');
}
