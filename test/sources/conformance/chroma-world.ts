/** A Chroma collection as a world of the conformance list, on whichever server. */
import { openChroma } from '../../../src/sources/adapters/chroma/chroma-source.ts';
import { parseSources } from '../../../src/sources/config.ts';
import { makeCollection, type RawRow } from '../chroma/collections.ts';
import type { World } from './conformance.ts';

/** A new collection of a server. */
export async function chromaWorld(url: string, close: () => Promise<void>): Promise<World> {
  const collection = await makeCollection(url, []);
  const rowsOf = async (path: string) =>
    (await collection.rows())
      .filter(({ metadata }) => metadata.page === path)
      .sort((one, other) => Number(one.metadata.chunk_index) - Number(other.metadata.chunk_index));
  const remove = async (path: string): Promise<void> => {
    const rows = await rowsOf(path);
    if (rows.length > 0) await collection.drop(rows.map(({ id }) => id));
  };
  return {
    settings: ['chroma', '--url', url, '--collection', collection.name],
    async open() {
      const table = { kind: 'chroma', url, collection: collection.name };
      const [config] = parseSources({ docs: table }, { text: '', file: 'f' });
      if (config === undefined) throw new Error('no source');
      return openChroma(config, undefined);
    },
    async put(path, content, acl) {
      await remove(path);
      const groups = acl.filter((group) => group !== 'public');
      const metadata = { page: path, isPublic: acl.includes('public'), ...(groups.length > 0 ? { groups } : {}) };
      // Cut anywhere, as foreign splitters do.
      const parts = content.match(/.{1,9}/gsu) ?? [''];
      const rows = parts.map(
        (document, order): RawRow => ({
          id: `${path}#${order}`,
          document,
          metadata: { ...metadata, chunk_index: order },
        }),
      );
      await collection.put(rows);
    },
    remove,
    async read(path) {
      const rows = await rowsOf(path);
      return rows.length === 0 ? undefined : rows.map(({ document }) => document).join('');
    },
    async acl(path) {
      const [first] = await rowsOf(path);
      return first && [...(first.metadata.isPublic === true ? ['public'] : []), ...named(first.metadata.groups)].sort();
    },
    close,
  };
}

function named(groups: unknown): string[] {
  return Array.isArray(groups) ? groups.map(String) : [];
}
