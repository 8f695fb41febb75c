/** Codex CLI. */
import { join } from 'node:path';
import { homeDirectory } from '../../sys/host/home.ts';
import { eventKey, trustedHash } from '../codex-trust.ts';
import { quoteWord } from '../shell-quote.ts';
import { changedKeys, isTable, parseTable } from './json-state.ts';
import { addedLines, isOfProject } from './of-project.ts';
import type { Launch, LaunchOptions, Places, Profile, Surroundings } from './profile.ts';

export const codex: Profile = {
  agent: 'codex',
  program: 'codex',
  hint: "'npm install -g @openai/codex' installs it",
  variables: ['OPENAI_*', 'CODEX_*', 'AZURE_OPENAI_API_KEY'],
  places,
  launch,
};

/** Where its databases go: the ones outside stay as they are, and what is in `sessions` is found again without them. */
const OWN_STATE = 'yolofs';

function directory(home: string, env: NodeJS.ProcessEnv): string {
  return env.CODEX_HOME?.startsWith('/') ? env.CODEX_HOME : join(home, '.codex');
}

function places({ home, env, cwd }: Surroundings): Places {
  const dir = directory(home, env);
  const at = (name: string): string => join(dir, name);
  return {
    direct: [],
    // Programs that it puts into PATH, what its shells read, databases with orders to itself (goals, queues), locks.
    own: ['tmp', '.tmp', 'shell_snapshots', 'log', 'cache', OWN_STATE, 'thread-writer-locks'].map(at),
    staged: [dir],
    files: [
      { path: at('auth.json'), objection: objectionToTokens },
      {
        path: at('sessions'),
        isBelow: true,
        objection: (before, after) => objectionToConversation(before, after, cwd),
      },
    ],
  };
}

/** A conversation of this project is applied, so that it can be continued outside. */
function objectionToConversation(before: string | undefined, after: string, cwd: string): string | undefined {
  if (addedLines(before, after) === undefined) return 'changes what was there before';
  const { type, payload } = parseTable(after.split('\n', 1)[0] ?? '') ?? {};
  const isOurs = type === 'session_meta' && isTable(payload) && isOfProject(payload.cwd, cwd);
  return isOurs ? undefined : 'is a conversation of another project';
}

/** A rotated token is applied: the old one is worth nothing any more. */
function objectionToTokens(before: string | undefined, after: string): string | undefined {
  const [old, fresh] = [parseTable(before ?? ''), parseTable(after)];
  if (old === undefined || fresh === undefined) return 'somebody has signed in or out';
  const changed = changedKeys(old, fresh).filter((key) => key !== 'last_refresh');
  if (changed.length === 0) return undefined;
  if (changed.join() !== 'tokens' || !isTable(old.tokens) || !isTable(fresh.tokens))
    return `changes ${changed.join(', ')}`;
  const others = changedKeys(old.tokens, fresh.tokens).filter((key) => !/^(id|access|refresh)_token$/.test(key));
  return others.length === 0 ? undefined : `changes ${others.join(', ')}`;
}

/** The view is the sandbox; Codex's own keeps commands from asking it anything. Its questions stay as they are. */
function launch({ args, hook, env }: LaunchOptions): Launch {
  const settings = [
    'sandbox_mode="danger-full-access"',
    `sqlite_home=${JSON.stringify(join(directory(homeDirectory(env), env), OWN_STATE))}`,
    ...hookSettings(hook.map(quoteWord).join(' ')),
    serverSetting(hook.slice(0, -2)),
  ];
  return { args: [...settings.flatMap((one) => ['-c', one]), ...args], env: {} };
}

/**
 * A hook for this run, and the trust in it: Codex runs no hook that nobody has reviewed, and `wrap` is to vouch for its own
 * alone, not for all (`--dangerously-bypass-hook-trust`).
 */
function hookSettings(command: string): string[] {
  const hook = { event: 'PostToolUse', matcher: '^(Bash|apply_patch)$', command, timeout: 60 };
  const { event, matcher, timeout } = hook;
  const text = JSON.stringify(command);
  return [
    `hooks.${event}=[{matcher="${matcher}",hooks=[{type="command",command=${text},timeout=${timeout}}]}]`,
    `hooks.state={"/<session-flags>/config.toml:${eventKey(event)}:0:0"={trusted_hash="${trustedHash(hook)}"}}`,
  ];
}

/** With it the agent can ask for a commit. */
function serverSetting([command = '', ...args]: readonly string[]): string {
  return `mcp_servers.yolofs={command=${JSON.stringify(command)},args=${JSON.stringify([...args, 'mcp'])}}`;
}
