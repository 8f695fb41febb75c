/** What a model's source has once it is committed, under a model that makes nothing more and minds nothing. */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { parseSources } from '../../../src/sources/config.ts';
import { openSource } from '../../../src/sources/open.ts';
import { self } from '../../support/accounts.ts';
import { plainDirectory } from '../../support/plain.ts';
import { reply } from '../llm/replies.ts';
import { chatServer } from '../servers/chat-protocol.ts';
import { conformance } from './conformance.ts';
import { treeWorld } from './tree-world.ts';

const MODELS = 'yolofs/models';

conformance('llm', async (t) => {
  const plain = plainDirectory(self);
  const { url } = await chatServer(t, ({ messages }) => {
    const isFind = /Now: find "/.test(messages.at(-1)?.content ?? '');
    return { say: isFind ? reply({ error: 'ENOENT', reason: 'no such thing' }) : reply({}) };
  });
  let state = plain.root;
  mkdirSync(join(state, MODELS, 'docs/pinned'), { recursive: true, mode: 0o700 });
  return {
    settings: ['llm', '--url', url, '--model', 'scripted'],
    open: async () => {
      const [config] = parseSources({ docs: { kind: 'llm', url, model: 'scripted' } }, { text: '', file: 'f' });
      if (config === undefined) throw new Error('no source');
      const { XDG_STATE_HOME: before = '' } = process.env;
      process.env.XDG_STATE_HOME = state;
      try {
        return await openSource(config, undefined);
      } finally {
        process.env.XDG_STATE_HOME = before;
      }
    },
    // It is the person's own, so it lies where the session's person keeps such things.
    settle: async ({ home }) => {
      const own = join(home, '.local/state');
      mkdirSync(join(own, 'yolofs'), { recursive: true });
      renameSync(join(state, MODELS), join(own, MODELS));
      state = own;
    },
    ...treeWorld(() => join(state, MODELS, 'docs/pinned')),
    close: async () => plain.remove(),
  };
});
