/** Hostile repositories: every shape, every command, as whoever runs the suite. */

import { self } from '../support/accounts.ts';
import { attackAll } from './attack.ts';

attackAll(self);
