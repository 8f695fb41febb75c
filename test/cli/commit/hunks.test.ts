/** `diff --json --hunks`, and `commit --hunk` and `abort --hunk` of what it tells, on a live session. */
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
import { type Session, session } from '../../support/session.ts';
import { assertSameTree } from '../../support/tree.ts';

interface Row {
  readonly path: string;
  readonly hunks?: readonly { readonly key: string; readonly lines: readonly string[] }[];
  readonly sections: Readonly<Record<string, string>>;
}

async function rowsOf(s: Session): Promise<Map<string, Row>> {
  const { stdout } = await s.cli(['diff', '--json', '--hunks']);
  const rows = JSON.parse(stdout) as Row[];
  return new Map(rows.map((row) => [row.path.slice(s.project.length + 1), row]));
}

const lines = (changed: readonly number[]): string =>
  Array.from({ length: 40 }, (_, i) => `${i}${changed.includes(i) ? '!' : ''}\n`).join('');

function seed(project: string): void {
  for (const [name, text] of Object.entries({ 'a.txt': lines([]), 'b.txt': 'x\ny', 'run.sh': 'true\n' }))
    writeFileSync(join(project, name), text, { mode: 0o644 });
}

for (const account of someAccounts()) {
  describe(`hunks, as ${account.title}`, () => {
    test('commit --hunk gives the base that, and who has the file open in the view notices nothing', async (t) => {
      const s = await session(t, { account, seed });
      const base = (name: string): string => readFileSync(join(s.project, name), 'utf8');
      await s.sh(
        "sed -i -e 's/^2$/2!/' -e 's/^20$/20!/' -e 's/^37$/37!/' a.txt; printf 'x\\nz\\nw\\n' > b.txt; echo more >> run.sh; chmod 755 run.sh; echo new > new.txt",
      );
      const rows = await rowsOf(s);
      assert.deepEqual([...rows.keys()], ['a.txt', 'b.txt', 'new.txt', 'run.sh']);
      assert.deepEqual(Object.keys(rows.get('new.txt')?.sections ?? {}), ['whole']);
      assert.deepEqual(Object.keys(rows.get('run.sh')?.sections ?? {}), ['mode']);
      assert.deepEqual(rows.get('b.txt')?.hunks?.[0]?.lines, [' x', '-y', '\\ No newline at end of file', '+z', '+w']);
      await s.sh('mkfifo opened gate');
      const view = await s.tree({ mtime: true });
      const [, second] = rows.get('a.txt')?.hunks ?? [];
      const mode = rows.get('run.sh')?.sections.mode;
      const b = rows.get('b.txt')?.hunks?.[0]?.key;
      assert.ok(second !== undefined && mode !== undefined && b !== undefined);
      const open = s.sh('exec 3<>a.txt; echo > opened; cat gate > /dev/null; printf "!" >&3; cat <&3');
      await s.sh('cat opened');
      const done = await s.cli(['commit', '--yes', '--hunk', second.key, mode, '--lines', `${b}:3`]);
      assert.deepEqual([done.code, done.stderr], [0, 'committed 3 changes\n']);
      assert.deepEqual([base('a.txt'), base('b.txt'), base('run.sh')], [lines([20]), 'x\ny\nw\n', 'true\n']);
      assert.equal(statSync(join(s.project, 'run.sh')).mode & 0o777, 0o755);
      assertSameTree(await s.tree({ mtime: true }), view, 'the view');
      await s.sh('echo go > gate');
      assert.equal(await open, lines([2, 20, 37]).slice(1));
      assert.equal(await s.sh('cat a.txt'), lines([2, 20, 37]).replace(/^0/, '!'));
      await s.cli(['undo']);
      assert.deepEqual([base('a.txt'), base('b.txt')], [lines([]), 'x\ny']);
    });

    test('an outdated key, one that nobody knows and words that make no sense change nothing', async (t) => {
      const s = await session(t, { account, seed });
      await s.sh("sed -i 's/^2$/2!/' a.txt");
      const key = (await rowsOf(s)).get('a.txt')?.hunks?.[0]?.key;
      assert.ok(key !== undefined);
      await s.sh("sed -i 's/^2!$/two/' a.txt");
      for (const command of [
        ['commit', '--yes'],
        ['abort', '--yes'],
      ]) {
        const refused = await s.cli([...command, '--hunk', key]);
        assert.equal(refused.code, 3);
        assert.match(
          refused.stderr,
          new RegExp(`^yolofs: ${command[0]}: ${key}: nothing that is staged has this key: nothing was changed\n`),
        );
      }
      for (const words of [
        ['commit', '--yes', 'a.txt', '--hunk', key],
        ['commit', '--yes', '--lines', key],
        ['commit', '--yes', '--lines', `${key}:3-1`],
        ['commit', '--yes', '--hunk', key, '--lines', `${key}:1`],
        ['diff', '--hunks'],
      ])
        assert.equal((await s.cli(words)).code, 2, words.join(' '));
      assert.equal(readFileSync(join(s.project, 'a.txt'), 'utf8'), lines([]));
      assert.equal(await s.sh('cat a.txt'), lines([]).replace('\n2\n', '\ntwo\n'));
    });
  });
}
