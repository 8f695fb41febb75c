/**
 * OpenCode. It takes hooks from plugins only: ours is in its directory for plugins, which is then the session's own. So
 * is its database: conversations begun in the view go on only there, and those from outside do not.
 */
import { join } from 'node:path';
import { opencodePlugin } from '../install/opencode-plugin.ts';
import type { Launch, LaunchOptions, Places, Profile, Surroundings } from './profile.ts';
import { noRoom, roomIn } from './room.ts';

export const opencode: Profile = {
  agent: 'opencode',
  program: 'opencode',
  hint: "'npm install -g opencode-ai' installs it",
  variables: [
    'OPENCODE_*',
    'ANTHROPIC_*',
    'OPENAI_*',
    'GEMINI_*',
    'GOOGLE_*',
    'OPENROUTER_API_KEY',
    'GROQ_API_KEY',
    'MISTRAL_API_KEY',
    'DEEPSEEK_API_KEY',
    'XAI_API_KEY',
  ],
  places,
  launch,
};

const OURS = 'yolofs.ts';
const PLUGINS = '.config/opencode/plugins';
const DATA = '.local/share/opencode';
const OWN_STATE = 'yolofs';

function places({ home }: Surroundings): Places {
  const data = join(home, DATA);
  return {
    direct: [],
    // Conversations of all projects lie together.
    own: [
      ...['storage', 'log', 'bin', 'snapshot', OWN_STATE].map((name) => join(data, name)),
      ...(roomIn(home, PLUGINS, OURS).isFree ? [join(home, PLUGINS)] : []),
    ],
    staged: [data, ...['.config/opencode', '.local/state/opencode', '.cache/opencode'].map((name) => join(home, name))],
    files: [],
  };
}

function launch({ args, hook, home }: LaunchOptions): Launch {
  const env = { OPENCODE_DB: join(home, DATA, OWN_STATE, 'opencode.db') };
  const room = roomIn(home, PLUGINS, OURS);
  if (!room.isFree) return { args, env, ...(room.hasOurs ? {} : { notice: noRoom(PLUGINS) }) };
  // The plugin adds `hook opencode` itself.
  return { args, env, files: { [join(home, PLUGINS, OURS)]: opencodePlugin(hook.slice(0, -2)) } };
}
