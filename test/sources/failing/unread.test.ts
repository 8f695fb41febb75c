/** A source whose tree nobody has read yet, and whose server does not answer: nothing is known of what is in it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { session } from '../../support/session.ts';

/** The last of a shell's or a program's words on a line. */
function reasonOf(line: string): string {
  return line.slice(line.lastIndexOf(': ') + 2);
}

test('a source that was never read is not listed, looked into or written to while its server is down, though a listing of what is above has shown it', async (t) => {
  const s = await session(t);
  // A port below 1024 that nobody listens at.
  const added = await s.cli(['source', 'add', 'docs', 'opensearch', '--url', 'http://127.0.0.1:2', '--index', 'docs']);
  assert.match(added.stderr, /refuses connections/);
  const commands = [
    'ls /sources/docs',
    'cat /sources/docs/c.md',
    'echo mine > /sources/docs/a.md',
    'echo mine >> /sources/docs/dir/b.md',
    'mkdir /sources/docs/made',
  ];
  for (let round = 1; round <= 3; round += 1) {
    const said = await s.sh(`exec 2>&1; set +e; ls -la /sources > /dev/null; ${commands.join('; ')}; true`);
    const reasons = said
      .trimEnd()
      .split('\n')
      .filter((line) => line.includes('/sources/docs'))
      .map(reasonOf);
    assert.deepEqual(
      reasons.slice(-commands.length),
      commands.map(() => 'Input/output error'),
      `round ${round}: ${said}`,
    );
  }
  const { changes } = JSON.parse(await s.succeed(['status', '--json'])) as { changes: unknown[] };
  assert.deepEqual(changes, []);
});
