/** Gemini CLI. */
import { join } from 'node:path';
import { quoteWord } from '../shell-quote.ts';
import { changedKeys, parseTable } from './json-state.ts';
import type { Launch, LaunchOptions, Places, Profile, Surroundings } from './profile.ts';

const SETTINGS = 'gemini-settings.json';

export const gemini: Profile = {
  agent: 'gemini',
  program: 'gemini',
  hint: "'npm install -g @google/gemini-cli' installs it",
  places,
  launch,
};

function places({ home }: Surroundings): Places {
  const dir = join(home, '.gemini');
  const at = (name: string): string => join(dir, name);
  return {
    direct: [],
    // Chats, and programs that it has downloaded; its checkpoints write files back.
    own: [at('tmp'), at('history')],
    staged: [dir],
    files: [{ path: at('oauth_creds.json'), objection: objectionToTokens }],
  };
}

/** A rotated token is applied: the old one is worth nothing any more. */
function objectionToTokens(before: string | undefined, after: string): string | undefined {
  const [old, fresh] = [parseTable(before ?? ''), parseTable(after)];
  if (old === undefined || fresh === undefined) return 'somebody has signed in or out';
  const others = changedKeys(old, fresh).filter((key) => !/^((id|access|refresh)_token|expiry_date)$/.test(key));
  return others.length === 0 ? undefined : `changes ${others.join(', ')}`;
}

/** The settings of the system come first and merge with the person's. */
function launch({ args, hook, dir }: LaunchOptions): Launch {
  const matcher = '^(run_shell_command|write_file|replace)$';
  const entry = { type: 'command', name: 'yolofs', command: hook.map(quoteWord).join(' '), timeout: 60_000 };
  const settings = { hooks: { AfterTool: [{ matcher, hooks: [entry] }] } };
  const env = { GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(dir, SETTINGS), GEMINI_SANDBOX: 'false' };
  return { args, env, files: { [SETTINGS]: JSON.stringify(settings) } };
}
