/** Three documents of a collection that a commit changes, removes and adds: what the server has of them, and what a view shows. */
import assert from 'node:assert/strict';
import type { Session } from '../support/session.ts';
import { PUBLICLY, pageRows, type RawCollection } from './chroma/collections.ts';

export const AT = '/sources/docs';
/** What is committed, and what was there before; undefined: nothing. */
export const OLD: Readonly<Record<string, string | undefined>> = {
  'a.md': 'a old\n',
  'b.md': 'b old\n',
  'c.md': undefined,
};
export const NEW: Readonly<Record<string, string | undefined>> = {
  'a.md': 'a new\n',
  'b.md': undefined,
  'c.md': 'c new\n',
};
export const NAMES = Object.keys(OLD);

/** Somebody else has the documents as they were again, which the view shows. */
export async function restore(s: Session, collection: RawCollection): Promise<void> {
  const ids = (await collection.rows()).map(({ id }) => id);
  if (ids.length > 0) await collection.drop(ids);
  await collection.put(rowsOf(OLD));
  await s.sh(`ls ${AT}`);
  await s.succeed(['source', 'refresh', 'docs']);
  assert.deepEqual(await shown(s), OLD);
}

export function rowsOf(documents: Readonly<Record<string, string | undefined>>): ReturnType<typeof pageRows> {
  return NAMES.flatMap((name) => {
    const text = documents[name];
    return text === undefined ? [] : pageRows(name, [text.slice(0, 2), text.slice(2)], PUBLICLY);
  });
}

export async function documentsOf(collection: RawCollection): Promise<Record<string, string | undefined>> {
  const rows = await collection.rows();
  const ofName = (name: string): string | undefined => {
    const own = rows.filter(({ metadata }) => metadata.page === name);
    own.sort((one, other) => Number(one.metadata.chunk_index) - Number(other.metadata.chunk_index));
    return own.length === 0 ? undefined : own.map(({ document }) => document).join('');
  };
  return Object.fromEntries(NAMES.map((name) => [name, ofName(name)]));
}

export async function shown(s: Session): Promise<Record<string, string | undefined>> {
  const lines = await s.sh(`cd ${AT}; for f in *; do echo "$f $(cat $f)"; done`);
  const found = new Map(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, 4), `${line.slice(5)}\n`]),
  );
  return Object.fromEntries(NAMES.map((name) => [name, found.get(name)]));
}
