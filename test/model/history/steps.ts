/** The random steps: file operations, and the orders that a session takes between them. */
import fc from 'fast-check';

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
  | 'chmod'
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

export type OrderStep =
  | { readonly order: 'snapshot'; readonly ifChanged: boolean }
  | { readonly order: 'flush' | 'commit' | 'abort' }
  | { readonly order: 'restart'; readonly how: 'clean' | 'killed' | 'journal' };

export type Step = FileStep | OrderStep;

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
  { weight: 3, arbitrary: fc.constantFrom<Verb>('chmod', 'utimes', 'setxattr', 'removexattr') },
  { weight: 6, arbitrary: fc.constantFrom<Verb>('rename', 'rename', 'rename', 'exchange', 'link', 'link') },
  { weight: 3, arbitrary: fc.constantFrom<Verb>('hold', 'writeHeld', 'writeHeld', 'release', 'shrink') },
);

const fileStep: fc.Arbitrary<FileStep> = fc.record({ verb, path, to: path, n: fc.nat(999) });

const orderStep: fc.Arbitrary<OrderStep> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ order: fc.constant('snapshot' as const), ifChanged: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      order: fc.constant('restart' as const),
      how: fc.constantFrom('clean' as const, 'killed' as const, 'journal' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ order: fc.constantFrom('flush' as const, 'commit' as const) }) },
  { weight: 1, arbitrary: fc.constant({ order: 'abort' as const }) },
);

export const sequence: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ weight: 4, arbitrary: fileStep }, { weight: 1, arbitrary: orderStep }),
  { maxLength: 70, size: 'max' },
);
