/** Whatever a server is asked to narrow a search down by, it never leaves a file out that matches. */
import assert from 'node:assert/strict';
import type { Formula } from '../../../src/sources/formula.ts';
import { Random } from '../../random/random.ts';
import { SEED } from '../../random/seed.ts';
import { EVERYBODY, entriesOf, type SearchServer, SIGNAL, TestIndex, textsOf } from './test-index.ts';

const PUBLIC = ['public'];

/** What servers, JSON, Lucene and case folding make something special of. */
const PIECES = [
  ...'abkKsSiItoken*?\\"\'.#&@~<>|()[]{}+-_/ \t',
  '\n',
  '\r\n',
  '\u0000',
  'ü',
  'Ü',
  'ß',
  'ẞ',
  'é',
  'e\u0301',
  'ı',
  'İ',
  '\u212a',
  'ſ',
  'Σ',
  'ς',
  'σ',
  'ǆ',
  'Ǆ',
  'ǅ',
  '日',
  '本',
  '\u{1f600}',
  '\u{10400}',
  '\u{10428}',
  'token',
  'TOKEN',
  'access_token',
  'Client secret',
  '**',
  '\\*',
  '??',
];

/** Over the limit of the keyword subfield, and of what Lucene takes as one term. */
const LONG = 9_000;

export interface CoarseSize {
  readonly corpora: number;
  readonly formulas: number;
}

/** Random corpora and formulas; what the server finds is never less than what matches. */
export async function provesCoarse(server: SearchServer, { corpora, formulas }: CoarseSize): Promise<void> {
  const random = new Random(SEED);
  let asked = 0;
  let found = 0;
  let matching = 0;
  for (let corpus = 0; corpus < corpora; corpus += 1) {
    const index = await TestIndex.create(server, { shards: 1 + (corpus % 2) });
    const drawn = Array.from({ length: 40 }, (_, i) => textOf(random, i));
    const texts = server.isStuckAtNul === true ? drawn.map((text) => text.replaceAll('\0', 'o')) : drawn;
    await index.put(texts.map((content, i) => ({ id: `${i}`, path: `f${i}`, content, acl: PUBLIC })));
    await index.put([{ id: 'bytes', path: 'bytes', bytes: 'AAAA', acl: PUBLIC }]);
    const source = index.open({ fields: { binary: 'bytes' } as object });
    const contents = Object.entries(await textsOf(source));
    const paths = contents.map(([path]) => path);
    for (let i = 0; i < formulas; i += 1) {
      const formula = formulaOf(random, texts, 2);
      const scope = random.below(3) === 0 ? paths.filter(() => random.below(2) === 0) : undefined;
      const candidates = await source.candidates?.({ formula, scope }, EVERYBODY, SIGNAL);
      const expected = contents.filter(
        ([path, text]) => (scope?.includes(path) ?? true) && holds(formula, String(text)),
      );
      if (candidates === undefined) continue;
      const missed = expected.filter(([path]) => !candidates.has(path));
      const say = (): string => `${JSON.stringify(formula)} misses ${JSON.stringify(missed).slice(0, 500)}`;
      assert.ok(missed.length === 0, missed.length === 0 ? '' : say());
      assert.ok(
        scope === undefined || [...candidates].every((path) => scope.includes(path)),
        'only what is in the scope',
      );
      asked += scope?.length ?? paths.length;
      found += candidates.size;
      matching += expected.length;
    }
    await index.drop();
  }
  assert.ok(asked > 0 && matching > 0 && found < asked * 0.9, `${found} of ${asked} found, ${matching} match`);
}

/** What a rare word finds is the files that have it, and those that the field says nothing about. */
export async function provesSelectivity(server: SearchServer): Promise<void> {
  const index = await TestIndex.create(server);
  const docs = Array.from({ length: 300 }, (_, i) => ({
    id: `${i}`,
    path: `f${i}`,
    content: `page ${i}\nof words\n`,
    acl: PUBLIC,
  }));
  await index.put([...docs, { id: 'hit', path: 'hit', content: 'an Access_Token here', acl: PUBLIC }]);
  await index.put([{ id: 'long', path: 'long', content: 'x'.repeat(9_000), acl: PUBLIC }]);
  await index.put([{ id: 'secret', path: 'secret', content: 'access_token', acl: ['admin'] }]);
  const source = index.open();
  const ask = async (formula: Formula, scope?: readonly string[]): Promise<string[]> =>
    [...((await source.candidates?.({ formula, scope }, EVERYBODY, SIGNAL)) ?? ['all'])].sort();
  const unsure = server.hasWildcard ? [] : ['long'];
  assert.deepEqual(await ask({ kind: 'literal', text: 'Access_Token', fold: false }), ['hit', ...unsure]);
  assert.deepEqual(await ask({ kind: 'literal', text: 'aCCESS_tOKEN', fold: true }), ['hit', ...unsure]);
  assert.deepEqual(await ask({ kind: 'literal', text: 'access_token', fold: false }), unsure);
  assert.deepEqual(await ask({ kind: 'literal', text: 'ccess_Tok', fold: false }, ['f1', 'hit']), ['hit']);
  assert.deepEqual(
    await ask({ kind: 'literal', text: 'Access', fold: false }, [
      ...docs.map(({ path }) => path),
      ...docs.map(({ path }) => `${path}/x`),
      ...docs.map(({ path }) => `${path}/y`),
      ...docs.map(({ path }) => `${path}/z`),
    ]),
    [],
  );
  assert.deepEqual(await ask({ kind: 'none' }), unsure);
  assert.deepEqual(await ask({ kind: 'all' }), ['all']);
  assert.equal((await entriesOf(source)).length, 302);
}

function textOf(random: Random, i: number): string {
  if (i === 0) return '';
  const length = i === 1 ? LONG : random.below(i % 5 === 0 ? 400 : 60);
  return Array.from({ length }, () => random.pick(PIECES)).join('');
}

function formulaOf(random: Random, texts: readonly string[], depth: number): Formula {
  const kind = depth === 0 ? 0 : random.below(6);
  if (kind < 4) return literalOf(random, texts);
  const parts = Array.from({ length: 1 + random.below(3) }, () => formulaOf(random, texts, depth - 1));
  return { kind: kind === 4 ? 'and' : 'or', parts };
}

/** Mostly what some text contains, in some case; within one line. */
function literalOf(random: Random, texts: readonly string[]): Formula {
  const characters = [...random.pick(texts)];
  const from = random.below(characters.length + 1);
  const cut = characters.slice(from, from + 1 + random.below(random.below(10) === 0 ? 300 : 9)).join('');
  const [line = ''] = (random.below(8) === 0 ? `${random.pick(PIECES)}${random.pick(PIECES)}` : cut).split(/[\r\n]/);
  const fold = random.below(2) === 0;
  const flip = random.below(3);
  return {
    kind: 'literal',
    text: fold && flip < 2 ? (flip === 0 ? line.toUpperCase() : line.toLowerCase()) : line,
    fold,
  };
}

/** Whether a text fulfils a formula, by Unicode's simple folding, and with GNU grep's four i. */
function holds(formula: Formula, text: string): boolean {
  switch (formula.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return formula.parts.every((part) => holds(part, text));
    case 'or':
      return formula.parts.some((part) => holds(part, text));
    case 'literal': {
      if (!formula.fold) return text.includes(formula.text);
      const pattern = formula.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/[iIıİ]/g, '[iIıİ]');
      return new RegExp(pattern, 'iu').test(text);
    }
  }
}
