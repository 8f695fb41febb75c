/** The random steps: file operations, and the orders that a session takes between them. */
import { fc } from '../../random/fast-check.ts';

export type Verb =
  | 'create'
  | 'mkdir'
  | 'symlink'
  | 'fifo'
  | 'tmpfile'
  | 'unlink'
  | 'rmdir'
  | 'rmTree'
  | 'write'
  | 'append'
  | 'replace'
  | 'truncate'
  | 'fallocate'
  | 'copyRange'
  | 'chmod'
  | 'chown'
  | 'utimes'
  | 'setxattr'
  | 'removexattr'
  | 'rename'
  | 'exchange'
  | 'link'
  | 'hold'
  | 'writeHeld'
  | 'release'
  | 'shrink';

export interface FileStep {
  readonly verb: Verb;
  readonly path: string;
  readonly to: string;
  readonly n: number;
}

/** Whose version wins; or both are put together. */
export type Wish = 'ours' | 'theirs' | 'merge';

export type OrderStep =
  | { readonly order: 'snapshot'; readonly ifChanged: boolean }
  /** To some generation there is: `to` modulo their number. */
  | { readonly order: 'travel'; readonly to: number }
  /** Of one or two of the paths at which view and base differ, chosen by `n`. */
  | { readonly order: 'commitPath' | 'abortPath'; readonly n: number }
  /** A commit of what a person has reviewed: some generation since the last commit, chosen by `n`. */
  | { readonly order: 'commitReviewed'; readonly n: number }
  /** A commit; conflicts are settled so. */
  | { readonly order: 'settle'; readonly how: Wish }
  | { readonly order: 'gc'; readonly dropAbandoned: boolean; readonly keepLast: number | undefined }
  | { readonly order: 'flush' | 'commit' | 'abort' | 'undo' | 'keep' };

/** A restart finds the durable tree as it was closed, as the last write-behind left it, or not at all. */
export type RestartHow = 'clean' | 'killed' | 'journal';

export interface RestartStep {
  readonly order: 'restart';
  readonly how: RestartHow;
}

/** The process dies during an order, right before or right after a record: the one after `crash` others. */
export interface CrashStep {
  readonly crash: number;
  readonly written: boolean;
  readonly during: OrderStep;
}

/** `replace`: as editors save. */
export type EditHow = 'write' | 'append' | 'replace' | 'remove' | 'create' | 'chmod';

/** Somebody else changes a real file. */
export interface OutsideStep {
  readonly outside: EditHow;
  readonly n: number;
}

export type Step = FileStep | OrderStep | RestartStep | CrashStep | OutsideStep;

// Few names, so that steps meet; some that a careless reader of bytes trips over.
const name = fc.constantFrom('a', 'a', 'b', 'b', 'c', 'd', 'e\n', '\xff');
const path = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom('a', 'b', 'c', 'a/a', 'a/b', 'a/b/c', 'a/c', 'b/a', 'b/c', 'd', 'd/a', 'd/a/x', 'e\n'),
  },
  { weight: 2, arbitrary: fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/')) },
);

const verb = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Verb>('create', 'mkdir', 'mkdir', 'symlink', 'fifo', 'tmpfile') },
  { weight: 4, arbitrary: fc.constantFrom<Verb>('unlink', 'unlink', 'rmdir', 'rmTree') },
  { weight: 7, arbitrary: fc.constantFrom<Verb>('write', 'write', 'append', 'replace', 'truncate') },
  { weight: 3, arbitrary: fc.constantFrom<Verb>('fallocate', 'fallocate', 'copyRange') },
  { weight: 4, arbitrary: fc.constantFrom<Verb>('chmod', 'chown', 'utimes', 'setxattr', 'removexattr') },
  { weight: 6, arbitrary: fc.constantFrom<Verb>('rename', 'rename', 'rename', 'exchange', 'link', 'link') },
  { weight: 3, arbitrary: fc.constantFrom<Verb>('hold', 'writeHeld', 'writeHeld', 'release', 'shrink') },
);

export const fileStep: fc.Arbitrary<FileStep> = fc.record({ verb, path, to: path, n: fc.nat(999) });

const orderStep: fc.Arbitrary<OrderStep> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ order: fc.constant('snapshot' as const), ifChanged: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ order: fc.constantFrom('flush', 'commit', 'undo', 'keep') }) },
  { weight: 4, arbitrary: fc.record({ order: fc.constant('travel' as const), to: fc.nat(99) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      order: fc.constant('gc' as const),
      dropAbandoned: fc.boolean(),
      keepLast: fc.constantFrom(undefined, undefined, 2, 5),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ order: fc.constantFrom('commitPath' as const, 'abortPath' as const), n: fc.nat(999) }),
  },
  { weight: 3, arbitrary: fc.record({ order: fc.constant('commitReviewed' as const), n: fc.nat(999) }) },
  { weight: 1, arbitrary: fc.constant({ order: 'abort' as const }) },
  {
    weight: 7,
    arbitrary: fc.record({
      order: fc.constant('settle' as const),
      how: fc.constantFrom<Wish>('ours', 'theirs', 'merge'),
    }),
  },
) as fc.Arbitrary<OrderStep>;

const restartStep: fc.Arbitrary<RestartStep> = fc.record({
  order: fc.constant('restart' as const),
  how: fc.constantFrom('clean' as const, 'killed' as const, 'journal' as const),
});

const crashStep: fc.Arbitrary<CrashStep> = fc.record({
  crash: fc.nat(3),
  written: fc.boolean(),
  during: orderStep.filter(
    ({ order }) => !['commit', 'commitReviewed', 'undo', 'settle'].includes(order) && !order.endsWith('Path'),
  ),
});

const outsideStep: fc.Arbitrary<OutsideStep> = fc.record({
  outside: fc.constantFrom<EditHow>('write', 'append', 'append', 'replace', 'remove', 'create', 'chmod'),
  n: fc.nat(999),
});

const ownStep = fc.oneof(
  { weight: 60, arbitrary: fileStep },
  { weight: 14, arbitrary: orderStep },
  { weight: 5, arbitrary: restartStep },
  { weight: 2, arbitrary: crashStep },
);
const anyStep = fc.oneof({ weight: 81, arbitrary: ownStep }, { weight: 10, arbitrary: outsideStep });
const LENGTH = { maxLength: 70, size: 'max' } as const;

/** A sequence, with files of several names or without. */
export const story = fc.record({ steps: fc.array(ownStep, LENGTH), links: fc.boolean() });

/** One with changes outside, of files that have one name. */
export const outsideStory = fc.record({ steps: fc.array(anyStep, LENGTH), links: fc.constant(false) });
