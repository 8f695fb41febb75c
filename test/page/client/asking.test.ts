/** What goes between the person at the page and the agent: questions, and notes. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { mcpClient } from '../../support/mcp-client.ts';
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

test('a commit that the agent asks for is refused with a reason, another one is taken and committed', async (t) => {
  if (!hasChromium(t)) return;
  const s = await session(t, { account: ordinary() });
  await s.sh('echo made > made.txt');
  const agent = mcpClient(t, s);
  await agent.open();
  await review(s, async (page) => {
    const wish = (message: string) => page.page.getByRole('article', { name: /commit/ }).filter({ hasText: message });
    await page.press('3');
    await page.shows('The agent asks nothing at the moment.');
    await agent.tell('commit_request', { message: 'half of it' });
    await wish('half of it').getByRole('textbox').fill('finish it first');
    await wish('half of it').getByRole('button', { name: 'Refuse' }).click();
    await page.shows('The agent asks nothing at the moment.');
    await agent.tell('commit_request', { message: 'all of it' });
    await wish('all of it').getByRole('button', { name: 'Take everything' }).click();
    await page.page.getByRole('button', { name: 'Commit 1 change' }).click();
    await page.shows(/Commit 1: 1 change/);
  });
  assert.equal(readFileSync(join(s.project, 'made.txt'), 'utf8'), 'made\n');
  assert.match(await agent.tell('status'), /request 1: rejected.*because: finish it first/s);
  await agent.hangUp();
});
