/** Keys of the review page that come faster than the browser does its work. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';
import { hasChromium, review } from './browser.ts';

test('a key that follows Escape at once is for the page, not for the dialog that was closed', async (t) => {
  if (!hasChromium(t)) return;
  const seed = (project: string): void => writeFileSync(join(project, 'a.ts'), 'one();\n');
  const s = await session(t, { account: ordinary(), seed });
  await s.sh('echo "two();" >> a.ts');
  await review(s, async (page) => {
    for (const dialog of ['c', '?', 'a']) {
      await page.press('1', dialog);
      await page.page.getByRole('dialog').waitFor();
      await page.page.evaluate(() => {
        // Both keys wait until this has ended; then they come before any event of the browser's own.
        setTimeout(() => {
          const end = performance.now() + 500;
          while (performance.now() < end);
        });
      });
      await Promise.all([page.press('Escape'), page.press('2')]);
      await page.page.locator('[data-generation="1"]').waitFor({ timeout: 10_000 });
    }
  });
});
