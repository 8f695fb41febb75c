/** Both dialects of the search protocol. */
import { SearchProtocolServer } from '../servers/protocol/search-protocol.ts';
import { conformance } from './conformance.ts';
import { searchWorld } from './search-world.ts';

for (const kind of ['opensearch', 'elastic'] as const) {
  conformance(
    `${kind}'s protocol`,
    async () => {
      const protocol = await SearchProtocolServer.start(kind);
      return searchWorld({ kind, url: protocol.url, hasWildcard: true }, () => protocol.stop());
    },
    { keepsAcl: true },
  );
}
