/** `yolofs du` against an independent walk: find(1) and the lines of the journal. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
import { type Session, session } from '../../support/session.ts';

interface Figures {
  readonly bytes: number;
  readonly files: number;
  readonly apparent: number;
}

interface Usage
  extends Record<'content' | 'commits' | 'journal' | 'tree' | 'tmp' | 'total', Omit<Figures, 'apparent'>> {
  readonly present: Figures;
  readonly unnamed: Figures;
  readonly generations: readonly (Figures & { readonly generation: number })[];
}

const NOTHING: Figures = { bytes: 0, files: 0, apparent: 0 };

/** The objects as find(1) sees them, summed up by the generation after the one in which a line first names them. */
async function walk(s: Session): Promise<Map<string, Figures>> {
  const dir = s.layout.store;
  const found = await s.native(['find', join(dir, 'files'), '-type', 'f', '-printf', '%f %b %s\n']);
  const lines = readFileSync(join(dir, 'journal'), 'latin1')
    .split('\n')
    .map((line) => line.split('\t'));
  const last = Math.max(0, ...lines.filter(([, tag]) => tag === 'P' || tag === 'T').map((fields) => Number(fields[2])));
  const sums = new Map<string, Figures>();
  for (const [id, blocks, size] of found.stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '))) {
    const first = lines.find((fields) => fields[1] === 'S' && fields[fields[7] === 'new' ? 11 : 10] === id);
    const generation = first === undefined ? -1 : Number(first[2]);
    const name = generation < 0 ? 'unnamed' : generation === last ? 'present' : String(generation + 1);
    const { bytes, files, apparent } = sums.get(name) ?? NOTHING;
    sums.set(name, { bytes: bytes + Number(blocks) * 512, files: files + 1, apparent: apparent + Number(size) });
  }
  return sums;
}

async function compare(s: Session): Promise<Usage> {
  const usage = JSON.parse(await s.succeed(['du', '--json'])) as Usage;
  const expected = await walk(s);
  const named = usage.generations.map(({ generation, ...figures }) => [String(generation), figures] as const);
  const others = [['present', usage.present] as const, ['unnamed', usage.unnamed] as const];
  const some = [...named, ...others].filter(([, { files }]) => files > 0);
  assert.deepEqual(new Map(some), expected);
  assert.deepEqual(
    usage.generations.map(({ generation }) => generation),
    [...expected.keys()]
      .map(Number)
      .filter(Number.isInteger)
      .sort((a, b) => a - b),
  );
  return usage;
}

for (const account of someAccounts()) {
  test(`yolofs du says what each generation adds, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    assert.deepEqual((JSON.parse(await s.succeed(['du', '--json'])) as Usage).generations, []);
    await s.sh('head -c 100000 /dev/zero > zeros; truncate -s 1G sparse; echo x >> hello.txt');
    await s.sh('echo y >> hello.txt; head -c 5000 /dev/urandom > noise; mv zeros moved');
    await s.sh('rm moved');
    await s.succeed(['run', '--quiet', '--no-snapshot', '--', 'sh', '-c', 'echo later > later; echo z >> hello.txt']);
    const usage = await compare(s);
    assert.deepEqual(
      usage.generations.map(({ generation, files }) => [generation, files]),
      [
        [1, 3],
        [2, 2],
      ],
    );
    assert.equal(usage.present.files, 2);
    assert.ok((usage.generations[0]?.apparent ?? 0) > 2 ** 30, 'a sparse file has its length');
    assert.ok((usage.generations[0]?.bytes ?? 2 ** 30) < 2 ** 20, 'but occupies little');
    await s.succeed(['gc', '--keep-last', '1', '--yes']);
    await s.stop();
    await compare(s);
    const text = await s.succeed(['du']);
    assert.match(text, /^content +\d.*\njournal .*\ntree .*\ncommits .*\ntmp .*\ntotal .*\n\nof the content:\n/);
    assert.equal(await s.succeed(['du']), text, 'the same twice');
    const du = await s.native(['du', '-c', '-s', '--block-size=1', s.layout.dir, s.layout.entry]);
    assert.equal(
      String((JSON.parse(await s.succeed(['du', '--json'])) as Usage).total.bytes),
      du.stdout.trim().split('\n').at(-1)?.split('\t')[0],
    );
  });
}

describe('yolofs du', () => {
  test('tells the sizes also when the journal cannot be read', async (t) => {
    const s = await session(t);
    await s.sh('echo x > x');
    await s.stop();
    writeFileSync(s.layout.journal, 'garbage');
    const { code, stdout, stderr } = await s.cli(['du', '--json']);
    const usage = JSON.parse(stdout) as Usage;
    assert.deepEqual([code, usage.content.files, usage.generations, usage.present], [0, 1, [], undefined]);
    assert.match(stderr, /^yolofs: du: journal: line 1 /);
    await s.native(['rm', '-r', '.yolofs']);
  });
});
