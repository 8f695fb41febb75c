/** Codex CLI. */
import { join } from 'node:path';
import { quoteWord } from '../shell-quote.ts';
import { changedKeys, isTable, parseTable } from './json-state.ts';
import type { Launch, LaunchOptions, Places, Profile, Surroundings } from './profile.ts';

export const codex: Profile = {
  agent: 'codex',
  program: 'codex',
  hint: "'npm install -g @openai/codex' installs it",
  places,
  launch,
};

function places({ home, env }: Surroundings): Places {
  const dir = env.CODEX_HOME?.startsWith('/') ? env.CODEX_HOME : join(home, '.codex');
  const at = (name: string): string => join(dir, name);
  return {
    direct: [at('sessions'), at('archived_sessions')],
    // Programs that it puts into PATH, and what its shells read.
    own: [at('tmp'), at('shell_snapshots'), at('log'), at('cache')],
    staged: [dir],
    files: [{ path: at('auth.json'), objection: objectionToTokens }],
  };
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

/** The view is the sandbox; Codex's own would need namespaces in it. Its questions stay as they are. */
function launch({ args, hook }: LaunchOptions): Launch {
  const command = JSON.stringify(hook.map(quoteWord).join(' '));
  const after = `[{matcher="^(Bash|apply_patch)$",hooks=[{type="command",command=${command},timeout=60}]}]`;
  return {
    args: [
      '-c',
      'sandbox_mode="danger-full-access"',
      '-c',
      `hooks.PostToolUse=${after}`,
      '--dangerously-bypass-hook-trust',
      ...args,
    ],
    env: {},
  };
}
