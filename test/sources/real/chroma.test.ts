/** Chroma's own server: the lists of `chroma/chroma.test.ts` and of every source, one start for all. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { has } from '../../support/need.ts';
import { hiddenIsAbsent } from '../chroma/acl-cases.ts';
import { CASES } from '../chroma/cases.ts';
import { COMMIT_CASES } from '../chroma/commit-cases.ts';
import { searchIsSound } from '../chroma/search-cases.ts';
import { chromaWorld } from '../conformance/chroma-world.ts';
import { conformance, type World } from '../conformance/conformance.ts';
import { CHROMA_PROGRAMS, startChroma } from '../servers/chroma.ts';
import type { RealServer } from '../servers/server-process.ts';
import { isKilled } from './killed.ts';

const SEARCHES = { collections: 15, formulas: 20 };
const WORLDS = 25;

let starting: Promise<RealServer> | undefined;
const start = (): Promise<RealServer> => {
  starting ??= startChroma();
  return starting;
};
const url = async (): Promise<string> => (await start()).url;
const world = async (): Promise<World> => chromaWorld(await url(), async () => {});

describe("the chroma adapter, on Chroma's own server", () => {
  for (const { title, run } of [...CASES, ...COMMIT_CASES]) {
    test(title, async (t) => {
      if (has(t, CHROMA_PROGRAMS)) await run(await url());
    });
  }

  test('candidates() leaves no page out that meets a formula', async (t) => {
    if (!has(t, CHROMA_PROGRAMS)) return;
    const { asked, met, found } = await searchIsSound(await url(), SEARCHES);
    t.diagnostic(`${asked} pages asked about, ${met} met, ${found} found`);
    assert.ok(met > 300 && found < asked);
  });

  test('what a principal may not see is as if it was not there', async (t) => {
    if (has(t, CHROMA_PROGRAMS)) await hiddenIsAbsent(await url(), WORLDS);
  });
});

conformance('chroma', world, { programs: CHROMA_PROGRAMS, keepsAcl: true });

isKilled('chroma', CHROMA_PROGRAMS, async () => ({ server: await start(), world: await world() }));

after(async () => (await starting)?.stop());
