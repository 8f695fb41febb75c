/**
 * System directories at native speed: mounted into the view of an ordinary user who works there, and gone as soon as a rule is for them.
 * The one test is long, as it takes 5,000 files and a look at the host's /usr until they are there.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ordinary } from '../../../support/accounts.ts';
import { type Session, session } from '../../../support/session.ts';

/** Prints each mount of the host's /usr with its options: there is none before enough was opened. */
const MOUNTED = `awk '$5 ~ "^/usr" && !/ - fuse / { print $5, $6 }' /proc/self/mountinfo`;
const WORK = `
  find /usr -xdev -type f -perm -o+r -size -8 2> /dev/null | head -n 200 > list || true
  n=0
  while [ -z "$(${MOUNTED})" ] && [ $n -lt 600 ]; do
    [ $n -gt 40 ] || xargs cat < list > /dev/null
    n=$((n+1)); sleep 0.1
  done`;

test('what only root can change is the base itself for who works in the view, and closed as soon as a rule says so', async (t) => {
  const s = await session(t, { account: ordinary(), rules: 'default' });
  const lines = (await s.sh(`${WORK}\n${MOUNTED}`)).trimEnd().split('\n');
  for (const line of lines) assert.match(line, /^\/usr\S* ro,nosuid,nodev/, lines.join('\n'));
  const [mounted] = (lines[0] ?? '').split(' ') as [string];
  const [file, other] = (await s.sh(`find ${mounted} -type f -perm -o+r -links 1 -size -100 | head -n 2`)).split('\n');
  assert.ok(file !== undefined && other !== undefined);

  const before = await opened(s);
  const read = await s.sh(
    `for i in 1 2 3 4 5 6 7 8 9 10; do cat ${file} ${other} > /dev/null; done; od -An -tx1 -v ${file}`,
  );
  assert.equal(read.replace(/\s/g, ''), readFileSync(file, 'hex'), 'the same bytes');
  assert.ok((await opened(s)) - before < 300, 'no request for what is read there');

  // Each says what it would natively, or that nothing can be written there.
  for (const script of [
    `> ${file}`,
    `> ${mounted}/new`,
    `mkdir ${mounted}/new`,
    `rm -f ${file}`,
    `mv ${file} ${other}`,
    `chmod u+s ${file}`,
  ]) {
    const { code, stderr } = await s.cli(['run', '--', 'sh', '-c', script]);
    assert.notEqual(code, 0, script);
    assert.match(stderr, /Read-only file system|Permission denied|not permitted/, script);
  }
  assert.ok(!existsSync(`${mounted}/new`));
  assert.deepEqual(
    (await s.changes()).filter(({ path }) => path.startsWith('/usr')),
    [],
  );

  await s.succeed(['rule', 'set', file, 'deny']);
  const after = await s.cli(['run', '--', 'sh', '-c', `${MOUNTED} | grep -c '^${mounted} '; cat ${file}`]);
  assert.match(after.stdout, /^0$/m, 'it is mounted no more');
  assert.match(after.stderr, /Permission denied/);
  assert.equal(
    await s.sh(`od -An -tx1 -v ${other} | tr -d ' \\n'`),
    readFileSync(other, 'hex'),
    'beside it all is as ever',
  );
});

/** Requests to open a file until now. */
async function opened(s: Session): Promise<number> {
  return Number(/^OPEN +(\d+)/m.exec(await s.succeed(['debug', 'stats']))?.[1] ?? 0);
}
