/**
 * Documents that a wildcard field does not find by all that they contain: those with NUL in them, which stands for the ends
 * of a text among its pieces (seen on OpenSearch 2.19.6). They are searched for once, content by content, as this takes the
 * server as long as reading all. What was written since may be one too.
 */
import type { Principal } from '../../source.ts';
import { type Reading, visible, visibleQuery } from './documents.ts';
import { listed } from './fields.ts';
import type { IndexClient, Query } from './index-client.ts';
import type { CoarseField, Schema } from './schema.ts';

export interface Unsure {
  readonly paths: readonly string[];
  /** What finds the documents of a shard of which nothing is known. */
  readonly since: (shard: number) => readonly Query[];
}

/** A class, as a single character would be looked for among the pieces. */
const WITH_NUL = '.*[\u0000-\u0001].*';

/** Undefined where there are too many to know. */
export async function searchUnsure(
  { client, reading, principal }: { client: IndexClient; reading: Reading; principal: Principal },
  { schema, field }: { schema: Schema; field: CoarseField },
  signal: AbortSignal,
): Promise<Unsure | undefined> {
  if (!field.isPieces) return { paths: [], since: () => [] };
  const query = visibleQuery(reading, schema, principal);
  const filter = { regexp: { [field.name]: { value: WITH_NUL } } };
  const search = { query: () => query, parts: listed(reading.fields), filter };
  const shards = await client.searchShards(search, schema, signal);
  const hits = shards.flatMap((shard) => shard.hits ?? []);
  if (shards.some((shard) => shard.hits === undefined)) return undefined;
  const paths = [...visible(hits, reading, { schema, principal }).keys()];
  return { paths, since: (shard) => [{ range: { _seq_no: { gt: shards[shard]?.max ?? -1 } } }] };
}
