/**
 * What tools write by themselves, by its path: of such a file a change says little of what somebody wants. Pure.
 *
 *     object    git's objects are called after what is in them, and their times say when they were last of use
 *     scratch   what git leaves of its last command
 *     reflog    only ever gets longer
 *     index     git's; told apart by what it says, not by its bytes (git-index.ts)
 *
 * What lies in a cache can be had again: where both sides have changed it, the real one stays.
 */
import { type BytePath, isWithin } from '../../sys/bytes.ts';
import { atEveryHome } from '../../sys/host/tool-homes.ts';

export type Noise = 'object' | 'scratch' | 'reflog' | 'index';

const GIT = String.raw`/\.git/(?:modules/(?:.+/)?|worktrees/[^/]+/)?`;

const KINDS: readonly (readonly [Noise, RegExp])[] = [
  ['object', new RegExp(`${GIT}objects/(?:[0-9a-f]{2}/[0-9a-f]{38,62}|pack/pack-[0-9a-f]{40,64}\\.[a-z]+)$`)],
  ['scratch', new RegExp(`${GIT}(?:FETCH_HEAD|ORIG_HEAD|COMMIT_EDITMSG|AUTO_MERGE|gc\\.log)$`)],
  ['reflog', new RegExp(`${GIT}logs/.`)],
  ['index', new RegExp(`${GIT}index$`)],
];

/** Of package managers, below a home directory or what looks like one. */
export const CACHES_OF_HOME: readonly string[] = atEveryHome([
  ...['_cacache', '_logs', '_npx', '_libvips', '_prebuilds', '_update-notifier-last-checked'].map((n) => `.npm/${n}`),
  ...['.cargo/registry', '.cargo/git', '.cargo/.package-cache', '.gradle/caches', '.gradle/daemon', '.gradle/native'],
  ...['.m2/repository', '.local/share/pnpm/store', '.bun/install/cache', '.node-gyp', '.nuget/packages', '.cdk/cache'],
  ...[
    '.yarn/berry/cache',
    '.yarn/berry/metadata',
    '.composer/cache',
    '.bundle/cache',
    '.gem/specs',
    '.sbt/boot',
    '.sbt/1.0/staging',
    '.sbt/1.0/zinc',
    '.ivy2/cache',
  ],
  ...['.cabal/packages', '.hex/packages', '.pub-cache/hosted', '.pub-cache/hosted-hashes', '.pub-cache/git'],
  '.duckdb/extensions',
]);

const CACHES: readonly RegExp[] = [
  /\/(?:\.cache|__pycache__|\.(?:pytest|mypy|ruff)_cache|\.(?:parcel|zig|sass)-cache|\.(?:nx|turbo|angular)\/cache)(?=\/|$)/,
  new RegExp(`/(?:${CACHES_OF_HOME.map((path) => path.replaceAll('.', '\\.')).join('|')})(?=/|$)`),
  // What Go puts there, by the names of hosts: many projects have source code in a `go/pkg` of their own.
  /\/go\/pkg(?=\/(?:mod\/cache|(?:mod|sumdb)\/[^/]+\.[^/]+)\/)/,
];

/**
 * What git alone writes: objects, what names point at, the index. Hooks, settings, attributes, what is ignored and where further
 * objects are (`objects/info`) are not in it, nor a file in one of its directories with a name that git would not give.
 */
const OF_GIT = new RegExp(
  [
    String.raw`^(.*/\.git(?:/modules/(?:[^/]+/)*?[^/]+|/worktrees/[^/]+)?)/(?:`,
    'objects(?:/(?:pack|[0-9a-f]{2}))?',
    '|objects/[0-9a-f]{2}/(?:[0-9a-f]{38}|[0-9a-f]{62})',
    String.raw`|objects/pack/(?:pack-[0-9a-f]{40,64}\.[a-z]+|multi-pack-index)`,
    String.raw`|(?:logs|refs)(?:/.*)?|packed-refs|HEAD|index|FETCH_HEAD|ORIG_HEAD|COMMIT_EDITMSG|AUTO_MERGE|gc\.log`,
    // Git LFS: contents called after their SHA-256, and what it is about to fetch.
    '|lfs(?:/(?:tmp|incomplete|objects(?:/[0-9a-f]{2}){0,2}))?|lfs/objects/[0-9a-f]{2}/[0-9a-f]{2}/[0-9a-f]{64}',
    // What `git init` copies, and nobody runs; the directory of hooks may be a link to others.
    String.raw`|description|branches|hooks/[a-z-]+\.sample`,
    ')$',
  ].join(''),
  's',
);

/** A longer path is shown as it is: whether it is one would take long to find out. */
const LONGEST = 4096;

/** Undefined for what somebody writes. */
export function noiseOf(path: BytePath): Noise | undefined {
  return KINDS.find(([, pattern]) => pattern.test(path))?.[0];
}

/**
 * The directory of a cache that a path is in, or is; undefined: it is in none. What lies in the project is judged by its path from
 * there: a checkout in a cache is none itself.
 */
export function cacheDirectoryOf(path: BytePath, project: BytePath): BytePath | undefined {
  const start = isWithin(path, project) && project !== '/' ? project.length : 0;
  for (const pattern of CACHES) {
    const found = pattern.exec(path.slice(start));
    if (found !== null) return path.slice(0, start + found.index + found[0].length) as BytePath;
  }
  return undefined;
}

/** Whether a time of a file there, and nothing else, is no change of it: wherever the project is, caches set times as they like. */
export function hasIdleTimes(path: BytePath): boolean {
  return noiseOf(path) === 'object' || CACHES.some((pattern) => pattern.test(path));
}

/** The repository (`…/.git`, or that of a module or work tree) of which a path is one that git alone writes. */
export function gitDirectoryOf(path: BytePath): BytePath | undefined {
  return path.length <= LONGEST && path.includes('/.git/')
    ? (OF_GIT.exec(path)?.[1] as BytePath | undefined)
    : undefined;
}
