/** The adapter over the wire protocol of both servers, in memory. */
import { after, before, describe, test } from 'node:test';
import { isQuick } from '../../support/accounts.ts';
import { SearchProtocolServer } from '../servers/protocol/search-protocol.ts';
import { provesAccess } from './access.ts';
import { provesCoarse, provesSelectivity } from './coarse.ts';
import { READING } from './reading.ts';
import type { SearchServer } from './test-index.ts';
import { WRITING } from './writing.ts';

for (const kind of isQuick ? (['opensearch'] as const) : (['opensearch', 'elastic'] as const)) {
  describe(`${kind}'s protocol`, () => {
    let protocol: SearchProtocolServer;
    let server: SearchServer;
    before(async () => {
      protocol = await SearchProtocolServer.start(kind);
      server = { kind, url: protocol.url, hasWildcard: true };
    });
    after(() => protocol.stop());
    for (const [title, run] of Object.entries({ ...READING, ...WRITING })) test(title, () => run(server));
    test('candidates() never leaves out what matches', () => provesCoarse(server, { corpora: 2, formulas: 80 }));
    test('candidates() of a rare word are few', () => provesSelectivity(server));
    test('who may not see a document finds everything as if it were not there', () => provesAccess(server, 15));
  });
}
