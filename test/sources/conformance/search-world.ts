/** An index as a world of the conformance list, on whichever server. */
import { type SearchServer, TestIndex } from '../search/test-index.ts';
import type { World } from './conformance.ts';

/** What changes a document need not change its time. */
const WHENEVER = '2026-01-02T03:04:05Z';

/** A new index of a server. */
export async function searchWorld(server: SearchServer, close: () => Promise<void>): Promise<World> {
  const index = await TestIndex.create(server);
  const found = async (path: string): Promise<{ content: string; acl: string[] } | undefined> => {
    const answer = await index.ask('POST', `/${index.name}/_search`, { query: { term: { path } }, size: 1 });
    const { hits } = answer as { hits: { hits: { _source: { content: string; acl: string[] } }[] } };
    return hits.hits[0]?._source;
  };
  return {
    settings: [server.kind, '--url', server.url, '--index', index.name, '--field', 'size=size'],
    open: async () => index.open(),
    put: (path, content, acl) =>
      index.put([{ id: path, path, content, acl, size: Buffer.byteLength(content), updated_at: WHENEVER }]),
    remove: (path) => index.remove([path]),
    read: async (path) => (await found(path))?.content,
    acl: async (path) => (await found(path))?.acl.sort(),
    close,
  };
}
