/** The lists of `protocol.test.ts` and of every source, on real nodes. Elasticsearch's artifacts in Maven lack the wildcard type. */
import { after, describe, test } from 'node:test';
import { has } from '../../support/need.ts';
import { conformance } from '../conformance/conformance.ts';
import { searchWorld } from '../conformance/search-world.ts';
import { JAVA_PROGRAMS, type JavaNode, startJavaNode } from '../servers/java-node.ts';
import { provesAccess } from './access.ts';
import { provesCoarse, provesSelectivity } from './coarse.ts';
import { READING } from './reading.ts';
import type { SearchServer } from './test-index.ts';
import { WRITING } from './writing.ts';

const KINDS = [
  { kind: 'opensearch', node: 'opensearch', hasWildcard: true },
  { kind: 'elastic', node: 'elasticsearch', hasWildcard: false },
] as const;

for (const { kind, node, hasWildcard } of KINDS) {
  describe(`a node of ${node}`, () => {
    let running: JavaNode | undefined;
    const start = async (): Promise<SearchServer> => {
      running ??= await startJavaNode(node);
      return { kind, url: running.url, hasWildcard, isStuckAtNul: hasWildcard };
    };
    after(() => running?.stop());
    const cases = {
      ...READING,
      ...WRITING,
      'candidates() never leaves out what matches': (server: SearchServer) =>
        provesCoarse(server, { corpora: 20, formulas: 250 }),
      'candidates() of a rare word are few': provesSelectivity,
      'who may not see a document finds everything as if it were not there': (server: SearchServer) =>
        provesAccess(server, 60),
    };
    for (const [title, run] of Object.entries(cases)) {
      test(title, async (t) => {
        if (has(t, JAVA_PROGRAMS)) await run(await start());
      });
    }
    conformance(node, async () => searchWorld(await start(), async () => {}));
  });
}
