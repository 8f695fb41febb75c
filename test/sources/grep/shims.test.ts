/** grep on the view's PATH, where the person wants it to know sources: the same as the real one, whatever is asked of it, and the server helps. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { session } from '../../support/session.ts';
import { makeCollection, PUBLICLY, pageRows } from '../chroma/collections.ts';
import { type Asked, startProtocolServer } from '../servers/chroma-protocol.ts';

const AT = '/sources/docs';
/** Behind the shims and the real programs: node may lie anywhere. */
const PATH = `PATH="$PATH:${dirname(process.execPath)}"; export PATH LC_ALL=C.UTF-8; set +e; cd ${AT}`;
const SHIM = 'grep';
const REAL = '/usr/bin/env PATH=/usr/bin:/bin grep';

/** As `yolofs grep` answers them, and as it does not. */
const OURS = [
  `-r needle ${AT}`,
  '-rn needle .',
  '-rhoi "NEED[a-z]*" .',
  `-c needle ${AT}/a.md ${AT}/none.md`,
  '-rL needle',
  '-r --include=b* -e needle -e hay',
  `needle ${AT}/a.md ~/mine`,
  '"[" .',
];
const THEIRS = ['-rP "ne+dle" .', '-r --color=always needle .', '--version', '--stat needle .', 'needle ~/mine', '-V'];

test('grep of the PATH is as the real one, in a source and elsewhere, and has the server asked', async (t) => {
  const server = await startProtocolServer();
  const rules = 'default_rules = false\n[session]\nshims = ["grep"]\n';
  const s = await session(t, { onStopped: server.stop, rules });
  const texts = { 'a.md': 'a needle\n', 'b.md': 'hay\nand a Needle\n', 'c/d.md': 'hay\n' };
  const rows = Object.entries(texts).flatMap(([path, text]) => pageRows(path, [text], PUBLICLY));
  const { name } = await makeCollection(server.url, rows);
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', name]);
  const said = async (program: string, lines: readonly string[]): Promise<string[]> => {
    const each = lines.map(
      (line) => `echo needle here | ${program} ${line} > ~/out 2>&1; echo "$?" >> ~/out; cat ~/out; echo ==`,
    );
    return (await s.sh(`${PATH}; echo my needle > ~/mine; ${each.join('; ')}`)).split('==\n');
  };
  const isSearch = ({ body }: Asked): boolean => JSON.stringify(body.where_document ?? '').includes('$regex');
  assert.match(await s.sh('command -v grep'), /\/shims\/grep\/grep\n$/);
  const ours = await said(SHIM, OURS);
  const isAsked = server.asked.some(isSearch);
  const theirs = await said(SHIM, THEIRS);
  assert.deepEqual(theirs, await said(REAL, THEIRS));
  assert.deepEqual(ours, await said(REAL, OURS));
  assert.match(ours[0] ?? '', /a\.md:a needle\n0\n/);
  // Of other versions nobody has shown that they say the same.
  assert.equal(isAsked, theirs[2]?.includes(' 3.8') === true, 'the server was asked');
});
