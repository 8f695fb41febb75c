/**
 * The two halves of a model's source: what was committed, which is a directory of the person's, and the model. All that it makes is
 * staged; a commit pins it, and from then on it is there for every session, without the model.
 *
 *     $XDG_STATE_HOME/yolofs/models/NAME/pinned/     what was committed
 *     $XDG_STATE_HOME/yolofs/models/NAME/answers/    replies, by what was asked
 */
import { join } from 'node:path';
import { makePrivateDirectories } from '../../../sys/files/plain-directory.ts';
import { stateDirectory } from '../../../sys/host/state-directory.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { SourceConfig } from '../../config.ts';
import type { Model } from '../../model/model.ts';
import type { Source } from '../../source.ts';
import { openMemory } from '../memory/memory-source.ts';
import { LlmModel } from './llm.ts';

/** What one session may ask for. */
const LIMITS = { requests: 1000, tokens: 2_000_000 };
const PATIENCE_MS = 60_000;

/** What of this source was committed: a source that can be written to. Throws a SystemError when there is no place for it. */
export function openPinned(config: SourceConfig): Source {
  const dir = join(ownDirectory(config), 'pinned');
  makePrivateDirectories(dir);
  return openMemory({ ...config, dir, open: true });
}

/** The model of a source. Throws a UserError for a table that names none. */
export function openModel(config: SourceConfig, token: string | undefined): Model {
  const { name, url, model } = config;
  if (model === undefined) throw new UserError(`source '${name}' names no model`);
  const kept = join(ownDirectory(config), 'answers');
  return new LlmModel({ url, token, model, patience: PATIENCE_MS, limits: LIMITS, kept });
}

function ownDirectory({ name }: SourceConfig): string {
  return join(stateDirectory(), 'models', name);
}
