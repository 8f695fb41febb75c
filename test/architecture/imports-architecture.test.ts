/** What files import of each other: no circles, no hubs. */
import assert from 'node:assert/strict';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { type SourceFile, sourceFiles } from '../support/source-files.ts';

const MOST_IMPORTS = 20;
/** Files that put others together and import more of ours, rounded up to fives. Their numbers only ever fall. */
const HUBS: Readonly<Record<string, number>> = {
  'src/cli/commands/status.ts': 25,
  'src/cli/look/read-session.ts': 25,
  'src/daemon/daemon.ts': 45,
  'src/daemon/fuse-thread.ts': 25,
  'src/daemon/live-view.ts': 50,
  'src/daemon/orders/orders.ts': 30,
  'src/daemon/orders/selected.ts': 25,
  'src/daemon/orders/travel.ts': 25,
  'src/daemon/orders/undo.ts': 30,
  'src/history/past/past.ts': 25,
  'src/staging/overlay.ts': 30,
};

const sources = sourceFiles('src');

test('no file imports itself by way of others, not even types', () => {
  const imports = new Map(sources.map((file) => [file.path, staticImports(file)]));
  report(circles(imports), {
    reason: 'what is in a circle can only be read, tested and moved as a whole',
    fix: 'move what both sides need, mostly a type, to a file of its own',
  });
});

test('a file imports few others of ours', () => {
  const problems = sources
    .map((file) => ({ path: file.path, imports: new Set(staticImports(file)).size }))
    .filter(({ path, imports }) => imports > (HUBS[path] ?? MOST_IMPORTS))
    .map(({ path, imports }) => `${path}: ${imports} files`);
  report(problems, {
    reason: 'a file that knows everything changes with everything',
    fix: 'find the concept that is missing between it and what it imports',
  });
});

/** What a file imports when it is loaded, and the types that it takes. */
function staticImports(file: SourceFile): string[] {
  const specifiers = [...file.code.matchAll(/^(?:import|export)\b[^;]*?from\s*'(\.[^']+)'/gm)].map(([, at = '']) => at);
  return specifiers.map((specifier) => normalize(join(dirname(file.path), specifier)));
}

/** One circle of imports for each file that is the first to close one. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[] {
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

function report(problems: readonly string[], rule: { readonly reason: string; readonly fix: string }): void {
  const text = problems.map((problem) => `  ${problem}`).join('\n');
  assert.equal(problems.length, 0, `${problems.length} places:\n${text}\nwhy: ${rule.reason}\nfix: ${rule.fix}`);
}
