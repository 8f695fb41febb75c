/** The oracle: a directory of this machine. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSources } from '../../../src/sources/config.ts';
import { openSource } from '../../../src/sources/open.ts';
import { self } from '../../support/accounts.ts';
import { plainDirectory } from '../../support/plain.ts';
import { conformance } from './conformance.ts';

conformance('memory', async () => {
  const plain = plainDirectory(self);
  const dir = join(plain.root, 'tree');
  mkdirSync(dir);
  const acls: Record<string, readonly string[]> = {};
  return {
    settings: ['memory', '--dir', dir],
    open: () => {
      const [config] = parseSources({ docs: { kind: 'memory', dir } }, { text: '', file: 'f' });
      if (config === undefined) throw new Error('no source');
      return openSource(config, undefined);
    },
    put: async (path, content, acl) => {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), content);
      acls[path.split('/')[0] ?? ''] = acl;
      writeFileSync(join(dir, '.acl.json'), JSON.stringify({ '': ['public'], ...acls }));
    },
    remove: async (path) => rmSync(join(dir, path)),
    read: async (path) => (existsSync(join(dir, path)) ? readFileSync(join(dir, path), 'utf8') : undefined),
    close: async () => plain.remove(),
  };
});
