/** What random sequences have found, each as the shortest sequence that showed it. */
import test from 'node:test';
import { runSteps } from './check.ts';
import type { FileStep, OrderStep, RestartHow, RestartStep, Step, Verb, Wish } from './steps.ts';

const f = (verb: Verb, path: string, to = 'a', n = 1): FileStep => ({ verb, path, to, n });
const abort: OrderStep = { order: 'abort' };
const commit: OrderStep = { order: 'commit' };
const snapshot: OrderStep = { order: 'snapshot', ifChanged: false };
const travel = (to: number): OrderStep => ({ order: 'travel', to });
const commitPath = (n: number): OrderStep => ({ order: 'commitPath', n });
const abortPath = (n: number): OrderStep => ({ order: 'abortPath', n });
const settle = (how: Wish): OrderStep => ({ order: 'settle', how });
const undo: OrderStep = { order: 'undo' };
const restart = (how: RestartHow): RestartStep => ({ order: 'restart', how });

/** `c` and `b/c` are one file in the base. */
const STORIES: readonly { readonly title: string; readonly steps: readonly Step[]; readonly links?: boolean }[] = [
  {
    title: 'abort gives a base file with two names back by both (one name had been moved and kept the staged content)',
    steps: [f('write', 'b/c'), f('rename', 'b/c', 'd'), abort],
  },
  {
    title: 'a file that is written before it has a name keeps its extended attributes (they were lost at once)',
    steps: [f('tmpfile', 'a/f'), f('unlink', 'c'), f('tmpfile', 'c'), restart('journal'), commit],
  },
  {
    title: 'abort reaches a further name of a staged file in a directory without overrides',
    steps: [f('write', 'c'), abort],
  },
  {
    title: 'after an abort a write to a file whose other name was in a moved directory is recorded (a restart lost it)',
    steps: [f('unlink', 'a/c'), f('rename', 'b', 'd'), abort, f('write', 'b/c'), restart('clean')],
  },
  {
    title: 'commit of the deletion of an open file: the process goes on seeing its size (fstat said ENOENT)',
    steps: [f('hold', 'a/b/c'), f('rmTree', 'a/b'), commit, f('writeHeld', '')],
  },
  {
    title: 'commit of a rename over an open file: the process goes on seeing the old one (fstat told the new size)',
    steps: [f('hold', 'e\n'), f('rename', 'a/b/c', 'e\n'), commit, f('writeHeld', '')],
  },
  {
    title: 'travel to before a commit that replaced a file shows it without the attributes of the new one',
    steps: [snapshot, f('replace', 'b/a'), f('setxattr', 'b/a'), commit, travel(1)],
    links: false,
  },
  {
    title: 'travel to after an abort of a path shows what came from elsewhere, also when a commit has deleted it since',
    steps: [f('rename', 'e\n', 'c'), f('write', 'a/a'), abortPath(450), f('unlink', 'c'), commit, travel(3)],
    links: false,
  },
  {
    title: 'travel after an undo reaches every name of a file that the commit had written to',
    steps: [f('write', 'c'), commit, undo, travel(0)],
  },
  {
    title: 'travel to before a commit that was undone needs nothing of it',
    steps: [f('rmTree', 'a'), snapshot, commit, undo, travel(1)],
    links: false,
  },
  {
    title:
      'undo of a commit that replaced one name of a file leaves its other names as they are (they got the new content)',
    steps: [f('replace', 'c'), commitPath(0), undo],
  },
  {
    title:
      'commit of a name that went with its directory takes along what replaces others there (they were in neither)',
    steps: [f('rmTree', 'a'), f('mkdir', 'a'), f('rename', 'b/a', 'a/a'), commitPath(853)],
    links: false,
  },
  {
    title: 'abort of a path that came along in a moved directory, as one more name of a file that has moved, too',
    steps: [f('exchange', 'b', 'c'), abortPath(5)],
  },
  {
    title: 'undo of a commit that moved a file out of a directory and deleted that (it failed)',
    steps: [f('rename', 'b/a', 'd'), f('rmdir', 'b'), commit, undo],
    links: false,
  },
  {
    title: 'travel to before a commit that moved a file out of a directory and deleted that (it failed)',
    steps: [f('rename', 'b/a', 'd'), f('rmdir', 'b'), { order: 'snapshot', ifChanged: true }, commit],
    links: false,
  },
  {
    title: 'undo after travel to before a commit leaves a file its old time, which is that of its content',
    steps: [snapshot, f('append', 'a/a'), commitPath(0), travel(1), undo],
    links: false,
  },
  {
    title: 'travel past the deletion of a file and a change of it before gives it the time that it had at first',
    steps: [f('write', 'a/a'), commit, f('unlink', 'a/a'), commit, travel(0)],
    links: false,
  },
  {
    title: 'undo of a commit that put a new file in the place of a symlink (the view showed the symlink)',
    steps: [f('create', 'd'), f('rename', 'd', 'a/c'), commit, undo],
    links: false,
  },
  {
    title: 'abort of what was deleted in a directory that has moved brings it back there',
    steps: [f('rename', 'a', 'd'), f('rmTree', 'd/b'), abortPath(2)],
    links: false,
  },
  {
    title:
      'abort of what was deleted in a directory that has moved brings it back there, also with another in its place',
    steps: [f('exchange', 'a/b', 'b'), f('unlink', 'a/b/a'), abortPath(337)],
    links: false,
  },
  {
    title:
      'abort of a directory that came along in one that has moved gives up what was written in it, and leaves it there',
    steps: [
      f('chown', 'c', 'a', 675),
      f('write', 'a/b/c', 'a', 346),
      f('append', 'e\n', 'a', 636),
      commitPath(814),
      f('exchange', 'a', 'b', 11),
      abortPath(482),
    ],
    links: false,
  },
  {
    title: 'undo of a commit that took one name of a file away and wrote to it by another (it was refused)',
    steps: [f('unlink', 'b/c'), f('append', 'c'), commit, undo],
  },
  {
    title: 'undo after a rename of one name of a file that the commit wrote to by another, and a restart',
    steps: [f('append', 'c'), commit, restart('killed'), f('rename', 'b/c', 'd'), undo],
  },
  {
    title: 'a file made after an undo and a restart from the journal has a number of its own (two looked like one)',
    steps: [f('fifo', 'd'), commit, undo, restart('journal'), f('replace', 'e\n')],
  },
  {
    title: 'travel to after an undo that moved one name of a file back and forth leaves the other (it was gone)',
    steps: [f('link', 'd/a/x'), f('rename', 'c', 'd'), commit, undo, travel(1)],
  },
  {
    title: 'undo of a commit of one name of a file, after a travel, leaves the other (the next commit removed it)',
    steps: [f('link', 'd/a/x'), f('rename', 'c', 'd'), commitPath(0), travel(0), undo, commit],
  },
  {
    title:
      'a journal that tells a directory anew in the place of one with something below it (it was told of the old one)',
    steps: [
      snapshot,
      f('rmTree', 'a'),
      f('symlink', 'a'),
      commitPath(0),
      travel(1),
      f('rename', 'c', 'a/b/c'),
      commitPath(0),
      travel(1),
      restart('journal'),
    ],
    links: false,
  },
  {
    title: 'commit of what moved out of a deleted directory, then of that: no conflict with ourselves',
    steps: [f('rename', 'a/b/c', 'e'), f('rename', 'b/a', 'a/a'), f('rmTree', 'b'), commitPath(850), commitPath(850)],
    links: false,
  },
  {
    title: 'undo of a commit that wrote to one name of a file and moved it (it took that for a change outside)',
    steps: [f('rename', 'c', 'a/b/c'), f('write', 'a/b/c', 'a', 0), commit, undo],
  },
  {
    title:
      'undo of a commit that changed a file by one name and took away another, which nobody had looked at since (the change was gone)',
    steps: [f('chmod', 'b/c', 'a', 0), f('unlink', 'c'), commit, undo],
  },
  {
    title: 'undo of a commit that wrote to a file and took away one name of it with its directory (it was refused)',
    steps: [f('rmTree', 'b'), f('write', 'c'), commit, undo],
  },
  {
    title: 'undo of a commit that wrote to a file by a name that went with its directory (the view lost the content)',
    steps: [f('write', 'b/c'), f('rmTree', 'b'), commit, undo],
  },
  {
    title: 'undo of a commit that moved a directory and set its attributes (it was refused)',
    steps: [f('chmod', 'b', 'a', 0), f('rename', 'b', 'd'), commit, undo],
    links: false,
  },
  {
    title:
      'undo of a commit that moved one name of a file, and of something else with that name (which was taken for the file)',
    steps: [f('exchange', 'b', 'a'), commit, f('write', 'c'), f('chown', 'b/c', 'a', 0), undo],
  },
  {
    title: 'undo of a commit that replaced one name of a file and wrote to it by the other (it was refused)',
    steps: [f('replace', 'c'), f('write', 'b/c'), commit, undo],
  },
  {
    title:
      'abort of the deletion of a directory takes along what was written to a file in it by another name (that showed the new content)',
    steps: [f('exchange', 'a/a', 'c', 0), f('write', 'a/a', 'a', 0), f('rmTree', 'b'), abortPath(78)],
  },
  {
    title:
      'travel to before a commit that set the times of a file which had been written to twice in a second (it showed them)',
    steps: [f('write', 'a/a'), snapshot, f('write', 'a/a', 'a', 2), snapshot, f('utimes', 'a/a', 'a', 0), commit],
    links: false,
  },
  {
    title:
      'travel to what a travel to before a commit had told anew, when the time of a file in it was set and committed (it showed that)',
    steps: [snapshot, f('write', 'e\n'), commit, travel(1), f('utimes', 'e\n', 'a', 0), commit],
    links: false,
  },
  {
    title:
      'abort of what came along in a moved directory is that move, also where the base has what was set in it by now',
    steps: [f('setxattr', 'a/b/c'), snapshot, f('exchange', 'a', 'b/a'), commit, travel(1), abortPath(742)],
    links: false,
  },
  {
    title: 'commit of what is staged of a file, after gc took away the name of it that an earlier commit had deleted',
    steps: [
      f('unlink', 'c'),
      commit,
      f('append', 'b/c'),
      f('create', 'd'),
      commitPath(1),
      { order: 'gc', dropAbandoned: false, keepLast: 1 },
      restart('killed'),
      commit,
    ],
  },
  {
    title: 'commit of a removed attribute, after an undo of the commit that had given it to the content (it kept that)',
    steps: [f('write', 'c'), f('setxattr', 'c'), commit, undo, f('removexattr', 'c'), commit],
    links: false,
  },
  {
    title: 'undo of a commit of other content without an attribute shows the file without it',
    steps: [f('write', 'c'), f('setxattr', 'c'), commit, f('write', 'c'), f('removexattr', 'c'), commit, undo],
    links: false,
  },
  {
    title:
      'commit of a new file over one of two hard links, after the other was replaced by a commit of its own (a false conflict)',
    steps: [f('replace', 'b/c', 'a', 0), f('replace', 'c', 'a', 0), restart('clean'), commitPath(0), settle('ours')],
  },
  {
    title:
      'commit of a file whose other hard link gc took from the backups (it was rewritten and replaced, and ESTALE)',
    steps: [
      f('rename', 'e\n', 'b/c', 0),
      commit,
      f('chmod', 'a', 'a', 0),
      commit,
      { order: 'gc', dropAbandoned: false, keepLast: 2 },
      f('copyRange', 'a/b/c', 'a', 0),
      commit,
    ],
  },
  {
    title:
      'a write to a removed file that is still open, and a travel back, leave it as it was (the bytes came up in the file of its name)',
    steps: [
      f('hold', 'b/c', 'a', 0),
      f('unlink', 'b/c', 'a', 0),
      f('writeHeld', 'a', 'a', 0),
      settle('ours'),
      travel(0),
      settle('ours'),
      f('write', 'b/c', 'a', 0),
      f('chmod', 'a', 'a', 0),
      commitPath(0),
      abortPath(0),
    ],
    links: true,
  },
];

/** Rare in random sequences: `b/a` is changed outside after it was committed. */
for (const outside of ['write', 'append', 'replace', 'remove', 'chmod'] as const) {
  test(`undo of a commit of a file that somebody has changed since (${outside}) is refused, and nothing is written`, () =>
    runSteps([f('write', 'b/a'), commit, { outside, n: 8 }, undo], { links: false }));
}

for (const { title, steps, links } of STORIES) test(title, () => runSteps(steps, { links }));
