/**
 * The operations of this folder in the view, on directories in every state a session can bring them into. What each
 * saw, and the trees they leave, must be those of the same list run on the host.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Account, accounts, isQuick, isRoot, ordinary } from '../support/accounts.ts';
import { SLOWNESS } from '../support/exec.ts';
import { plainDirectory } from '../support/plain.ts';
import { nativeProgram, nativeTree, type Session, session } from '../support/session.ts';
import { assertSameTree, type TreeEntry } from '../support/tree.ts';

type Report = Record<string, [what: string, value: unknown][]>;

interface Subject {
  /** Completes "operations on ...". */
  readonly title: string;
  /** Whether the seed is on the host before the session starts, and where. */
  readonly base?: string;
  /** Brings `ops` into its state from inside the view. */
  readonly prepare?: (s: Session) => Promise<unknown>;
}

const OPS = 'ops';

const SUBJECTS: readonly Subject[] = [
  { title: 'untouched base files', base: OPS },
  { title: 'files made in the view', prepare: (s) => s.program('conformance/seed-main.js', [join(s.project, OPS)]) },
  {
    title: 'files staged before a snapshot',
    prepare: async (s) => {
      await s.program('conformance/seed-main.js', [join(s.project, OPS)]);
      await s.succeed(['snapshot', 'seeded']);
    },
  },
  { title: 'base files below a renamed directory', base: 'old', prepare: (s) => s.sh(`mv old ${OPS}`) },
  {
    title: 'files of a session that was stopped and started again',
    prepare: async (s) => {
      await s.program('conformance/seed-main.js', [join(s.project, OPS)]);
      await s.stop();
    },
  },
];

interface Difference {
  readonly as: 'root' | 'an ordinary user';
  readonly host: string;
  readonly view: string;
  /** Only where the file is the base's. */
  readonly base?: true;
}

/**
 * What cannot be the same, and why. The list is exact: a difference that is gone must be struck off.
 *
 * The agent's user namespace owns neither the mount nor other accounts: root in the view lacks CAP_FSETID over it, and
 * an ordinary user sees every id but its own as unmapped, which the kernel refuses with EINVAL or EOVERFLOW, not EPERM.
 * An ordinary user's daemon cannot read a base file that the user has closed to itself: it would have to chmod the base.
 */
const DIFFERENT: Readonly<Record<string, Difference>> = {
  'set-id after a write': { as: 'root', host: '4755', view: '755' },
  'set-id after a truncation': { as: 'root', host: '6755', view: '755' },
  'to nobody': { as: 'an ordinary user', host: 'EPERM', view: 'EINVAL' },
  'chmod of a foreign file': { as: 'an ordinary user', host: 'EPERM', view: 'EOVERFLOW' },
  'times of a foreign file': { as: 'an ordinary user', host: 'EPERM', view: 'EOVERFLOW' },
  'read 0000 after its owner opened it up': { as: 'an ordinary user', host: 'ok', view: 'EACCES', base: true },
};

const oracles = new Map<number, Promise<{ report: Report; tree: TreeEntry[] }>>();

for (const account of accounts()) {
  const most = isQuick ? 1 : isRoot && account.uid === ordinary().uid ? 2 : SUBJECTS.length;
  for (const subject of SUBJECTS.slice(0, most)) {
    test(`operations on ${subject.title} as ${account.title} do what they do on the host`, {
      timeout: 120_000 * SLOWNESS,
    }, async (t) => {
      const expected = await oracle(account);
      const s = await session(t, { account, seed: (project) => seedBase(project, subject, account) });
      await subject.prepare?.(s);
      const base = await s.baseTree({ mtime: true, ino: true });
      const report = JSON.parse(await s.program('conformance/main.js', [join(s.project, OPS)])) as Report;
      assertSameReport(report, expected.report, (difference) => appliesTo(difference, account, subject));
      const view = await s.tree({ ino: true });
      assertSameTree(view.map(withoutIno), expected.tree, 'the view differs from the host');
      assertSameTree(await s.baseTree({ mtime: true, ino: true }), base, 'the base has changed before the commit');

      await s.stop();
      assertSameTree(await s.tree({ ino: true }), view, 'the view has changed across a restart');
      await s.commitForGood();
      assertSameTree(await s.baseTree(), expected.tree, 'the committed base differs from the host');
      assert.deepEqual(await s.changeLines(), [], 'something is left after the commit');
    });
  }
}

async function seedBase(project: string, subject: Subject, account: Account): Promise<void> {
  if (subject.base === undefined) return;
  await nativeProgram('conformance/seed-main.js', [join(project, subject.base)], { account });
}

function oracle(account: Account): Promise<{ report: Report; tree: TreeEntry[] }> {
  const known = oracles.get(account.uid);
  if (known !== undefined) return known;
  const made = runOracle(account);
  oracles.set(account.uid, made);
  return made;
}

async function runOracle(account: Account): Promise<{ report: Report; tree: TreeEntry[] }> {
  const { project, remove } = plainDirectory(account);
  try {
    await nativeProgram('conformance/seed-main.js', [join(project, OPS)], { account });
    const json = await nativeProgram('conformance/main.js', [join(project, OPS)], { account });
    return { report: JSON.parse(json) as Report, tree: await nativeTree(project, {}, account) };
  } finally {
    remove();
  }
}

function appliesTo(difference: Difference | undefined, account: Account, subject: Subject): boolean {
  return difference?.as === account.title && (difference.base !== true || subject.base !== undefined);
}

function assertSameReport(
  actual: Report,
  expected: Report,
  applies: (difference: Difference | undefined) => boolean,
): void {
  const problems: string[] = [];
  for (const [title, seen] of Object.entries(expected)) {
    const mine = actual[title] ?? [];
    for (const [i, [what, value]] of seen.entries()) {
      const [otherWhat, other] = mine[i] ?? ['nothing', undefined];
      const known = DIFFERENT[what];
      if (known !== undefined && applies(known)) {
        assert.deepEqual([value, other], [known.host, known.view], `the known difference "${what}" is another one now`);
        continue;
      }
      if (what === otherWhat && JSON.stringify(value) === JSON.stringify(other)) continue;
      problems.push(
        `${title}\n    ${what}: ${show(value)} on the host, ${otherWhat === what ? '' : `${otherWhat}: `}${show(other)} in the view`,
      );
      if (what !== otherWhat) break;
    }
  }
  assert.ok(problems.length === 0, `${problems.length} differences\n  ${problems.join('\n  ')}`);
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300);
}

function withoutIno(entry: TreeEntry): TreeEntry {
  const { ino: _, ...rest } = entry;
  return rest;
}
