/** The servers that `run.ts` asks: each filled with the same pages, which everybody may read. */
import type { Source } from '../../src/sources/source.ts';
import { makeCollection, PUBLICLY, pageRows, sourceOf } from '../../test/sources/chroma/collections.ts';
import { CHROMA_VERSION, startChroma } from '../../test/sources/servers/chroma.ts';

export interface Page {
  /** Without an extension. */
  readonly slug: string;
  /** Its content, in parts for servers that hold parts. */
  readonly parts: readonly string[];
}

export interface Subject {
  readonly name: string;
  start(): Promise<Server>;
}

export interface Server {
  readonly pid: number;
  /** Puts the pages in, and opens sources of them. */
  fill(pages: readonly Page[]): Promise<() => Source>;
  stop(): Promise<void>;
}

export const SUBJECTS: readonly Subject[] = [{ name: `chroma ${CHROMA_VERSION}`, start: chroma }];

async function chroma(): Promise<Server> {
  const { url, pid, stop } = await startChroma();
  return {
    pid,
    stop,
    async fill(pages) {
      const rows = pages.flatMap(({ slug, parts }) => pageRows(slug, parts, PUBLICLY));
      const { name } = await makeCollection(url, rows);
      return () => sourceOf(url, name);
    },
  };
}
