/**
 * Ways around a rule: every one to the content of a denied file, to change it, and to put something in its place. The
 * rule's teeth: without it, each attempt gets what it wants in the same view.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Account, accounts } from '../support/accounts.ts';
import { SLOWNESS } from '../support/exec.ts';
import { giveTo, MAIN } from '../support/session.ts';
import { type Attempts, type Cage, cage, SECRET, showsTheHost, through } from './attempts.ts';
import { CHANGES, READS, REFUSED_ANYWAY } from './denied-attempts.ts';

const RULES = '[rules]\n"denied.txt" = "deny"\n"vault/secrets" = "deny"\n"**/.env" = "deny"\n';
/** With a rule that needs a question at open(2), the project is served by the gated connection, else by the fast one. */
const GATED = `${RULES}"asked" = "ask"\n`;
const HIDDEN = GATED.replaceAll('"deny"', '"hidden"');
/** Each starts the view anew. The first is how a project is served unless it has rules that ask. */
const ROUNDS = process.env.YOLOFS_TEST_LONG === undefined ? [RULES] : [RULES, GATED, HIDDEN];
const SEED = `mkdir -p vault/secrets subdir; echo nested > subdir/deep.txt; chmod 755 .
  echo '# ${SECRET}' | tee denied.txt vault/secrets/key; chmod 755 denied.txt`;

/** A session with something to deny; nothing is denied yet. */
async function withSecrets(t: TestContext, account: Account): Promise<Cage | undefined> {
  const made = await cage(t, { account, seed: async () => undefined });
  if (made === undefined) return undefined;
  await made.s.abort();
  await made.s.native(['sh', '-c', SEED]);
  await giveTo(account, made.s.project);
  await ruled(made, '');
  return { ...made, env: { ...made.env, F: 'denied.txt', D: 'vault/secrets' } };
}

/** Starts the view anew with what the project's file says. */
async function ruled({ s }: Cage, rules: string): Promise<void> {
  await s.stop();
  writeFileSync(join(s.project, '.yolofs.toml'), rules);
}

function titles(lines: readonly string[], attempts: Attempts): string[] {
  return Object.keys(attempts).filter((title) => lines.some((line) => line.startsWith(`${title}: `)));
}

for (const account of accounts()) {
  test(`a denied file is not read, whatever the way, as ${account.title}`, {
    timeout: 120_000 * SLOWNESS,
  }, async (t) => {
    const made = await withSecrets(t, account);
    if (made === undefined) return;
    const group = { attempts: READS, isThrough: showsTheHost };
    const free = titles(await through(made, 'view', group), READS);
    const expected = Object.keys(READS).filter((title) => !REFUSED_ANYWAY.includes(title));
    assert.deepEqual(free, expected, 'without the rule');
    await made.s.abort();
    for (const rules of ROUNDS) {
      await ruled(made, rules);
      assert.deepEqual(await through(made, 'view', group), [], rules);
    }
  });

  test(`a denied file is not changed or replaced, whatever the way, as ${account.title}`, {
    timeout: 120_000 * SLOWNESS,
  }, async (t) => {
    const made = await withSecrets(t, account);
    if (made === undefined) return;
    const { s } = made;
    for (const rules of ROUNDS) {
      await ruled(made, rules);
      const done = await through(made, 'view', { attempts: CHANGES });
      // rm -f of what is not to be seen succeeds.
      assert.deepEqual(rules === HIDDEN ? [] : done, [], rules);
      const touched = (await s.changes()).filter(({ path }) => /denied|secrets|\.env$/.test(path));
      assert.deepEqual(touched, [], rules);
      await s.abort();
    }
    await ruled(made, '');
    // Each in a state that those before have not spoilt.
    const again = Object.entries(CHANGES).map(([title, line]) => [
      title,
      `cp -a . "$OUT/$$" && cd "$OUT/$$" && mkdir -p ../project && { ${line}; }`,
    ]);
    assert.deepEqual(
      titles(await through(made, 'view', { attempts: Object.fromEntries(again) }), CHANGES),
      Object.keys(CHANGES),
    );
  });

  test(`what was staged before it was denied does not come out of yolofs inside, as ${account.title}`, async (t) => {
    const made = await withSecrets(t, account);
    if (made === undefined) return;
    const { s } = made;
    await s.sh(
      'echo more >> denied.txt; echo new > vault/secrets/new; mv vault/secrets/key vault/secrets/old; echo x > other',
    );
    const diff = [process.execPath, MAIN, 'diff'];
    const inside = (): Promise<string> => s.succeed(['run', '--quiet', '--', ...diff]);
    assert.match(await inside(), new RegExp(SECRET));
    await ruled(made, RULES);
    const shown = await inside();
    assert.doesNotMatch(shown, new RegExp(`${SECRET}|more|\\+new|key`));
    assert.match(shown, /\+x/);
  });
}
