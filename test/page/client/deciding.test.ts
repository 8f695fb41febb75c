/** What a person decides in the browser is what lands, while an agent goes on writing. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { type Session, session } from '../../support/session.ts';
import { hasChromium, review } from './browser.ts';

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
const text = (changes: Readonly<Record<number, string>> = {}): string =>
  `${LINES.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;

/** An agent that works for as long as `work` takes. */
async function withAgent(s: Session, work: () => Promise<void>): Promise<void> {
  const agent = s.sh('echo begun > agent.log; until [ -e stop ]; do echo more >> agent.log; sleep 0.3; done; rm stop', {
    timeout: 300_000,
  });
  try {
    await work();
  } finally {
    await s.sh('touch stop');
    await agent;
  }
}

function seed(project: string): void {
  for (const name of ['cart.txt', 'other.txt', 'notes.txt']) writeFileSync(join(project, name), text());
  writeFileSync(join(project, 'gone.txt'), 'gone\n');
}

const AGENT = `sed -i 's/^line 10$/ten <b>/; s/^line 50$/fifty/' cart.txt
  sed -i 's/^line 20$/twenty/' other.txt
  sed -i 's/^line 30$/thirty/; s/^line 33$/thirty-three/' notes.txt
  rm gone.txt; mkdir new; echo 'export const x = 1;' > new/x.ts`;

test('a hunk and a line that are taken land, what is rejected is thrown away, the rest stays staged', async (t) => {
  if (!hasChromium(t)) return;
  const s = await prepared(t);
  const base = (name: string): string => readFileSync(join(s.project, name), 'utf8');
  await withAgent(s, () =>
    review(s, async (page) => {
      await page.row('agent.log').waitFor();
      await page.open('cart.txt');
      await page.shows('ten <b>');
      await page.press('n', 't');
      await page.isDecided('Decide about hunk 1 of 2', 'Take');
      await page.press('n', 'x');
      await page.isDecided('Decide about hunk 2 of 2', 'Reject');
      await page.open('notes.txt');
      // Side by side the added line comes after the removed one that it replaces.
      await page.press('n', 'ArrowDown', 't', 'ArrowDown');
      await page.page.getByRole('button', { name: 'removed line 30: taken' }).waitFor();
      await page.press('t');
      await page.page.getByRole('button', { name: 'added line 30: taken' }).waitFor();
      await page.open('gone.txt');
      await page.press('X');
      await page.isDecided(/whole of .*gone.txt/, 'Reject');

      await page.page.reload();
      await page.isDecided(/whole of .*gone.txt/, 'Reject');
      await page.shows('✗ 1 rejected');
      await page.shows('◐ 2 in part');

      await page.press('c');
      await page.shows('cart.txt');
      await page.page.getByRole('button', { name: 'Commit 2 changes' }).click();
      await page.shows(/Commit 1: 2 changes/);
      assert.equal(base('cart.txt'), text({ 10: 'ten <b>' }));
      assert.equal(base('notes.txt'), text({ 30: 'thirty' }));
      assert.equal(base('other.txt'), text());
      assert.ok(existsSync(join(s.project, 'gone.txt')));
    }),
  );
  assert.deepEqual(await s.changeLines(), [
    'added agent.log',
    'added new',
    'added new/x.ts',
    'modified notes.txt',
    'modified other.txt',
  ]);
  assert.equal(await s.sh('cat notes.txt'), text({ 30: 'thirty', 33: 'thirty-three' }));
  assert.equal(await s.sh('cat cart.txt gone.txt'), `${text({ 10: 'ten <b>' })}gone\n`);
});

async function prepared(t: TestContext): Promise<Session> {
  const s = await session(t, { account: ordinary(), seed });
  await s.sh(AGENT);
  return s;
}
