/** The oracle: a directory of this machine. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSources } from '../../../src/sources/config.ts';
import { openSource } from '../../../src/sources/open.ts';
import { self } from '../../support/accounts.ts';
import { plainDirectory } from '../../support/plain.ts';
import { conformance } from './conformance.ts';
import { treeWorld } from './tree-world.ts';

conformance('memory', async () => {
  const plain = plainDirectory(self);
  const dir = join(plain.root, 'tree');
  mkdirSync(dir);
  return {
    settings: ['memory', '--dir', dir],
    open: () => {
      const [config] = parseSources({ docs: { kind: 'memory', dir } }, { text: '', file: 'f' });
      if (config === undefined) throw new Error('no source');
      return openSource(config, undefined);
    },
    ...treeWorld(() => dir),
    close: async () => plain.remove(),
  };
});
