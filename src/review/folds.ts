/** Which paths hold what programs write for themselves: a person reads of them in one line. Pure. */
import { noiseOf } from '../history/diff/noise.ts';
import { type BytePath, isWithin } from '../sys/bytes.ts';

/** In this order they are told. `ignored`: built, of which git takes no notice. */
export type FoldKind = 'git' | 'cache' | 'agent' | 'ignored';

export const FOLDS: readonly FoldKind[] = ['git', 'agent', 'cache', 'ignored'];

export interface Surroundings {
  readonly project: BytePath;
  /** The person's home directory. */
  readonly home: BytePath | undefined;
}

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
    ')$',
  ].join(''),
  's',
);

/** A longer path is shown as it is: whether it is one would take long to find out. */
const LONGEST = 4096;

/** Below the home directory. */
const OF_AGENTS = new RegExp(
  [
    String.raw`^/(?:\.(?:claude|codex|gemini|copilot|cursor|qwen|aider|continue|windsurf|codeium)(?:/|$)`,
    String.raw`|\.claude\.json[^/]*$`,
    String.raw`|\.(?:config|local/share|local/state)/(?:claude|codex|opencode|github-copilot|goose|crush)(?:/|$))`,
  ].join(''),
);
const LOGS =
  /^\/\.(?:npm\/?$|viminfo(?:\.tmp)?$|lesshs[tQ]$|wget-hsts$|(?:bash|zsh|python|node_repl|sqlite|psql|mysql)_history$|config\/(?:configstore|go\/telemetry)(?:\/|$))/;

/** Undefined: a person should see it by itself. */
export function foldOf(path: BytePath, { project, home }: Surroundings): Exclude<FoldKind, 'ignored'> | undefined {
  if (gitDirectoryOf(path) !== undefined) return 'git';
  if (noiseOf(path) === 'cache') return 'cache';
  if (home === undefined || isWithin(path, project) || !isWithin(path, home)) return undefined;
  const inHome = home === '/' ? path : path.slice(home.length);
  if (OF_AGENTS.test(inHome)) return 'agent';
  return LOGS.test(inHome) ? 'cache' : undefined;
}

/** The repository (`…/.git`, or that of a module or work tree) of which a path is one that git alone writes. */
export function gitDirectoryOf(path: BytePath): BytePath | undefined {
  return path.length <= LONGEST && path.includes('/.git/')
    ? (OF_GIT.exec(path)?.[1] as BytePath | undefined)
    : undefined;
}
