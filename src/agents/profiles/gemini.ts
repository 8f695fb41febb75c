/**
 * Gemini CLI. Its settings of the system count only where they and all directories above belong to root, which no file of ours
 * does in a view; so the hook comes as an extension, in a directory for extensions that is the session's own.
 */
import { join } from 'node:path';
import { quoteWord } from '../shell-quote.ts';
import { changedKeys, isTable, objectionToTokens, parseTable } from './json-state.ts';
import type { Launch, LaunchOptions, Places, Profile, Surroundings } from './profile.ts';
import { noRoom, roomIn } from './room.ts';

const EXTENSIONS = '.gemini/extensions';

export const gemini: Profile = {
  agent: 'gemini',
  program: 'gemini',
  hint: "'npm install -g @google/gemini-cli' installs it",
  variables: ['GEMINI_*', 'GOOGLE_*'],
  places,
  launch,
};

function places({ home }: Surroundings): Places {
  const dir = join(home, '.gemini');
  const at = (name: string): string => join(dir, name);
  return {
    direct: [],
    // Chats, and programs that it has downloaded; its checkpoints write files back.
    own: [at('tmp'), at('history'), ...(roomIn(home, EXTENSIONS, 'yolofs').isFree ? [join(home, EXTENSIONS)] : [])],
    staged: [dir],
    files: [
      { path: at('oauth_creds.json'), objection: objectionToTokens },
      { path: at('projects.json'), objection: objectionToProjects },
    ],
  };
}

/** How it calls the directories that it was started in, each a name below `tmp`: new ones are no harm. */
function objectionToProjects(before: string | undefined, after: string): string | undefined {
  const [old, fresh] = [parseTable(before ?? '{}'), parseTable(after)];
  if (old === undefined || fresh === undefined) return 'is no JSON object';
  const others = changedKeys(old, fresh).filter((key) => key !== 'projects');
  if (others.length > 0) return `changes ${others.join(', ')}`;
  const [was, is] = [old.projects ?? {}, fresh.projects ?? {}];
  if (!isTable(was) || !isTable(is)) return 'changes projects';
  const odd = changedKeys(was, is).filter((path) => was[path] !== undefined || !/^[\w-]+$/.test(String(is[path])));
  return odd.length === 0 ? undefined : `changes what ${odd[0]} is called`;
}

function launch({ args, hook, home }: LaunchOptions): Launch {
  const env = { GEMINI_SANDBOX: 'false' };
  if (!roomIn(home, EXTENSIONS, 'yolofs').isFree) return { args, env, notice: noRoom(EXTENSIONS) };
  const matcher = '^(run_shell_command|write_file|replace)$';
  const entry = { type: 'command', name: 'yolofs', command: hook.map(quoteWord).join(' '), timeout: 60_000 };
  const hooks = { hooks: { AfterTool: [{ matcher, hooks: [entry] }] } };
  const at = (name: string): string => join(home, EXTENSIONS, 'yolofs', name);
  const files = {
    [at('gemini-extension.json')]: JSON.stringify({ name: 'yolofs', version: '1.0.0' }),
    [at('hooks/hooks.json')]: JSON.stringify(hooks),
  };
  return { args, env, files };
}
