/** `git apply` of a diff on the base makes it what the view is, in all that git knows of. */
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { renderDiff } from '../../../src/history/diff/diff.ts';
import { pairRenames } from '../../../src/history/diff/text/renames.ts';
import { encodeText } from '../../../src/sys/text/encoding.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { assertSameTree, type TreeEntry } from '../../support/tree.ts';
import { NativeTwin, type Operations } from '../projects/native-twin.ts';
import { BASE, isPossible, type Op, op, perform } from '../projects/random-operations.ts';
import { StagedProject, withProject } from '../projects/staged-project.ts';
import { readPlain, readView, withoutTimes } from '../projects/view-tree.ts';

const lines = (n: number, mark = ''): string => Array.from({ length: n }, (_, i) => `line ${i + 1}${mark}\n`).join('');

function diffOf(p: StagedProject): string {
  const changes = pairRenames(() => p.changes({ expand: true }), p.view);
  return [...renderDiff(changes, { ...p.view, project: p.view.dir })].join('');
}

/** What git knows of a tree: files and symlinks, whether executable. */
function inGit(entries: readonly TreeEntry[]): TreeEntry[] {
  return withoutTimes(entries)
    .filter(({ type }) => type !== 'directory' && type !== 'fifo')
    .map(({ nlink: _n, sameAs: _s, xattrs: _x, ...entry }) => ({
      ...entry,
      mode: entry.type === 'symlink' ? 0 : entry.mode & 0o100,
    }));
}

const APPLIED: Readonly<Record<string, (p: StagedProject) => unknown>> = {
  'edits and new files': (p) =>
    p.write('a', lines(40, '!')).append('b', 'tail').mkdir('n').write('n/f', 'x').write('n/e', ''),
  deletes: (p) => p.rm('a').rmTree('d'),
  'modes and symlinks': (p) => p.chmod('a', 0o755).symlink('b', 'l').rm('b').symlink('a', 'b'),
  'a swap': (p) => p.mv('a', 't').mv('b', 'a').mv('t', 'b'),
  'a swap with edits': (p) => p.exchange('a', 'b').append('a', 'x\n').append('b', 'y\n'),
  'a rotation': (p) => p.mv('a', 't').mv('b', 'a').mv('d/x', 'b').mv('t', 'd/x'),
  'a rename over a file': (p) => p.mv('a', 'b'),
  'a rename and the old name made again': (p) => p.mv('b', 'z').write('b', lines(3, '?')),
  'the old name made again before its new one': (p) => p.mv('b', 'A').write('b', lines(3, '?')),
  'a moved directory with changes': (p) => p.mv('d', 'e').append('e/x', 'more\n').rm('e/y').write('e/new', 'n\n'),
  'a directory in the place of a file': (p) => p.rm('a').mkdir('a').write('a/f', 'x\n'),
  'a file in the place of a directory': (p) => p.rmTree('d').write('d', 'file\n'),
  'a copy with an edit in place of the original': (p) => p.write('copy', `${lines(20, 'b')}x\n`).rm('b'),
  'bytes that are no UTF-8': (p) =>
    p.write('a', lines(40).replace('line 7', 'caf\udce9 é').replace('line 30', '\udc93\udcfa')).write('l', '\udce9'),
  'odd names and no newlines': (p) => p.write('tab\there', 'x').mv('a', 'sp ace').append('sp ace', 'no newline'),
};

for (const [title, act] of Object.entries(APPLIED)) {
  test(`renderDiff() is understood by git apply: ${title}`, () =>
    withProject({ a: lines(40), b: lines(20, 'b'), 'd/x': lines(10, 'x'), 'd/y': lines(10, 'y') }, (p) => {
      act(p);
      const text = diffOf(p);
      const expected = inGit(readView(p));
      p.native((dir) =>
        execFileSync('git', ['apply', '-'], { cwd: dir, input: encodeText(text), stdio: ['pipe', 'pipe', 'pipe'] }),
      );
      assertSameTree(inGit(readPlain(p.view.dir)), expected, `git apply of\n${text}`);
    }));
}

function applyOnce(ops: readonly Op[]): void {
  const p = new StagedProject();
  try {
    p.base(BASE);
    const twin = new NativeTwin(p.view.dir);
    for (const op of ops) {
      if (!isPossible(twin.dir, op)) continue;
      perform(twin, op);
      perform(p as unknown as Operations, op);
    }
    const text = diffOf(p);
    // Without any block, only with notes, there is nothing to apply, which git calls an error.
    if (text.includes('diff --git')) {
      p.native((dir) =>
        execFileSync('git', ['apply', '-'], { cwd: dir, input: text, stdio: ['pipe', 'pipe', 'pipe'] }),
      );
    }
    assertSameTree(inGit(readPlain(p.view.dir)), inGit(readPlain(twin.dir)), `git apply of\n${text}`);
  } finally {
    p.close();
  }
}

test('renderDiff() of random changes is understood by git apply', () => {
  const numRuns = runs(50);
  fc.assert(fc.property(fc.array(op, { maxLength: 25 }), applyOnce), { numRuns });
});
