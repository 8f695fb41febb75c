/** Which command a hunk is by: also of files that several have changed, and of what a commit, or an abort, of something else has left staged. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSession } from '../../../src/cli/look/read-session.ts';
import { netChanges } from '../../../src/history/diff/changes.ts';
import { Facts } from '../../../src/history/diff/facts.ts';
import { sectionsOf } from '../../../src/history/diff/text/sections.ts';
import { Journal } from '../../../src/history/log/journal.ts';
import { Blame } from '../../../src/history/past/blame.ts';
import { self } from '../../support/accounts.ts';
import { type Session, session } from '../../support/session.ts';

const TEXT = Array.from({ length: 60 }, (_, i) => `${i}\n`).join('');

/** Of each hunk of each text what is in it, and the first words of the commands. */
function told(s: Session): Promise<readonly string[]> {
  return readSession(s.layout, async (reading) => {
    assert.ok(reading);
    const blame = new Blame(reading.session.journal, Journal.start);
    const facts = new Facts(reading.base, reading.store);
    return [...netChanges(reading)].flatMap((change) => {
      const { text } = sectionsOf(change, facts);
      const name = change.path.slice(s.project.length + 1);
      const short = (commands: readonly string[]): string => commands.map((one) => /# (\w+)/.exec(one)?.[1]).join('+');
      if (text === undefined) return [`${name}: ${short(blame.commandsOf(change.path, change.from))}`];
      return text.hunks.map((hunk) => {
        const lines = hunk.lines.filter((line) => /^[-+]/.test(line)).join(' ');
        return `${name}: ${lines}: ${short(blame.commandsBehind(change.path, { text, hunk }, facts))}`;
      });
    });
  });
}

test('a hunk is by the command that left its lines as they are, and by the one that took lines away', async (t) => {
  const seed = (project: string): void => {
    for (const name of ['a', 'b', 'moved']) writeFileSync(join(project, name), TEXT, { mode: 0o644 });
  };
  const s = await session(t, { seed, account: self });
  await s.sh("sed -i -e 's/^5$/five/' -e 's/^40$/forty/' a; echo more >> b # first");
  await s.sh("sed -i -e 's/^20$/twenty/' -e '/^42$/d' a; mv moved new # second");
  await s.sh('echo end >> a; sed -i 1s/.*/top/ new # third');
  const hunks = ['a: -5 +five: first', 'a: -20 +twenty: second', 'a: -40 +forty -42: first+second', 'a: +end: third'];
  assert.deepEqual(await told(s), [...hunks, 'b: +more: first', 'moved: second', 'new: second+third']);
  await s.succeed(['commit', '--yes', 'b']);
  assert.deepEqual(await told(s), [...hunks, 'moved: second', 'new: second+third']);
  await s.succeed(['abort', '--yes', 'new']);
  assert.deepEqual(await told(s), [...hunks, 'moved: second']);
  await s.succeed(['undo']);
  assert.deepEqual(await told(s), [...hunks, 'moved: second', 'new: second+third']);
});

test('an abort of something else leaves it known which command a hunk is by, of those since the last commit, too', async (t) => {
  const s = await session(t, { seed: (project) => writeFileSync(join(project, 'a'), TEXT), account: self });
  await s.sh("sed -i 's/^5$/five/' a # first");
  await s.sh("sed -i 's/^40$/forty/' a; echo new > new # second");
  const hunks = ['a: -5 +five: first', 'a: -40 +forty: second'];
  assert.deepEqual(await told(s), [...hunks, 'new: second']);
  await s.succeed(['abort', '--yes', 'new']);
  assert.deepEqual(await told(s), hunks);
  await s.sh("sed -i 's/^five$/FIVE/' a # third");
  assert.deepEqual(await told(s), ['a: -5 +FIVE: first+third', 'a: -40 +forty: second']);
});
