/** Hostile repositories: every shape, every command, root and an ordinary user. */
import { describe, test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import { attack } from './attack.ts';
import { shapes } from './shapes.ts';

for (const account of accounts()) {
  describe(`hostile repositories, as ${account.title}`, { concurrency: 2 }, () => {
    for (const shape of shapes(account.uid === 0)) {
      test(`S1: ${shape.title}`, () => attack(shape, account));
    }
  });
}
