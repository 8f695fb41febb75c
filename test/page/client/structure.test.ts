/** The page as a screen reader has it: its parts, their names and states; `picture.test.ts` has what it looks like. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { giveTo, type Session, session } from '../../support/session.ts';
import { hasChromium, type ReviewPage, review } from './browser.ts';

const LIST = `- tree "Changes":
  - treeitem "decided in part Your project 3 changes" [expanded] [level=1]:
    - img "decided in part": ◐
    - strong: Your project
    - text: 3 changes
  - treeitem "left staged added lib 2" [expanded] [level=2]:
    - img "left staged": ○
    - img "added": A
    - text: lib 2
  - treeitem "left staged added new.txt AMOUNT" [level=3]:
    - img "left staged": ○
    - img "added": A
    - text: new.txt AMOUNT
  - treeitem "decided in part modified a.ts AMOUNT" [level=2] [selected]:
    - img "decided in part": ◐
    - img "modified": M
    - text: a.ts AMOUNT`;

const FILE = `- article "ROOT/project/a.ts":
  - heading "a.ts" [level=2]
  - paragraph: modified · AMOUNT · 23 B → 21 B
  - group "Decide about the whole of ROOT/project/a.ts":
    - text: ◐ in part
    - button "Take"
    - button "Leave"
    - button "Reject"
  - group "How it is shown":
    - button "Side by side" [pressed]
    - button "Ignore white space"
    - button "Wrap" [pressed]
    - button "Commands"
  - button "Who wrote this"
  - button "Note to the agent"
  - paragraph: ⚠ executable
  - list "Other parts of this change":
    - listitem:
      - text: Its mode 0644 → 0755
      - group "Decide about its mode":
        - button "Take"
        - button "Leave" [pressed]
        - button "Reject"
  - region "Hunk 1 of 1":
    - text: 1 of 1 @@ −1,3 +1,3 @@
    - code: $ sh -euc 'sed -i s/two/2/ a.ts; mkdir lib; echo new > lib/new.txt'
    - group "Decide about hunk 1 of 1":
      - button "Take" [pressed]
      - button "Leave"
      - button "Reject"
    - text: "1"
    - code: one();
    - button "Note on line 1": "1"
    - code: one();
    - text: "2"
    - 'button "removed line 2: taken"': − ✓
    - code: two();
    - button "Note on line 2": "2"
    - 'button "added line 2: taken"': + ✓
    - code: 2();
    - text: "3"
    - code: three();
    - button "Note on line 3": "3"
    - code: three();`;

const PLAN = `- dialog "Commit":
  - banner:
    - heading "Commit" [level=2]
    - button "Close": ✗
  - list:
    - listitem: "✓ 0 changes taken: written to the real files"
    - listitem: "✗ 0 changes rejected: thrown away"
    - listitem: ◐ 1 change decided in part
    - listitem: "○ 2 changes left: still staged afterwards"
  - region "What will run later":
    - heading "⚠ Will run something later" [level=3]
    - list:
      - listitem: "ROOT/project/a.ts: executable"
  - heading "1 step" [level=3]
  - list "Steps":
    - listitem: replace file ROOT/project/a.ts
  - contentinfo:
    - button "Cancel"
    - button "Commit 1 change"`;

const TIMELINE = `- region "Timeline":
  - paragraph: The latest first. Choose one to compare another with it.
  - list:
    - listitem:
      - strong: "2"
      - text: now
      - time: TIME
      - code: $ sh -euc 'chmod +x a.ts'
      - button "Compare from here"
      - button "Travel here"
    - listitem:
      - strong: "1"
      - time: TIME
      - code: $ sh -euc 'sed -i s/two/2/ a.ts; mkdir lib; echo new > lib/new.txt'
      - button "Compare from here"
      - button "Compare with now"
      - button "Travel here"`;

const SESSIONS = `- region "Sessions":
  - paragraph:
    - text: To review another one, run
    - code: yolofs review
    - text: in its directory.
  - list:
    - listitem: ROOT/other STATE
    - listitem: ROOT/project this one, STATE`;

test('every view has its parts, each with its name and state', async (t) => {
  if (!hasChromium(t)) return;
  const seed = (project: string): void => writeFileSync(join(project, 'a.ts'), 'one();\ntwo();\nthree();\n');
  const s = await session(t, { account: ordinary(), seed });
  await s.sh('sed -i s/two/2/ a.ts; mkdir lib; echo new > lib/new.txt');
  await s.sh('chmod +x a.ts');
  const other = join(s.root, 'other');
  mkdirSync(other);
  await giveTo(s.account, other);
  await s.succeed(['init'], { cwd: other });
  await review(s, async (page) => {
    const isShown = structureOf(page, s);
    await page.open('a.ts');
    await page.press('n', 't');
    await page.isDecided('Decide about hunk 1 of 1', 'Take');
    await page.shows('◐ 1 in part');
    await page.row('a.ts').getByText('+1 −1').waitFor();
    await isShown('.list', LIST);
    await isShown('article', FILE);
    await page.press('c');
    await page.page.getByRole('button', { name: 'Commit 1 change' }).waitFor();
    await isShown('dialog', PLAN);
    await page.press('Escape', '2');
    await page.page.locator('[data-generation="1"]').waitFor();
    await isShown('section.timeline', TIMELINE);
    await page.press('4');
    await page.shows('/other');
    await isShown('section.sessions', SESSIONS);
  });
});

function structureOf({ page }: ReviewPage, s: Session): (part: string, expected: string) => Promise<void> {
  return async (part, expected) => {
    const shown = await page.locator(part).ariaSnapshot();
    const lasting = shown
      .replaceAll(s.root, 'ROOT')
      .replace(/\b(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\b/g, 'TIME')
      // Lines are counted when a file was looked at, bytes before.
      .replace(/\+\d+ −\d+|(?<=new\.txt )\d+ B/g, 'AMOUNT')
      .replace(/a daemon serves it|at rest/g, 'STATE');
    assert.equal(lasting, expected);
  };
}
