/** A directory of this machine as a server: what the oracle reads, and where a model's commits go. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { World } from './conformance.ts';

/** `where` may say another directory from one call to the next. */
export function treeWorld(where: () => string): Pick<World, 'put' | 'remove' | 'read'> {
  const acls: Record<string, readonly string[]> = {};
  const at = (path: string): string => join(where(), path);
  return {
    put: async (path, content, acl) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
      acls[path.split('/')[0] ?? ''] = acl;
      writeFileSync(at('.acl.json'), JSON.stringify({ '': ['public'], ...acls }));
    },
    remove: async (path) => rmSync(at(path)),
    read: async (path) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined),
  };
}
