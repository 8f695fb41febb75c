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
    title: 'a file that has moved shows a change of its original also when nobody has looked there since the start',
    steps: [
      f('rename', 'a/b/c', 'd'),
      f('rmTree', 'a'),
      { order: 'restart', how: 'killed' },
      { outside: 'replace', n: 148 },
      { order: 'snapshot', ifChanged: true },
    ],
  },
  {
    title: 'a file of which a travel has brought only the time back can be given up where it is in conflict',
    steps: [
      f('rename', 'a/a', 'c'),
      { order: 'snapshot', ifChanged: true },
      f('utimes', 'b/a', 'a', 8),
      { outside: 'write', n: 997 },
      { order: 'settle', how: 'theirs' },
      { order: 'travel', to: 46 },
      { outside: 'append', n: 151 },
      { order: 'settle', how: 'theirs' },
    ],
  },
  {
    title:
      'who gives up a change in a directory that has moved leaves the file there, whatever is in the place of the directory',
    steps: [
      f('rename', 'b', 'd'),
      f('rename', 'a/b', 'b'),
      f('chmod', 'b/c', 'a', 679),
      { order: 'abortPath', n: 567 },
    ],
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
  {
    title: 'undo of a commit that brought back what somebody had written, and the view has written over since',
    steps: [
      f('mkdir', 'd'),
      { order: 'snapshot', ifChanged: false },
      f('append', 'a/b/c'),
      { outside: 'write', n: 6 },
      { order: 'settle', how: 'ours' },
      { order: 'travel', to: 3 },
      { order: 'commit' },
      f('write', 'a/b/c'),
      { order: 'undo' },
    ],
  },
  {
    title:
      'undo of a commit shows a directory with its own time, also where somebody has worked in it since (the kernel kept that one)',
    steps: [
      f('utimes', 'b', 'b', 396),
      { outside: 'create', n: 512 },
      { order: 'settle', how: 'merge' },
      { outside: 'replace', n: 999 },
      { order: 'undo' },
      { order: 'restart', how: 'clean' },
    ],
  },
  {
    title: 'a file of the base that was moved over another one is not merged with what somebody has made of that',
    steps: [f('rename', 'a/a', 'c', 569), { outside: 'append', n: 709 }, { order: 'settle', how: 'merge' }],
  },
  {
    title: 'a directory that was deleted, given back and moved shows what is written to the real files in it',
    steps: [
      f('rmTree', 'a/b', 'b/c', 421),
      { order: 'abortPath', n: 680 },
      f('rename', 'a/b', 'b/d', 513),
      { outside: 'append', n: 645 },
    ],
  },
];

for (const { title, steps } of STORIES) test(title, () => runSteps(steps, { links: false }));
