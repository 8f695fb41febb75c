/** Which paths hold what programs write for themselves: a person reads of them in one line. Pure. */
import { CACHES_OF_HOME, cacheDirectoryOf, gitDirectoryOf } from '../history/diff/noise.ts';
import { type BytePath, isWithin } from '../sys/bytes.ts';
import { atEveryHome } from '../sys/host/tool-homes.ts';

/** In this order they are told. `ignored`: built, of which git takes no notice. */
export type FoldKind = 'git' | 'cache' | 'agent' | 'ignored';

export const FOLDS: readonly FoldKind[] = ['git', 'agent', 'cache', 'ignored'];

export interface Surroundings {
  readonly project: BytePath;
  /** The person's home directory. */
  readonly home: BytePath | undefined;
}

/** Below the home directory. */
const OF_AGENTS = new RegExp(
  [
    String.raw`^/(?:\.(?:claude|codex|gemini|copilot|cursor|qwen|aider|continue|windsurf|codeium)(?:/|$)`,
    String.raw`|\.claude\.json[^/]*$`,
    String.raw`|\.(?:config|local/share|local/state)/(?:claude|codex|opencode|github-copilot|goose|crush)(?:/|$))`,
  ].join(''),
);
const LOGS = new RegExp(
  [
    String.raw`^/\.(?:npm/?$|viminfo(?:\.tmp)?$|lesshs[tQ]$|wget-hsts$`,
    String.raw`|(?:bash|zsh|python|node_repl|sqlite|psql|mysql)_history$|pm2/(?:logs|pids|pm2\.log|pm2\.pid|touch)(?:/|$)`,
    String.raw`|config/(?:configstore|go/telemetry|\.wrangler/(?:logs|metrics\.json|registry))(?:/|$))`,
  ].join(''),
);

/** Directories on the way to the above and to caches. */
const ON_THE_WAY: ReadonlySet<string> = new Set([
  ...['/.config', '/.config/go', '/.config/.wrangler', '/.local', '/.local/share', '/.local/state', '/.pm2'],
  ...CACHES_OF_HOME.flatMap((path) => waysTo(`/${path}`)),
]);
const GO = atEveryHome(['go']).join('|').replaceAll('.', '\\.');
const ON_THE_WAY_IN_GO = new RegExp(`^/(?:${GO})(?:/pkg(?:/(?:mod|sumdb)(?:/cache|/[^/]+\\.[^/]+)?)?)?$`);

/** Undefined: a person should see it by itself. */
export function foldOf(path: BytePath, around: Surroundings): Exclude<FoldKind, 'ignored'> | undefined {
  // A package manager keeps repositories in its cache, too.
  if (cacheDirectoryOf(path, around.project) !== undefined) return 'cache';
  if (gitDirectoryOf(path) !== undefined) return 'git';
  const inHome = inHomeOf(path, around);
  if (inHome === undefined) return undefined;
  if (OF_AGENTS.test(inHome)) return 'agent';
  return LOGS.test(inHome) ? 'cache' : undefined;
}

/** Whether a directory of the home directory is there for what programs keep: a new one says nothing, and what else is in it is told. */
export function isOnTheWay(path: BytePath, around: Surroundings): boolean {
  const inHome = inHomeOf(path, around);
  return inHome !== undefined && (ON_THE_WAY.has(inHome) || ON_THE_WAY_IN_GO.test(inHome));
}

function waysTo(path: string): string[] {
  const above = path.slice(0, path.lastIndexOf('/'));
  return above === '' ? [] : [...waysTo(above), above];
}

/** What follows the home directory; undefined for what is not there, or is the project's. */
function inHomeOf(path: BytePath, { project, home }: Surroundings): string | undefined {
  if (home === undefined || !isWithin(path, home)) return undefined;
  // A project has an agent's settings of its own; the home directory is one, too, for who works there.
  if (isWithin(path, project) && !isWithin(home, project)) return undefined;
  return home === '/' ? path : path.slice(home.length);
}
