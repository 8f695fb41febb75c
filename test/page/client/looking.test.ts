/** What the page shows of a session: names and contents as they are, pictures, large files, search, white space. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';
import { hasChromium, review } from './browser.ts';

/** A picture of one pixel. */
const PICTURE = (colour: string): string =>
  `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk${colour}AAAABJRU5ErkJggg==`;
const ROWS = 700;

const numbersTo = (end: number): number[] => Array.from({ length: end }, (_, index) => index);

function seed(project: string): void {
  writeFileSync(join(project, 'large.txt'), `${numbersTo(ROWS).join('\n')}\n`);
  // More than is read as a whole.
  const long = 'of many words '.repeat(10);
  writeFileSync(
    join(project, 'huge.log'),
    numbersTo(70_000)
      .map((number) => `${number} ${long}\n`)
      .join(''),
  );
  writeFileSync(join(project, 'space.ts'), 'export function a() {\n  return 1;\n}\nconst b = 2;\n');
  writeFileSync(join(project, 'logo.png'), Buffer.from(PICTURE('+M9QDwADhgGAWjR9awAAAAA'), 'base64'));
}

const AGENT = String.raw`
  printf '<script>window.hacked = 1</script>\n\342\200\256 turned \007\n' > '<img src=x onerror="window.hacked = 1">.html'
  printf 'x\n' > "$(printf 'cod\342\200\256gpj.js')"
  printf 'x\n' > "$(printf 'new\nline')"
  printf 'caf\351\n' > "$(printf 'latin\351.txt')"
  sed -i 's/$/!/' large.txt
  sed -i 's/^60000 .*/sixty thousand/' huge.log
  printf 'export function a() {\n      return 1;\n}\nconst b = 3;\n' > space.ts
  head -c 60 logo.png > part; cat part > logo.png; rm part
  mkdir dist-new; for number in $(seq 1 21); do echo $number > dist-new/made$number.js; done`;

test('names and contents are shown as text with their hidden characters, whatever they hold', async (t) => {
  if (!hasChromium(t)) return;
  const s = await session(t, { account: ordinary(), seed });
  await s.sh(AGENT);
  await review(s, async (page) => {
    await page.open('<img src=x onerror="window.hacked = 1">.html');
    await page.shows('<script>window.hacked = 1</script>');
    await page.shows('U+202E');
    await page.shows('^G');
    await page.row(String.raw`cod\u202egpj.js`).waitFor();
    await page.row(String.raw`new\x0aline`).waitFor();
    await page.open(String.raw`latin\xe9.txt`);
    await page.shows(String.raw`caf\xE9`);
    assert.equal(await page.page.evaluate('window.hacked'), undefined);

    // A new directory with much in it is one line until somebody opens it.
    assert.equal(await page.row('made21.js').count(), 0);
    await page.row('dist-new').click();
    await page.press('ArrowRight');
    await page.row('made21.js').waitFor();
    await page.press('ArrowLeft');

    await page.page.getByRole('searchbox', { name: 'Search paths' }).fill('space');
    await page.shows('1 file found');
    await page.open('space.ts');
    const code = page.page.getByRole('region', { name: 'Hunk 1 of 1' }).locator('.lines');
    assert.match((await code.textContent()) ?? '', /return 1;.*return 1;.*const b = 2;.*const b = 3;/s);
    await page.press('i');
    await page.shows('1 line differ');
    assert.doesNotMatch((await code.textContent()) ?? '', /return 1;.*return 1;/s);
    await code.locator('.t-keyword', { hasText: 'export' }).first().waitFor();

    await page.press('/');
    await page.page.keyboard.press('ControlOrMeta+a');
    await page.page.keyboard.press('Delete');
    await page.open('logo.png');
    await page.shows(/Before · \d+ B/);
    await page.shows(/After · \d+ B/);
    await page.shows(/1 × 1/);

    await page.open('large.txt');
    await page.shows('lines 1–500 of 1,400');
    await page.page.getByRole('button', { name: 'Last' }).click();
    await page.shows('lines 1,001–1,400 of 1,400');
    await page.shows(`${ROWS - 1}!`);
    await page.open('huge.log');
    await page.shows('Above 8 MB lines are only shown: decide about the whole.');
    await page.shows('sixty thousand');
    await page.shows('@@ −59998,7 +59998,7 @@');
    await page.press('?');
    await page.page.getByRole('dialog', { name: 'Keys' }).waitFor();
  });
});

test('what many changes have in common to be looked at first is one line, which opens to each of them', async (t) => {
  if (!hasChromium(t)) return;
  const s = await session(t, { account: ordinary(), seed });
  await s.sh('mkdir bin; for i in $(seq 12); do echo $i > bin/tool$i; chmod +x bin/tool$i; done; echo x > .envrc');
  await review(s, async ({ page }) => {
    const first = page.locator('.side > .notices');
    await first.getByText('13 changes to look at first').waitFor();
    const lines = await first.locator(':scope > ul > li').allInnerTexts();
    assert.deepEqual(
      lines.map((line) => line.replace(/\s+/g, ' ').trim()),
      ['.envrc direnv, mise or asdf runs it on entering the directory', '12 in bin/ executable'],
    );
    const tool = first.getByRole('button', { name: 'bin/tool7' });
    assert.equal(await tool.isVisible(), false);
    await first.getByText('12 in bin/').click();
    await tool.click();
    await page.getByRole('article', { name: 'bin/tool7' }).waitFor();
  });
});

test('a new file is shown beside the deleted one that it is like, which it leads to, or whole', async (t) => {
  if (!hasChromium(t)) return;
  const s = await session(t, { account: ordinary(), seed });
  await s.sh(`sed -i 's/^7$/seven/' large.txt; mv large.txt moved.txt`);
  await review(s, async (page) => {
    await page.open('moved.txt');
    await page.shows('added, like large.txt, which was deleted');
    const code = page.page.getByRole('region', { name: 'Hunk 1 of 1' }).locator('.lines');
    assert.match((await code.textContent()) ?? '', /6.*7.*seven.*8/s);
    await page.press('v');
    await page.shows('−0');
    await page.press('v');
    await page.shows('−1');
    await page.page.getByRole('button', { name: 'large.txt', exact: true }).click();
    await page.shows('deleted, like moved.txt, which was added');
  });
});
