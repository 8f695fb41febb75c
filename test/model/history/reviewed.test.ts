/** What random sequences have found of commits of what was reviewed, while the view went on. */
import test from 'node:test';
import { runSteps } from './check.ts';
import type { Step } from './steps.ts';

const create: Step = { verb: 'create', path: 'b/c', to: 'a', n: 0 };
const snapshot: Step = { order: 'snapshot', ifChanged: false };
const commitReviewed: Step = { order: 'commitReviewed', n: 0 };

test('files in directories that were exchanged since what was reviewed are read as before (they passed for those with their new paths: ESTALE)', () =>
  runSteps([create, snapshot, { verb: 'exchange', path: 'b', to: 'a', n: 0 }, commitReviewed], { links: false }));
