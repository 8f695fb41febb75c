/** Who may not see a document lives in a world without it: everything is as in an index that was built without. */
import assert from 'node:assert/strict';
import type { Principal, Source } from '../../../src/sources/source.ts';
import { Random } from '../../random/random.ts';
import { SEED } from '../../random/seed.ts';
import { type Doc, entriesOf, type SearchServer, SIGNAL, TestIndex } from './test-index.ts';

const GROUPS = ['public', 'admin', 'billing', 'Admin', 'admin ', 'pub', 'public,admin', '*', ''];
const PATHS = ['a', 'a/b', 'a/c', 'b', 'dir/one', 'dir/two', 'dir/deep/three', 'x y', 'ünï/cödé', 'A'];

/** Random lists, principals and questions; `rounds` indices of their own. */
export async function provesAccess(server: SearchServer, rounds: number): Promise<void> {
  const random = new Random(SEED);
  let hidden = 0;
  for (let round = 0; round < rounds; round += 1) {
    const isOpen = round % 3 === 2;
    const docs = Array.from({ length: 3 + random.below(20) }, (_, i) => docOf(random, i));
    const shards = 1 + random.below(2);
    const whole = await TestIndex.create(server, { shards });
    await whole.put(docs);
    const principal = { groups: GROUPS.filter((group) => group !== 'public' && random.below(4) === 0) };
    const left = docs.filter((doc) => isVisible(doc, principal, isOpen));
    hidden += docs.length - left.length;
    const bare = await TestIndex.create(server, { shards });
    if (left.length > 0) await bare.put(left);
    const config = { open: isOpen, fields: round % 2 === 0 ? { order: 'n' } : {} };
    const [one, other] = [whole.open(config), bare.open(config)];
    assert.deepEqual(
      await seen(one, principal),
      await seen(other, principal),
      `round ${round}: ${JSON.stringify({ docs, principal })}`,
    );
    await Promise.all([whole.drop(), bare.drop()]);
  }
  assert.ok(hidden > rounds, `${hidden} documents were hidden`);
}

/** All that a principal can find out: names, sizes, contents, errors, guesses, what a search finds. */
async function seen(source: Source, principal: Principal): Promise<unknown> {
  const entries = await entriesOf(source, principal);
  const reads = await source.readMany(entries, principal, SIGNAL);
  const guesses = PATHS.map((path) => ({
    path,
    kind: 'file' as const,
    size: 1,
    mtime: 0,
    rev: '',
    acl: principal.groups,
  }));
  const guessed = await source.readMany(guesses, principal, SIGNAL);
  const told = [...reads, ...guessed].map((read) => ('content' in read ? Buffer.from(read.content).toString() : read));
  const found: unknown[] = [];
  for (const text of ['secret', 'ecre', 'x']) {
    for (const scope of [undefined, PATHS]) {
      const paths = await source.candidates?.(
        { formula: { kind: 'literal', text, fold: false }, scope },
        principal,
        SIGNAL,
      );
      found.push(paths === undefined ? 'all' : [...paths].sort());
    }
  }
  // Revisions and the time of an index are the server's own.
  return {
    entries: entries.map(({ rev: _, mtime: __, acl, ...entry }) => ({ ...entry, acl: [...acl].sort() })),
    told,
    found,
  };
}

function docOf(random: Random, i: number): Doc {
  const acl = [
    undefined,
    [],
    [random.pick(GROUPS)],
    [random.pick(GROUPS), random.pick(GROUPS)],
    random.pick(GROUPS),
    [[random.pick(GROUPS)]],
    null,
  ][random.below(7)];
  const content = random.pick(['secret', 'no', 'a secret x', '']);
  return { id: `${i}`, path: random.pick(PATHS), n: random.below(3), content, ...(acl === undefined ? {} : { acl }) };
}

/** The rule, said once more: a group of the list, or `public` in it; nothing said is for everybody where the table is open. */
function isVisible({ acl }: Doc, { groups }: Principal, isOpen: boolean): boolean {
  if (acl === undefined || acl === null) return isOpen;
  const list = Array.isArray(acl) ? acl : [acl];
  return list.includes('public') || list.some((group) => typeof group === 'string' && groups.includes(group));
}
