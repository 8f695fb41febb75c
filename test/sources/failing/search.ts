/** A server that speaks OpenSearch's protocol, and goes wrong. */
import { TestIndex } from '../search/test-index.ts';
import type { Fault } from '../servers/protocol/faults.ts';
import { SearchProtocolServer } from '../servers/protocol/search-protocol.ts';
import { ANEW, type Failing, FILES, type Kind } from './failing.ts';

const FAULTS: Partial<Record<Kind, Fault>> = {
  slow: { kind: 'slow', ms: 1500 },
  hung: { kind: 'hang' },
  busy: { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
  failing: { kind: 'status', status: 500 },
  malformed: { kind: 'malformed' },
  nonsense: { kind: 'edit', edit: () => ({ hello: 1 }) },
};

export async function searchFailing(kind: Kind): Promise<Failing> {
  const protocol = await SearchProtocolServer.start('opensearch');
  const server = { kind: 'opensearch', url: protocol.url, hasWildcard: true } as const;
  let index = await TestIndex.create(server);
  const { name } = index;
  await fill(index, FILES);
  const makeAnew = async (files: Readonly<Record<string, string>>, properties?: Record<string, unknown>) => {
    await index.drop();
    index = await TestIndex.create(server, { name, ...(properties && { properties }) });
    await fill(index, files);
  };
  return {
    settings: ['opensearch', '--url', server.url, '--index', name],
    async fail() {
      if (kind === 'killed') await protocol.stop();
      if (kind === 'otherSchema') await makeAnew(FILES, { slug: { type: 'keyword' }, acl: { type: 'keyword' } });
      if (kind === 'madeAnew') await makeAnew(ANEW);
      const fault = FAULTS[kind];
      if (fault !== undefined) protocol.faults.add(/./, fault);
    },
    async heal() {
      protocol.faults.clear();
      if (kind === 'otherSchema') await makeAnew(FILES);
    },
    async read(path) {
      const query = { query: { term: { path } }, size: 1 };
      const { hits } = (await index.ask('POST', `/${name}/_search`, query)) as {
        hits: { hits: { _source: { content: string } }[] };
      };
      return hits.hits[0]?._source.content;
    },
    stop: () => (kind === 'killed' ? Promise.resolve() : protocol.stop()),
  };
}

function fill(index: TestIndex, files: Readonly<Record<string, string>>): Promise<void> {
  return index.put(Object.entries(files).map(([path, content]) => ({ id: path, path, content, acl: ['public'] })));
}
