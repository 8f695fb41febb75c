/** What files import of each other, and the circles that come of it. */
import { dirname, join, normalize } from 'node:path';
import type { SourceFile } from './source-files.ts';

const IMPORT = /^(?:import|export)\b([^;]*?)from\s*'(\.[^']+)'/gm;

/** The files of ours that a file imports when it is loaded and, unless `types` is false, those it takes only types of. */
export function importsOf({ path, code }: SourceFile, { types = true } = {}): string[] {
  const found = [...code.matchAll(IMPORT)].filter(([, what = '']) => types || !isOfTypes(what));
  return [...new Set(found.map(([, , to = '']) => normalize(join(dirname(path), to))))];
}

/** One circle of imports for each file that is the first to close one. */
export function circles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const [found, done]: [string[], Set<string>] = [[], new Set()];
  const follow = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) found.push([...way.slice(at), path].join(' -> '));
    if (at >= 0 || done.has(path)) return;
    for (const target of imports.get(path) ?? []) follow(target, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) follow(path, []);
  return found;
}

/** `type { … }`, or `{ type One, type Other }`. */
function isOfTypes(what: string): boolean {
  if (/^\s*type\b/.test(what)) return true;
  const names = /^\s*\{([^}]*)\}\s*$/.exec(what)?.[1]?.split(',') ?? [''];
  return names.filter((name) => name.trim() !== '').every((name) => /^\s*type\s/.test(name)) && names.length > 0;
}
