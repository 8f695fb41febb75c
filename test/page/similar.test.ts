/** A file that was added and is like a deleted one is shown by what differs, and each of both says so. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pageHost } from '../../src/cli/review/page-host.ts';
import type { CompareReply, FileReply } from '../../src/page/protocol.ts';
import { idOf } from '../../src/page/server/model/show.ts';
import { compare, comparedFile } from '../../src/page/server/routes/comparing.ts';
import { file } from '../../src/page/server/routes/looking.ts';
import { PageState } from '../../src/page/server/state.ts';
import { toBytePath } from '../../src/sys/bytes.ts';
import { self } from '../support/accounts.ts';
import { type Session, session } from '../support/session.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `const value${at} = ${at};\n`).join('');

function seed(project: string): void {
  writeFileSync(join(project, 'old.ts'), LINES);
  writeFileSync(join(project, 'gone.sh'), LINES.replaceAll('const', 'let'));
  writeFileSync(join(project, 'unlike.ts'), 'nothing like it\n');
  writeFileSync(join(project, 'twin.bin'), Buffer.from([0, 1, 2, 0, 3, 0xff]));
}

/** As an editor saves: another file in the place of the old one, which then is moved. */
const AGENT = String.raw`
  sed -i 's/value7 = 7/value7 = 77/' old.ts; mv old.ts new.ts
  mkdir .husky; sed 's/value9 = 9/value9 = 99/' gone.sh > .husky/pre-commit; rm gone.sh
  rm unlike.ts; printf 'export const added = 1;\n' > added.ts
  cp twin.bin copy.bin; rm twin.bin`;

type Ask = (name: string, more?: string, route?: typeof file) => Promise<FileReply>;

async function withState(s: Session, work: (ask: Ask, state: PageState) => Promise<void>): Promise<void> {
  const state = new PageState(pageHost(s.layout));
  const ask: Ask = async (name, more = '', route = file) => {
    const id = idOf(toBytePath(join(s.layout.project, name)));
    const query = new URLSearchParams(`id=${id}${more}`);
    const answer = await route(state, { query } as Parameters<typeof file>[1]);
    return (answer as { json: FileReply }).json;
  };
  try {
    await work(ask, state);
  } finally {
    await state.close();
  }
}

test('of a file that was saved anew and moved the page has what differs from the deleted one, or all of it', async (t) => {
  const s = await session(t, { account: self, seed });
  await s.sh(AGENT);
  await withState(s, async (ask) => {
    const moved = await ask('new.ts');
    assert.deepEqual(
      moved.hunks.map(({ lines, key, oldStart }) => [oldStart, key, ...lines.filter((line) => !line.startsWith(' '))]),
      [[5, undefined, '-const value7 = 7;', '+const value7 = 77;']],
    );
    assert.deepEqual(
      [moved.similar?.path, moved.entry.change, moved.added, moved.removed],
      [join(s.layout.project, 'old.ts'), 'added', 1, 1],
    );
    const whole = await ask('new.ts', '&whole');
    assert.deepEqual([whole.similar?.path, whole.added, whole.removed], [moved.similar?.path, 30, 0]);
    assert.deepEqual(
      whole.sections.map(({ name }) => name),
      ['whole'],
    );
    const deleted = await ask('old.ts');
    assert.deepEqual([deleted.similar?.path, deleted.removed], [join(s.layout.project, 'new.ts'), 30]);
  });
});

test('what is like no deleted file, no text, or will run later, is shown whole', async (t) => {
  const s = await session(t, { account: self, seed });
  await s.sh(AGENT);
  await withState(s, async (ask) => {
    const unlike = await ask('added.ts');
    assert.deepEqual([unlike.similar, unlike.added], [undefined, 1]);
    // As like gone.sh as new.ts is like old.ts.
    const hook = await ask('.husky/pre-commit');
    assert.deepEqual([hook.similar, hook.added, hook.notices.length], [undefined, 30, 1]);
    const twin = await ask('copy.bin');
    assert.deepEqual(
      [twin.similar?.path, twin.kind, twin.sections.map(({ name }) => name)],
      [join(s.layout.project, 'twin.bin'), 'binary', ['whole']],
    );
  });
});

test('of two states a file that was saved anew and moved is one change', async (t) => {
  const s = await session(t, { account: self, seed });
  await s.sh('echo 1 > first');
  await s.sh(AGENT);
  await withState(s, async (ask, state) => {
    const query = new URLSearchParams('a=1&b=2');
    const answer = await compare(state, { query } as Parameters<typeof compare>[1]);
    const { entries } = (answer as { json: CompareReply }).json;
    const place = `${s.layout.project}/`;
    assert.deepEqual(
      entries.map(({ change, path, from }) => [change, path, from?.path].join(' ').replaceAll(place, '').trim()),
      [
        'added .husky',
        'renamed .husky/pre-commit gone.sh',
        'added added.ts',
        'renamed copy.bin twin.bin',
        'renamed new.ts old.ts',
        'deleted unlike.ts',
      ],
    );
    const moved = await ask('new.ts', '&a=1&b=2', comparedFile);
    assert.deepEqual([moved.added, moved.removed, moved.hunkCount], [1, 1, 1]);
  });
});
