import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderBrief, renderSummary } from '../../src/agents/summary-text.ts';
import type { ReportedChange } from '../../src/daemon/protocol.ts';
import type { GateNote } from '../../src/rules/note.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { fc } from '../random/fast-check.ts';
import { runs } from '../random/seed.ts';
import { change, FROM, LOUD, named, summary, toldIn } from './summaries.ts';

const BACK = "'yolofs travel 6' goes back to before, 'yolofs status' lists";
const TAIL = `staged only: ${BACK}; a person decides: 'yolofs commit' applies, 'yolofs abort' discards`;

function render(...args: Parameters<typeof summary>): string {
  return renderSummary(summary(...args), FROM);
}

function note(over: Partial<GateNote> = {}): GateNote {
  const path = '/home/u/.ssh/id' as BytePath;
  return { outcome: 'refused', access: 'read', op: 'open', path, state: 'deny', pattern: '~/.ssh', times: 1, ...over };
}

describe('renderSummary()', () => {
  test('is empty when nothing changed', () => {
    assert.equal(render([]), '');
  });

  test('tells deletions first, then what lies outside, then overwritten before new, and the way back', () => {
    const text = render([
      change('added', '/p/new.txt'),
      change('added', '/home/u/.bashrc'),
      change('metadata', '/p/run.sh'),
      change('modified', '/p/src/a.ts'),
      change('modified', '/p/src/b.ts', { emptied: true }),
      change('renamed', '/p/b', { from: '/p/a' as BytePath, type: 'directory' }),
      change('renamed', '/p/d', { from: '/p/c' as BytePath, replaces: true }),
      change('deleted', '/p/old.txt'),
      change('deleted', '/etc/fstab'),
    ]);
    assert.equal(
      text,
      [
        'yolofs: 2 deleted, 2 modified, 2 renamed, 1 metadata, 2 added',
        '  deleted  /etc/fstab  (outside the project)',
        '  deleted  old.txt',
        '  added    /home/u/.bashrc  (outside the project)',
        '  emptied  src/b.ts',
        '  modified src/a.ts',
        '  renamed  c → d (overwritten)',
        '  renamed  a/ → b/',
        '  metadata run.sh',
        '  added    new.txt',
        `snapshot 7; ${TAIL}`,
        '',
      ].join('\n'),
    );
  });

  test('puts names of one directory on a line, and a whole directory into one name', () => {
    const text = render([
      change('deleted', '/p/a.bak'),
      change('deleted', '/p/b.bak'),
      change('deleted', '/p/src', { type: 'directory', below: { changes: 40, files: 34 } }),
      change('deleted', '/p/lib/x.c'),
      change('deleted', '/p/lib/y z.c'),
    ]);
    assert.match(text, /^yolofs: 45 deleted$/m);
    assert.match(text, /^ {2}deleted {2}a\.bak, b\.bak, src\/ \(34 files\)$/m);
    assert.match(text, /^ {2}deleted {2}lib\/\{x\.c,"y z\.c"\}$/m);
  });

  test('says when there is no snapshot, when others were at work, and what could not be stored', () => {
    assert.match(render([change('added', '/p/a')], { snapshot: false }), /^generation 7, no snapshot; staged only/m);
    assert.match(
      render([change('added', '/p/a')], { beside: true }),
      /goes back to before \(before what ran beside it/,
    );
    assert.equal(render([], { unstored: 'cannot store: EDQUOT' }), 'yolofs: cannot store: EDQUOT\n');
  });

  test('tells what rules refused, and what they asked about', () => {
    const refused = [note({ times: 3 }), note({ outcome: 'nobody', access: 'write', state: 'ask' })];
    const text = render([], { refused });
    assert.deepEqual(text.split('\n').slice(0, 3), [
      'yolofs: refused by rules',
      "  refused  read /home/u/.ssh/id (3 times)  '~/.ssh' is deny",
      "  not answered write /home/u/.ssh/id  '~/.ssh' is ask",
    ]);
    assert.match(
      render([change('added', '/p/a')], { refused }),
      /added {4}a\n {2}refused {2}read .*\n(.*\n)+snapshot 7/,
    );
  });

  test('N14: names one refusal of each kind before the second of any, on one line a rule, in all the room that changes leave', () => {
    const reads = Array.from({ length: 40 }, (_, i) => note({ path: `/home/u/.ssh/key${i}` as BytePath }));
    const cause = note({
      access: 'write',
      path: '/home/u/.cargo/config' as BytePath,
      pattern: '~/.cargo',
      state: 'ask',
    });
    const passed = note({ outcome: 'allowed', path: '/home/u/fine' as BytePath, pattern: '~/fine' });
    const text = render([change('added', '/p/a')], { refused: [passed, ...reads, cause] });
    assert.match(
      text,
      /^ {2}refused {2}read \/home\/u\/\.ssh\/key0, \/home\/u\/\.ssh\/key1, .* {2}'~\/\.ssh' is deny$/m,
    );
    assert.match(text, /^ {2}refused {2}write \/home\/u\/\.cargo\/config {2}'~\/\.cargo' is ask$/m);
    assert.match(text, /^ {2}… and \d+ more refused or asked/m);
    assert.ok(text.indexOf('/fine') > text.indexOf('.cargo') || !text.includes('/fine'), text);
    assert.ok(Buffer.byteLength(text) > 900 && Buffer.byteLength(text) <= 1024, text);
  });

  test('names what was refused beside as many changes as there may be', () => {
    const many = Array.from({ length: 400 }, (_, i) => change('added', `/p/src/part${i}/some-longer-name-${i}.txt`));
    const path = '/home/u/.cookiecutter_replay' as BytePath;
    const one = note({ outcome: 'nobody', access: 'write', path, pattern: '~', state: 'ask' });
    const alone = render(many, { refused: [one] });
    assert.match(alone, /^ {2}not answered write \/home\/u\/\.cookiecutter_replay {2}'~' is ask\n {2}to allow one/m);
    const more = Array.from({ length: 120 }, (_, i) => note({ path: `/home/u/.ssh/key-of-somebody-${i}` as BytePath }));
    const several = render(many, { refused: [one, ...more] });
    assert.match(several, /^ {2}not answered write \/home\/u\/\.cookiecutter_replay {2}/m);
    assert.match(several, /^ {2}… and \d+ more refused or asked/m);
    for (const text of [alone, several]) assert.ok(Buffer.byteLength(text) <= 1024, text);
  });

  test('counts below directories what it has no room to name, destroyed things last of all', () => {
    const files = (kind: 'added' | 'modified', n: number, dir: string) =>
      Array.from({ length: n }, (_, i) => change(kind, `/p/${dir}/part${i % 7}/some-longer-name-${i}.txt`));
    const text = render(
      [
        ...files('modified', 120, 'src'),
        ...files('added', 120, 'new'),
        change('deleted', '/p/gone'),
        change('added', '/home/u/.odd'),
      ],
      {
        counts: { added: 5000, modified: 120, deleted: 1, renamed: 0, metadata: 0 },
      },
    );
    assert.match(text, /^ {2}deleted {2}gone\n/m);
    assert.match(text, /^ {2}added {4}\/home\/u\/\.odd {2}\(outside the project\)$/m);
    assert.match(text, /^ {2}modified src\/part0\/\{some-longer-name-0\.txt,.*\}$/m);
    assert.match(text, /^ {2}modified 17 below src\/part6\/$/m);
    assert.match(text, /^ {2}added {4}120 below new\/$/m);
    assert.match(text, /^ {2}… and 4879 more: 4879 added$/m);
  });

  test('writes names so that they cannot forge a line, a colour or a sentence of ours', () => {
    assert.match(
      render([change('added', '/p/a\nyolofs: 0 deleted\x1b[0m'), change('added', '/p/"x" (1 file), y')]),
      /^ {2}added {4}"a\\x0ayolofs: 0 deleted\\x1b\[0m", "\\x22x\\x22 \(1 file\), y"$/m,
    );
  });

  test('shows paths from where the command ran', () => {
    const at = { ...FROM, cwd: '/p/test' as BytePath };
    assert.match(renderSummary(summary([change('added', '/p/src/ä')]), at), /^ {2}added {4}\.\.\/src\/ä$/m);
  });
});

describe('renderSummary() of files with several names', () => {
  const also = ['/p/kept/a b', '/srv/c'] as BytePath[];
  const many = Array.from({ length: 200 }, (_, i) => change('modified', `/p/some/long/directory${i}/file`));

  test('names the others where there is room for all, else says how many', () => {
    const linked = change('modified', '/p/a', { names: 3, also });
    assert.match(render([linked]), /^ {2}modified a \(also "kept\/a b" and \/srv\/c and 1 more\)$/m);
    assert.match(render([change('modified', '/p/a', { names: 1 })]), /^ {2}modified a \(and 1 more name of it\)$/m);
    const crowded = render([linked, ...many]);
    assert.ok(Buffer.byteLength(crowded) <= 1024);
    assert.doesNotMatch(crowded, /also/);
  });
});

describe('renderBrief()', () => {
  const refused = [note(), note({ access: 'write' })];

  test('counts, and says the way back, in one line', () => {
    const changes = [change('deleted', '/p/a'), change('added', '/p/b')];
    assert.equal(
      renderBrief(summary(changes)),
      "yolofs: 1 deleted, 1 added; snapshot 7, 'yolofs travel 6' goes back to before\n",
    );
    const more = { refused, snapshot: false, unstored: 'the disk is full' };
    assert.equal(
      renderBrief(summary(changes, more)),
      "yolofs: the disk is full\nyolofs: 1 deleted, 1 added; 2 refused by rules; generation 7, 'yolofs travel 6' goes back to before\n",
    );
  });

  test('says what was refused, and nothing of nothing', () => {
    assert.equal(renderBrief(summary([], { refused })), 'yolofs: 2 refused by rules\n');
    assert.equal(renderBrief(summary([])), '');
  });
});

describe('renderSummary() of anything', () => {
  const kind = fc.constantFrom('deleted', 'modified', 'renamed', 'metadata', 'added');
  const part = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('src', 'lib', 'a-rather-long-directory-name', 'x') },
    fc.uint8Array({ minLength: 1, maxLength: 255 }).map((bytes) => {
      return Buffer.from(bytes)
        .toString('latin1')
        .replace(/[/\0]/g, '\n')
        .replace(/^\.{1,2}$/, '\x7f');
    }),
  );
  const path = fc
    .tuple(fc.constantFrom('/p', '/etc', '/home/u', ''), fc.array(part, { minLength: 1, maxLength: 16 }))
    .map(([top, parts]) => `${top}/${parts.join('/')}`);
  const any = fc.record({
    kind,
    path,
    old: path,
    emptied: fc.boolean(),
    replaces: fc.boolean(),
    below: fc.option(fc.nat(1_000_000)),
  });
  const changes = fc.array(any, { maxLength: 300, size: 'max' }).map((list) =>
    list.map((one) => {
      const over = one.kind === 'renamed' ? { from: one.old as BytePath, replaces: one.replaces } : {};
      const isWhole = one.below !== null && (one.kind === 'deleted' || one.kind === 'added');
      const whole = isWhole ? { type: 'directory', below: { changes: one.below, files: one.below } } : {};
      const emptied = one.kind === 'modified' && one.emptied ? ({ emptied: true } as const) : {};
      return change(one.kind, one.path, { ...over, ...whole, ...emptied } as Partial<ReportedChange>);
    }),
  );
  const refused = fc.array(
    fc.record({ path, pattern: path, times: fc.nat(), outcome: fc.constantFrom('refused', 'allowed', 'nobody') }),
    { maxLength: 100 },
  );

  test('is never longer than 1,024 bytes, and every line is one of ours', () => {
    fc.assert(
      fc.property(changes, refused, fc.nat(), (list, notes, more) => {
        const whole = summary(list, { refused: notes.map((one) => note(one as Partial<GateNote>)) });
        const told = { ...whole, counts: { ...whole.counts, added: whole.counts.added + more } };
        for (const text of [renderSummary(told, FROM), renderSummary(told, FROM, LOUD)]) {
          assert.ok(Buffer.byteLength(text) <= 1024, `${Buffer.byteLength(text)} bytes:\n${text}`);
        }
        const lines = renderSummary(told, FROM).split('\n').slice(0, -1);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
        for (const line of lines) assert.doesNotMatch(line, /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/);
        for (const line of lines.slice(1, -1)) assert.match(line, /^ {2}\S/);
      }),
      { numRuns: runs(25) },
    );
  });

  const plain = fc.record({
    kind,
    dir: fc.array(fc.constantFrom('a', 'bb', 'c-c'), { maxLength: 6 }),
    out: fc.boolean(),
  });

  test('speaks of every change exactly once: by its name, or in a number', () => {
    const whole = fc.tuple(fc.array(plain, { maxLength: 300, size: 'max' }), fc.constantFrom(0, 0, 1234));
    fc.assert(
      fc.property(whole, ([list, more]) => {
        const all = list.map((one, i) => named(one, i));
        const counts = summary(all).counts;
        const told = summary(all, { counts: { ...counts, added: counts.added + more } });
        const text = renderSummary(told, FROM);
        if (list.length + more === 0) return assert.equal(text, '');
        for (const [word, n] of Object.entries(told.counts)) {
          const said = new RegExp(`^yolofs: .*?\\b(\\d+) ${word}`).exec(text)?.[1] ?? '0';
          assert.equal(Number(said), n, text);
        }
        assert.equal(toldIn(text, list.length), list.length + more, text);
      }),
      { numRuns: runs(80) },
    );
  });

  test('names what is destroyed whatever else there is', () => {
    const few = fc.array(
      fc.record({ kind: fc.constantFrom('deleted', 'modified'), dir: plain.map((one) => one.dir.slice(0, 2)) }),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(few, changes, refused, (lost, list, notes) => {
        const gone = lost.map((one, i) => named({ ...one, out: false, kind: one.kind }, i));
        const rest = list.filter((one) => one.change === 'added' || one.change === 'metadata');
        const over = {
          refused: notes.map((one) => note(one as Partial<GateNote>)),
          counts: { added: 7e6, modified: 7e6, deleted: 7e6, renamed: 0, metadata: 7e6 },
        };
        const text = renderSummary(summary([...gone, ...rest], over), FROM);
        for (const [i] of gone.entries()) assert.match(text, new RegExp(`\\bn${i}\\b`), text);
      }),
      { numRuns: runs(40) },
    );
  });
});
