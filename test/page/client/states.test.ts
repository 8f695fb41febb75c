/** Files, directories and groups in their three states; what was rejected alone is thrown away; a reload finds all as it was. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';
import { hasChromium, review } from './browser.ts';

test('a directory and a group say what is decided in them; an abort takes back what was rejected, and nothing else', async (t) => {
  if (!hasChromium(t)) return;
  const seed = (project: string): void => writeFileSync(join(project, 'bad.txt'), 'as it was\n');
  const s = await session(t, { account: ordinary(), seed });
  await s.sh(
    'mkdir -p lib/deep; for n in 1 2; do echo $n > lib/deep/$n.txt; echo $n > lib/$n.ts; done; echo bad > bad.txt',
  );
  await review(s, async (page) => {
    const sign = (row: string, word: string) =>
      page.row(row).first().getByRole('img', { name: word, exact: true }).waitFor();
    await page.open('deep');
    await page.press('T');
    await sign('deep', 'taken');
    await sign('lib', 'decided in part');
    await sign('Your project', 'decided in part');
    await page.shows('✓ 3 taken');
    await page.row('lib').first().click();
    await page.press('T');
    await sign('lib', 'taken');
    await page.open('bad.txt');
    await page.press('x');
    await sign('bad.txt', 'rejected');
    await sign('Your project', 'decided in part');

    // The address says where a person is, the server what is decided.
    await page.page.reload();
    await page.page.getByRole('heading', { name: 'bad.txt', level: 2 }).waitFor();
    await sign('lib', 'taken');
    await page.press('2');
    await page.page.getByRole('region', { name: 'Timeline' }).waitFor();
    await page.page.reload();
    await page.page.getByRole('region', { name: 'Timeline' }).waitFor();
    await page.page.goBack();
    await page.page.getByRole('heading', { name: 'bad.txt', level: 2 }).waitFor();

    await page.press('a');
    const dialog = page.page.getByRole('dialog', { name: 'Abort what was rejected' });
    await dialog.getByRole('button', { name: 'Throw away what was rejected of 1 change' }).click();
    await page.shows('1 change thrown away');
    await page.row('bad.txt').waitFor({ state: 'detached' });
    await sign('Your project', 'taken');
    assert.equal(await s.sh('cat bad.txt lib/deep/1.txt'), 'as it was\n1\n');
    assert.equal(readFileSync(join(s.project, 'bad.txt'), 'utf8'), 'as it was\n');

    await page.press('u');
    await page.page.getByRole('dialog', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).click();
    await page.shows('Took the abort back');
    await page.row('bad.txt').waitFor();
  });
  assert.equal(await s.sh('cat bad.txt'), 'bad\n');
});
