/** From a table of the configuration to a source. An adapter is loaded when its kind is asked for, and not before. */
import { UserError } from '../sys/user-error.ts';
import type { Kind, SourceConfig } from './config.ts';
import { following, type ReadOther } from './elsewhere/following.ts';
import type { Model } from './model/model.ts';
import type { Source } from './source.ts';

/** What an adapter makes a source of; `token` is the secret itself, which must reach no message. */
type Open = (config: SourceConfig, token: string | undefined) => Source | Promise<Source>;

const ADAPTERS: Readonly<Partial<Record<Kind, () => Promise<Open>>>> = {
  chroma: async () => (await import('./adapters/chroma/chroma-source.ts')).openChroma,
  elastic: async () => (await import('./adapters/search/search-source.ts')).openSearch,
  opensearch: async () => (await import('./adapters/search/search-source.ts')).openSearch,
  llm: async () => (await import('./adapters/llm/open-llm.ts')).openPinned,
  memory: async () => (await import('./adapters/memory/memory-source.ts')).openMemory,
};

/** Opens the model that answers for a source; undefined for a source that none does. Rejects with a UserError. */
export async function openModelOf(config: SourceConfig, token: string | undefined): Promise<Model | undefined> {
  if (!isModelled(config)) return undefined;
  return (await import('./adapters/llm/open-llm.ts')).openModel(config, token);
}

/** Whether a model answers for a source. */
export function isModelled({ kind }: SourceConfig): boolean {
  return kind === 'llm';
}

/** Opens a source. Rejects with a UserError for a kind that this installation does not have, otherwise as the adapter. */
export async function openSource(
  config: SourceConfig,
  token: string | undefined,
  readOther?: ReadOther,
): Promise<Source> {
  const load = ADAPTERS[config.kind];
  if (load === undefined) throw new UserError(`source '${config.name}': kind '${config.kind}' is not built in`);
  const open = await load();
  return following(await open(config, token), { allowed: config.pointers ?? [], readOther });
}
