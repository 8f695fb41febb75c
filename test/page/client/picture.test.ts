/** What the page looks like: light and dark, wide and narrow, beside pictures that somebody has looked at. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';
import { hasChromium, review } from './browser.ts';
import { difference, looksAs, MOST_PERCENT } from './picture.ts';

const LINES = Array.from({ length: 12 }, (_, at) => `export const value${at} = ${at};\n`).join('');

function seed(project: string): void {
  for (const name of ['first.ts', 'second.ts']) writeFileSync(join(project, name), LINES);
  writeFileSync(join(project, 'package.json'), '{ "scripts": { "test": "node --test" } }\n');
}

const AGENT = `
  sed -i 's/value3 = 3/value3 = 33/; $d' first.ts; rm second.ts; mkdir lib; echo 'export {};' > lib/new.ts
  sed -i 's/--test/--test --watch/' package.json`;

test('the page looks as it did when somebody looked at it, light and dark, wide and narrow', async (t) => {
  if (!hasChromium(t)) return;
  const s = await session(t, { account: ordinary(), seed });
  await s.sh(AGENT);
  await review(s, async (page) => {
    const browser = page.page;
    await page.open('first.ts');
    await browser.locator('.hunk .t-keyword').first().waitFor();
    await page.press('n', 't');
    await page.isDecided('Decide about hunk 1 of 2', 'Take');
    await page.row('first.ts').getByText('+1 −2').waitFor();
    await looksAs(browser, 'wide');
    await browser.emulateMedia({ colorScheme: 'dark' });
    await looksAs(browser, 'dark');
    await browser.setViewportSize({ width: 400, height: 800 });
    await browser.emulateMedia({ colorScheme: 'light' });
    await looksAs(browser, 'narrow');
    await browser.setViewportSize({ width: 1280, height: 800 });
    await page.press('2');
    await browser.locator('[data-generation="1"]').waitFor();
    await looksAs(browser, 'timeline');
  });
});

test('a picture in which one part of the page is gone or has another colour is another one', async (t) => {
  if (!hasChromium(t)) return;
  const s = await session(t, { account: ordinary(), seed });
  await s.sh(AGENT);
  await review(s, async (page) => {
    await page.open('first.ts');
    await page.page.locator('.hunk .t-keyword').first().waitFor();
    const before = Buffer.from((await difference(page.page, undefined)).png, 'base64');
    const changed = async (change: string): Promise<number> => {
      await page.page.evaluate(change);
      return (await difference(page.page, before)).percent;
    };
    assert.equal(await changed('undefined'), 0);
    const colour = await changed(`document.querySelector('.file-head').style.background = '#c00'`);
    const gone = await changed(`document.querySelector('.side').style.visibility = 'hidden'`);
    assert.ok(colour > MOST_PERCENT && gone > colour + MOST_PERCENT, `${colour} %, ${gone} %`);
  });
});
