/** Where Elasticsearch and OpenSearch differ, as far as this adapter speaks to them. */
import type { HttpRequest } from '../../http.ts';

export type SearchKind = 'opensearch' | 'elastic';

export interface Dialect {
  /** Opens a point in time: a state of the index that stays while it is read page by page. */
  readonly openPath: (index: string, keepAlive: string) => string;
  /** What the answer calls it. */
  readonly idKey: 'pit_id' | 'id';
  readonly closing: (id: string) => HttpRequest;
  /** The header that carries a token which does not say its scheme itself (`Bearer …`, `ApiKey …`, `Basic …`). */
  readonly authorization: (token: string) => string;
}

export const DIALECTS: Readonly<Record<SearchKind, Dialect>> = {
  opensearch: {
    openPath: (index, keepAlive) => `/${index}/_search/point_in_time?keep_alive=${keepAlive}`,
    idKey: 'pit_id',
    closing: (id) => ({
      method: 'DELETE',
      path: '/_search/point_in_time',
      body: JSON.stringify({ pit_id: [id] }),
    }),
    authorization: (token) => (token.includes(':') ? basic(token) : `Bearer ${token}`),
  },
  elastic: {
    openPath: (index, keepAlive) => `/${index}/_pit?keep_alive=${keepAlive}`,
    idKey: 'id',
    closing: (id) => ({ method: 'DELETE', path: '/_pit', body: JSON.stringify({ id }) }),
    authorization: (token) => (token.includes(':') ? basic(token) : `ApiKey ${token}`),
  },
};

function basic(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword).toString('base64')}`;
}
