/** What goes between the person at the page and the agent: questions, and notes. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';
import { isFine, WITH_AXE } from './axe.ts';
import { hasChromium, type ReviewPage, review } from './browser.ts';

test('a question appears while it is asked, says what each answer grants, and the answer lets the agent go on', async (t) => {
  if (!hasChromium(t)) return;
  const seed = (project: string): void => {
    mkdirSync(join(project, 'secret'));
    writeFileSync(join(project, 'secret/key'), 'the key\n');
  };
  const config = '[rules]\n"secret/**" = "ask"\n';
  const s = await session(t, { account: ordinary(), seed, config });
  await s.sh('true');
  const work = async (page: ReviewPage): Promise<void> => {
    await page.shows('Nothing is staged.');
    const agent = s.sh('cat secret/key > copy.txt; cat copy.txt');
    await page.page.getByRole('button', { name: /Questions\s*1/ }).click();
    const question = page.page.getByRole('article', { name: /read .*secret\/key/ });
    await question.getByText('cat secret/key').first().waitFor();
    const secret = join(s.project, 'secret');
    const from = (place: string): string => `from now on ${place}, and what is below it, is 'ask-write'`;
    assert.deepEqual((await question.locator('.answers li').allInnerTexts()).slice(0, 3), [
      `Once this one time, reading ${secret}/key`,
      `Always ${from(`${secret}/key`)}`,
      `Always below ${secret} ${from(secret)}`,
    ]);
    assert.deepEqual((await question.locator('.answers li').allInnerTexts()).slice(-2), [
      'No nothing; the next time it is asked again',
      `Never nothing; from now on ${secret}/key is 'deny'`,
    ]);
    await isFine(page, 'a question');
    await question.getByRole('button').first().click();
    assert.equal(await agent, 'the key\n');
    await page.press('1');
    await page.open('copy.txt');
    await page.press('m');
    await page.page.keyboard.type('Do not copy keys.');
    await page.press('Control+Enter');
    await page.shows('The agent hears of it');
  };
  await review(s, work, WITH_AXE);
});
