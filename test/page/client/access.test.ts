/** The page is for everybody: screen readers, the keyboard, small and very large screens, light and dark. */
import { type TestContext, test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { ordinary } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';
import { isFine, WITH_AXE } from './axe.ts';
import { hasChromium, type ReviewPage, review } from './browser.ts';

const SCREENS: readonly BrowserContextOptions[] = [
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { viewport: { width: 400, height: 800 }, colorScheme: 'dark' },
];

test('axe finds nothing in any view, and nothing is wider than the screen', async (t: TestContext) => {
  if (!hasChromium(t)) return;
  const s = await session(t, { account: ordinary() });
  await s.sh("echo more >> multi.txt; sed -i 's/base/new/' hello.txt; chmod +x subdir/deep.txt; echo 'x' > added.ts");
  for (const screen of SCREENS) {
    await review(s, (page) => lookAround(page), { ...screen, ...WITH_AXE });
  }
});

async function lookAround(page: ReviewPage): Promise<void> {
  await isFine(page, 'the list');
  await page.open('hello.txt');
  await page.page.getByRole('region', { name: 'Hunk 1 of 1' }).waitFor();
  await page.press('n', 't');
  await page.isDecided('Decide about hunk 1 of 1', 'Take');
  await page.press('h', 'm');
  await page.page.getByRole('textbox', { name: 'Note to the agent' }).waitFor();
  await isFine(page, 'a decided file with its history and a note');
  await page.press('Escape', 'Escape', 'c');
  await page.page.getByRole('dialog', { name: 'Commit' }).getByText('○').waitFor();
  await isFine(page, 'the plan');
  await page.press('Escape');
  await page.page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const [key, name] of [
    ['2', 'Timeline'],
    ['3', 'Questions'],
    ['4', 'Sessions'],
  ] as const) {
    await page.press(key);
    await page.page.getByRole('button', { name }).and(page.page.locator('[aria-current]')).waitFor();
    await isFine(page, name);
  }
  await page.press('?');
  await page.page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await isFine(page, 'the keys');
}
