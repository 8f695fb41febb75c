/** A session with a directory beside the project that is asked about. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Account } from '../support/accounts.ts';
import { plainDirectory } from '../support/plain.ts';
import { giveTo, type Session, seedSmall, session } from '../support/session.ts';

export interface World {
  readonly s: Session;
  /** Asked about for reading and writing; has `one`, `two`, `three` and `sub/deep`, each with its own name in it. */
  readonly asked: string;
}

/** `config` is what `[ask]` of the user's file says. */
export async function world(t: TestContext, account: Account, config = ''): Promise<World> {
  const place = plainDirectory(account);
  seedSmall(place.project);
  const asked = join(place.root, 'asked');
  mkdirSync(join(asked, 'sub'), { recursive: true });
  for (const name of ['one', 'two', 'three', 'sub/deep']) writeFileSync(join(asked, name), `${name}\n`);
  await giveTo(account, place.root);
  const rules = `default_rules = false\n[ask]\n${config}\n[rules]\n"${asked}" = "ask"\n`;
  const s = await session(t, { account, place, rules });
  await s.sh('true');
  return { s, asked };
}
