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
  {
    title: 'a directory that has changed places with another one shows what is made in it',
    steps: [f('exchange', 'a/b', 'b'), { outside: 'create', n: 0 }],
  },
  {
    title: 'a file is merged from what the view took, also when it is changed outside again after a crash',
    steps: [
      f('fallocate', 'a/a', 'a', 0),
      { outside: 'write', n: 0 },
      { crash: 0, written: false, during: { order: 'snapshot', ifChanged: false } },
      { outside: 'write', n: 0 },
      { order: 'settle', how: 'merge' },
    ],
  },
];

for (const { title, steps } of STORIES) test(title, () => runSteps(steps, { links: false }));
