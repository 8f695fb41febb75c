/** Hostile repositories: every shape, every command, as an ordinary user where root runs the suite. */
import { isRoot, ordinary } from '../support/accounts.ts';
import { attackAll } from './attack.ts';

if (isRoot) attackAll(ordinary());
