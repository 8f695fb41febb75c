/** Hostile repositories: a sample; all of them are in repositories-as-*.long.ts. */
import { test } from 'node:test';
import { isRoot, ordinary, self } from '../support/accounts.ts';
import { attack, FEW } from './attack.ts';
import { shapes } from './shapes.ts';

const SAMPLE: readonly (readonly [string, string])[] = [
  ['S1', 'all that .yolofs may hold as file, by clone'],
  ['S1', '.yolofs itself as link, by clone'],
  ['S1b', 'rules and places as file, by branch'],
  ['S1', 'all that .yolofs may hold as fifo, by archive'],
  ['S1', '.yolofs.toml as fifo, by archive'],
];

for (const [id, title] of SAMPLE) {
  const shape = shapes(isRoot).find((one) => one.title === title);
  if (shape === undefined) throw new RangeError(title);
  const account = id === 'S1b' ? self : ordinary();
  test(`${id}: ${title}, reaches nothing, as ${account.title}`, () => attack(shape, account, FEW));
}
