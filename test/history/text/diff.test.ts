/** The text of diffs. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import type { PathChange } from '../../../src/history/diff/changes.ts';
import { diffStats, renderDiff } from '../../../src/history/diff/diff.ts';
import { pairRenames } from '../../../src/history/diff/text/renames.ts';
import { type StagedProject, withProject } from '../projects/staged-project.ts';

const lines = (n: number, mark = ''): string => Array.from({ length: n }, (_, i) => `line ${i + 1}${mark}\n`).join('');

function changesOf(p: StagedProject): Iterable<PathChange> {
  return pairRenames(() => p.changes({ expand: true }), p.view);
}

function diffOf(p: StagedProject): string {
  return [...renderDiff(changesOf(p), { ...p.view, project: p.view.dir })].join('');
}

interface Case {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly act: (p: StagedProject) => unknown;
  readonly text: string;
}

const CASES: readonly Case[] = [
  { title: 'is empty without changes', files: { f: 'x\n' }, act: () => {}, text: '' },
  {
    title: 'shows a changed line with context',
    files: { f: lines(9) },
    act: (p) => p.write('f', lines(9).replace('line 5\n', 'LINE 5\n')),
    text: `diff --git a/f b/f
--- a/f
+++ b/f
@@ -2,7 +2,7 @@
 line 2
 line 3
 line 4
-line 5
+LINE 5
 line 6
 line 7
 line 8
`,
  },
  {
    title: 'keeps distant changes apart and near ones together',
    files: { f: lines(30) },
    act: (p) => p.write('f', lines(30).replace('line 1\n', 'A\n').replace('line 8\n', '').replace('line 30\n', 'B\n')),
    text: `diff --git a/f b/f
--- a/f
+++ b/f
@@ -1,11 +1,10 @@
-line 1
+A
 line 2
 line 3
 line 4
 line 5
 line 6
 line 7
-line 8
 line 9
 line 10
 line 11
@@ -27,4 +26,4 @@
 line 27
 line 28
 line 29
-line 30
+B
`,
  },
  {
    title: 'shows a new and an empty new file',
    files: {},
    act: (p) => p.write('new', 'one\ntwo\n').write('empty', ''),
    text: `diff --git a/empty b/empty
new file mode 100644
diff --git a/new b/new
new file mode 100644
--- /dev/null
+++ b/new
@@ -0,0 +1,2 @@
+one
+two
`,
  },
  {
    title: 'shows a deleted file and a mode',
    files: { gone: 'bye\n', run: '#!\n' },
    act: (p) => p.rm('gone').chmod('run', 0o755),
    text: `diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/run b/run
old mode 100644
new mode 100755
`,
  },
  {
    title: 'marks a missing newline at the end',
    files: { f: 'a\nb' },
    act: (p) => p.write('f', 'a\nb\n'),
    text: `diff --git a/f b/f
--- a/f
+++ b/f
@@ -1,2 +1,2 @@
 a
-b
\\ No newline at end of file
+b
`,
  },
  {
    title: 'shows a rename with an edit as such',
    files: { 'old name': lines(10) },
    act: (p) => p.mv('old name', 'new').append('new', 'more\n'),
    text: `diff --git a/old name b/new
similarity index 93%
rename from old name
rename to new
--- a/old name\t
+++ b/new
@@ -8,3 +8,4 @@
 line 8
 line 9
 line 10
+more
`,
  },
  {
    title: 'shows a copy and a delete as a rename',
    files: { old: lines(10) },
    act: (p) => p.write('new', lines(10)).rm('old'),
    text: `diff --git a/old b/new
similarity index 100%
rename from old
rename to new
`,
  },
  {
    title: 'shows the files of a moved directory',
    files: { 'd/a': 'a\n', 'd/b': 'b\n' },
    act: (p) => p.mv('d', 'e').append('e/b', 'c\n'),
    text: `# directory e: renamed from d
diff --git a/d/a b/e/a
similarity index 100%
rename from d/a
rename to e/a
diff --git a/d/b b/e/b
similarity index 50%
rename from d/b
rename to e/b
--- a/d/b
+++ b/e/b
@@ -1 +1,2 @@
 b
+c
`,
  },
  {
    title: 'shows symlinks by their targets',
    files: { f: 'x\n' },
    act: (p) => p.symlink('f', 'link').rm('f').symlink('nowhere', 'f'),
    text: `diff --git a/f b/f
deleted file mode 100644
--- a/f
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/f b/f
new file mode 120000
--- /dev/null
+++ b/f
@@ -0,0 +1 @@
+nowhere
\\ No newline at end of file
diff --git a/link b/link
new file mode 120000
--- /dev/null
+++ b/link
@@ -0,0 +1 @@
+f
\\ No newline at end of file
`,
  },
  {
    title: 'names binary files',
    files: { 'zero.bin': 'a\0b', 'latin.txt': 'x' },
    act: (p) => p.write('zero.bin', 'a\0c').write('new.bin', '\0'),
    text: `diff --git a/new.bin b/new.bin
new file mode 100644
Binary files /dev/null and b/new.bin differ
diff --git a/zero.bin b/zero.bin
Binary files a/zero.bin and b/zero.bin differ
`,
  },
  {
    title: 'quotes odd names as git does',
    files: { 'tab\tname': 'x\n', 'quo"te': 'x\n', é: 'x\n' },
    act: (p) => p.rm('tab\tname').rm('quo"te').rm('é'),
    text: ['"a/quo\\"te" "b/quo\\"te"', '"a/tab\\tname" "b/tab\\tname"', 'a/é b/é']
      .map(
        (n) =>
          `diff --git ${n}\ndeleted file mode 100644\n--- ${n.slice(0, n.indexOf(' '))}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`,
      )
      .join(''),
  },
  {
    title: 'says in notes what git has no words for',
    files: { 'd/': '', f: 'x', g: 'x' },
    act: (p) =>
      p.mkdir('empty').mkfifo('pipe').rmdir('d').chmod('f', 0o600).chown('f', 7, 8).utimes('g', { sec: 1, nsec: 2 }),
    text: `# directory d: deleted
# directory empty: added
# file f: mode 0644 -> 0600
# file f: owner ${process.getuid?.()}:${process.getgid?.()} -> 7:8
# file g: times or extended attributes changed
# other pipe: added
`,
  },
];

for (const { title, files, act, text } of CASES) {
  test(`renderDiff() ${title}`, () =>
    withProject(files, (p) => {
      act(p);
      assert.equal(diffOf(p), text);
    }));
}

test('renderDiff() shows paths outside the project as absolute ones', () =>
  withProject({ 'proj/f': 'x\n', out: 'y\n' }, (p) => {
    p.append('out', 'z\n');
    const text = [...renderDiff(p.changes(), { ...p.view, project: p.at('proj') })].join('');
    const out = p.at('out');
    assert.equal(text, `diff --git ${out} ${out}\n--- ${out}\n+++ ${out}\n@@ -1 +1,2 @@\n y\n+z\n`);
  }));

test('renderDiff() shows lines that are no UTF-8, and names huge files without showing them', () =>
  withProject({ latin: 'x' }, (p) => {
    p.native((dir) => {
      fs.writeFileSync(`${dir}/latin`, Buffer.from('caf\xe9\n', 'latin1'));
      fs.writeFileSync(`${dir}/huge`, 'x');
    });
    p.append('latin', 'more\n').write('huge', 'y');
    assert.equal(p.driver.truncate(p.at('huge'), 9 << 20), 0);
    assert.equal(
      diffOf(p),
      `diff --git a/huge b/huge
Files a/huge and b/huge differ (larger than 8 MiB: 'yolofs review' and 'diff --tool' show it)
diff --git a/latin b/latin
--- a/latin
+++ b/latin
@@ -1 +1,2 @@
 caf\udce9
+more
`,
    );
  }));

test('renderDiff() gets through large texts that have nothing in common', () =>
  withProject({ f: lines(60_000, 'a') }, (p) => {
    p.write('f', lines(60_000, 'b'));
    const before = process.cpuUsage();
    const text = diffOf(p);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 5e6, `${user + system} us of processor time`);
    assert.ok(text.includes('@@ -1,60000 +1,60000 @@'));
  }));

test('diffStats() counts lines', () =>
  withProject({ f: lines(5), g: 'x\n', 'b.bin': '\0' }, (p) => {
    p.write('f', `${lines(4)}new\nnew\n`)
      .mv('g', 'h')
      .write('b.bin', '\0\0');
    const rows = [...diffStats(changesOf(p), { ...p.view, project: p.view.dir })];
    const brief = rows.map(({ path, from, added, removed, binary }) => [path, from, added, removed, binary]);
    assert.deepEqual(brief, [
      [p.at('b.bin'), undefined, 0, 0, true],
      [p.at('f'), undefined, 2, 1, false],
      [p.at('h'), p.at('g'), 0, 0, false],
    ]);
  }));
