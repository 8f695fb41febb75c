/** What is tried on a node of OpenSearch or Elasticsearch: the lists of `search/protocol.test.ts` and of every source, one start for all. */
import { after, describe, test } from 'node:test';
import { has } from '../../support/need.ts';
import { conformance, type World } from '../conformance/conformance.ts';
import { searchWorld } from '../conformance/search-world.ts';
import { provesAccess } from '../search/access.ts';
import { provesCoarse, provesSelectivity } from '../search/coarse.ts';
import { READING } from '../search/reading.ts';
import type { SearchServer } from '../search/test-index.ts';
import { WRITING } from '../search/writing.ts';
import { JAVA_PROGRAMS, type NodeKind, startJavaNode } from '../servers/java-node.ts';
import type { RealServer } from '../servers/server-process.ts';
import { isKilled } from './killed.ts';

const COARSE = { corpora: 20, formulas: 250 };
const WORLDS = 60;

export interface Subject {
  readonly node: NodeKind;
  readonly kind: SearchServer['kind'];
  readonly hasWildcard: boolean;
}

export function provesNode({ node, kind, hasWildcard }: Subject): void {
  let starting: Promise<RealServer> | undefined;
  const start = (): Promise<RealServer> => {
    starting ??= startJavaNode(node);
    return starting;
  };
  const server = async (): Promise<SearchServer> => ({
    kind,
    url: (await start()).url,
    hasWildcard,
    isStuckAtNul: hasWildcard,
  });
  const world = async (): Promise<World> => searchWorld(await server(), async () => {});
  const cases = {
    ...READING,
    ...WRITING,
    'candidates() never leaves out what matches': (at: SearchServer) => provesCoarse(at, COARSE),
    'candidates() of a rare word are few': provesSelectivity,
    'who may not see a document finds everything as if it were not there': (at: SearchServer) =>
      provesAccess(at, WORLDS),
  };
  describe(`a node of ${node}`, () => {
    for (const [title, run] of Object.entries(cases)) {
      test(title, async (t) => {
        if (has(t, JAVA_PROGRAMS)) await run(await server());
      });
    }
    conformance(node, world, { programs: JAVA_PROGRAMS, keepsAcl: true });
    isKilled(node, JAVA_PROGRAMS, async () => ({ server: await start(), world: await world() }));
    after(async () => (await starting)?.stop());
  });
}
