/** What random sequences with changes outside have found, each as the shortest sequence that showed it. */
import test from 'node:test';
import { runSteps } from '../check.ts';
import type { FileStep, Step, Verb } from '../steps.ts';

const f = (verb: Verb, path: string, to = 'a', n = 1): FileStep => ({ verb, path, to, n });

const STORIES: readonly { readonly title: string; readonly steps: readonly Step[] }[] = [
  {
    title:
      'a file that moved out of a directory which is deleted then shows what is written to its original (it showed the old bytes)',
    steps: [f('rename', 'b/a', 'c'), f('rmTree', 'b'), { outside: 'write', n: 0 }],
  },
];

for (const { title, steps } of STORIES) test(title, () => runSteps(steps, { links: false }));
