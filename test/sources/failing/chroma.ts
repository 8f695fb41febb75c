/** A server that speaks Chroma's protocol, and goes wrong. */
import { makeCollection, PUBLICLY, pageRows, type RawRow } from '../chroma/collections.ts';
import { type Fault, startProtocolServer } from '../servers/chroma-protocol.ts';
import { ANEW, type Failing, FILES, type Kind } from './failing.ts';

const FAULTS: Partial<Record<Kind, Fault>> = {
  slow: { kind: 'slow', ms: 1500 },
  hung: { kind: 'hang' },
  busy: { kind: 'status', status: 429 },
  failing: { kind: 'status', status: 500 },
  malformed: { kind: 'malformed' },
  nonsense: { kind: 'nonsense' },
};

export async function chromaFailing(kind: Kind): Promise<Failing> {
  const server = await startProtocolServer();
  const collection = await makeCollection(server.url, rowsOf(FILES));
  return {
    settings: ['chroma', '--url', server.url, '--collection', collection.name],
    async fail() {
      if (kind === 'killed') await server.stop();
      if (kind === 'otherSchema') await collection.remake(rowsOf(FILES).map(renamed));
      if (kind === 'madeAnew') await collection.remake(rowsOf(ANEW));
      server.fault = () => FAULTS[kind];
    },
    async heal() {
      server.fault = () => undefined;
      if (kind === 'otherSchema') await collection.remake(rowsOf(FILES));
    },
    async read(path) {
      const rows = (await collection.rows()).filter(({ metadata }) => metadata.page === path);
      return rows.length === 0 ? undefined : rows.map(({ document }) => document).join('');
    },
    stop: () => (kind === 'killed' ? Promise.resolve() : server.stop()),
  };
}

function rowsOf(files: Readonly<Record<string, string>>): RawRow[] {
  return Object.entries(files).flatMap(([path, text]) => pageRows(path, [text], PUBLICLY));
}

function renamed(row: RawRow): RawRow {
  const { page, ...rest } = row.metadata ?? {};
  return { ...row, metadata: { ...rest, slug: page } };
}
