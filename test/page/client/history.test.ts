/** The way back in the browser: undo, the timeline with its branches, comparison and travel, who wrote what. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';
import { hasChromium, review } from './browser.ts';

test('a commit is undone, states are compared and travelled to, and each line has its command', async (t) => {
  if (!hasChromium(t)) return;
  const seed = (project: string): void => writeFileSync(join(project, 'a.txt'), 'one\ntwo\nthree\n');
  const s = await session(t, { account: ordinary(), seed });
  await s.sh('sed -i s/one/ONE/ a.txt');
  await s.sh('echo b > b.txt');
  const base = (): string => readFileSync(join(s.project, 'a.txt'), 'utf8');
  await review(s, async (page) => {
    const button = (name: string | RegExp, within = page.page.locator('body')) => within.getByRole('button', { name });
    await page.open('a.txt');
    await page.page.locator('.hunk-head .command', { hasText: 'sed -i s/one/ONE/' }).waitFor();
    await page.press('b');
    await page.page.locator('.margin.written', { hasText: 'sed -i s/one/ONE/' }).first().waitFor();
    await page.press('h');
    await page.page.getByRole('region', { name: 'Who wrote this' }).getByText('sed -i').first().waitFor();

    await page.press('T', 'c');
    await button('Commit 1 change').click();
    await page.shows('Commit 1: 1 change');
    assert.equal(base(), 'ONE\ntwo\nthree\n');
    await page.press('u');
    await button('Undo', page.page.getByRole('dialog')).click();
    await page.shows('Took commit 1 back');
    assert.equal(base(), 'one\ntwo\nthree\n');

    await page.press('2');
    const item = (generation: number) => page.page.locator(`[data-generation="${generation}"]`);
    await item(1).getByText('sed -i s/one/ONE/').waitFor();
    await button('Compare from here', item(1)).click();
    await button('Compare with 1', item(2)).click();
    await page.shows('From 1 to 2: 1 change');
    await button('b.txt').click();
    await page.page.getByRole('heading', { name: 'b.txt' }).waitFor();
    await page.page.goBack();
    await button('Travel here', item(1)).click();
    await page.shows(/Now at 1/);
    await page.press('1');
    await page.row('b.txt').waitFor({ state: 'detached' });
    await page.row('a.txt').waitFor();
  });
  assert.equal(await s.sh('cat a.txt; ls'), 'ONE\ntwo\nthree\na.txt\n');
});
