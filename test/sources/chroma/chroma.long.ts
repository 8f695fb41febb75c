import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RealServer, startChroma } from '../servers/chroma.ts';
import { hiddenIsAbsent } from './acl-cases.ts';
import { CASES } from './cases.ts';
import { COMMIT_CASES } from './commit-cases.ts';
import { searchIsSound } from './search-cases.ts';

let server: RealServer;

describe("the chroma adapter, on Chroma's own server", () => {
  before(async () => {
    server = await startChroma();
  });
  after(() => server?.stop());
  for (const { title, run } of [...CASES, ...COMMIT_CASES]) test(title, () => run(server.url));

  test('candidates() leaves no page out that meets a formula', async (t) => {
    const { asked, met, found } = await searchIsSound(server.url, { collections: 15, formulas: 20 });
    t.diagnostic(`${asked} pages asked about, ${met} met, ${found} found`);
    assert.ok(met > 300 && found < asked);
  });

  test('what a principal may not see is as if it was not there', () => hiddenIsAbsent(server.url, 25));
});
