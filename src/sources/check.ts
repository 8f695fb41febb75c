/** Whether a source answers: what `source add`, `source check` and `doctor` ask. */
import { errnoName } from '../sys/errno.ts';
import { UserError } from '../sys/user-error.ts';
import { readToken, type SourceConfig } from './config.ts';
import { openModelOf, openSource } from './open.ts';
import { SourceError } from './source.ts';

/** As long as a person waits. */
const PATIENCE_MS = 30_000;

/** What a source said. */
export type Checked =
  | { readonly ok: true; readonly files: number; readonly writable: boolean; readonly searchable: boolean }
  | { readonly ok: false; readonly why: string };

/** Asks a source for its tree, with the credentials of `env`. Never rejects for what a server or a setting may be. */
export async function checkSource(config: SourceConfig, env: NodeJS.ProcessEnv): Promise<Checked> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const token = readToken(config, env);
    await checkModel(config, token, signal);
    const source = await openSource(config, token);
    try {
      const listing = await source.tree({ groups: config.as }, undefined, signal);
      const files = listing === 'unchanged' ? 0 : listing.entries.filter(({ kind }) => kind !== 'directory').length;
      return { ok: true, files, writable: source.commit !== undefined, searchable: source.candidates !== undefined };
    } finally {
      await source.close();
    }
  } catch (error) {
    if (error instanceof UserError) return { ok: false, why: error.message };
    if (error instanceof SourceError) return { ok: false, why: `${error.cause} (${errnoName(error.errno)})` };
    if (signal.aborted) return { ok: false, why: `no answer within ${PATIENCE_MS / 1000} s` };
    throw error;
  }
}

/** What a model's source has is there without it; nothing comes to it then. */
async function checkModel(config: SourceConfig, token: string | undefined, signal: AbortSignal): Promise<void> {
  const model = await openModelOf(config, token);
  await model?.check(signal);
  await model?.close();
}
