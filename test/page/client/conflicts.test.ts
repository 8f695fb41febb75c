/** What somebody else changes while a person looks: in the real files, and by a commit in another terminal. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';
import { isFine, WITH_AXE } from './axe.ts';
import { hasChromium, type ReviewPage, review } from './browser.ts';

const NAMES = ['ours.txt', 'theirs.txt', 'late.txt'];

test('of files that were changed outside each is written over or left, and a plan that is not so any more does nothing', async (t) => {
  if (!hasChromium(t)) return;
  const seed = (project: string): void => {
    for (const name of NAMES) writeFileSync(join(project, name), 'as it was\n');
  };
  const s = await session(t, { account: ordinary(), seed });
  await s.sh(`for name in ${NAMES.join(' ')}; do echo agent > $name; done`);
  const base = (): string[] => NAMES.map((name) => readFileSync(join(s.project, name), 'utf8').trim());
  for (const name of NAMES.slice(0, 2)) writeFileSync(join(s.project, name), 'outside\n');
  const work = async (page: ReviewPage): Promise<void> => {
    const dialog = page.page.getByRole('dialog', { name: 'Commit' });
    const button = (name: string | RegExp) => dialog.getByRole('button', { name });
    await page.row('Your project').click();
    await page.press('T');
    await page.isDecided(/all of: Your project/, 'Take');
    await page.press('c');
    await dialog.getByText('2 conflicts, nothing was written').waitFor();
    assert.equal(await button('Commit 3 changes').isDisabled(), true);
    const choose = async (name: string, side: string): Promise<void> => {
      const choice = dialog.getByRole('group', { name: new RegExp(`stand of .*/${name}`) });
      await choice.getByRole('button', { name: side }).click();
      await choice.getByRole('button', { name: side, pressed: true, disabled: false }).waitFor();
    };
    await choose('ours.txt', 'What is staged');
    await choose('theirs.txt', 'What is there now');
    await dialog.getByText('nothing was written').waitFor({ state: 'detached' });
    await isFine(page, 'conflicts that are decided');

    // Somebody commits one of them in another terminal.
    await s.succeed(['commit', 'late.txt', '--yes']);
    await button('Commit 3 changes').click();
    await dialog.getByText('what was shown has changed since: nothing was done').waitFor();
    assert.deepEqual(base(), ['outside', 'outside', 'agent']);
    await button('Cancel').click();
    await page.row('late.txt').waitFor({ state: 'detached' });
    await page.press('c');
    await choose('ours.txt', 'What is staged');
    await choose('theirs.txt', 'What is there now');
    await button('Commit 2 changes').click();
    await page.shows(/Commit 2: 1 change/);
    assert.deepEqual(base(), ['agent', 'outside', 'agent']);
    await page.shows('Nothing is staged.');
  };
  await review(s, work, WITH_AXE);
  assert.equal(await s.sh('cat ours.txt theirs.txt late.txt'), 'agent\noutside\nagent\n');
});
