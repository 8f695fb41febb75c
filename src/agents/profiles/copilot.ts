/**
 * GitHub Copilot CLI. It takes hooks from files only: ours is in its directory for hooks, which is then the session's own. Its
 * database of sessions lies among its settings and is staged with them.
 */
import { join } from 'node:path';
import type { Launch, LaunchOptions, Places, Profile, Surroundings } from './profile.ts';
import { noRoom, roomIn } from './room.ts';

export const copilot: Profile = {
  agent: 'copilot',
  program: 'copilot',
  hint: "'npm install -g @github/copilot' installs it",
  variables: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'],
  places,
  launch,
};

const OURS = 'yolofs.json';

function directory({ home, env }: Pick<Surroundings, 'home' | 'env'>): string {
  return env.COPILOT_HOME?.startsWith('/') ? env.COPILOT_HOME : join(home, '.copilot');
}

function places(at: Surroundings): Places {
  const dir = directory(at);
  return {
    direct: [],
    // Conversations of all projects lie together.
    own: [
      join(dir, 'session-state'),
      join(dir, 'logs'),
      ...(roomIn(dir, 'hooks', OURS).isFree ? [join(dir, 'hooks')] : []),
    ],
    // Where it unpacks itself.
    staged: [dir, join(at.home, '.cache/copilot')],
    files: [],
  };
}

function launch({ args, hook, home, env }: LaunchOptions): Launch {
  const dir = directory({ home, env });
  const room = roomIn(dir, 'hooks', OURS);
  if (!room.isFree) return { args, env: {}, ...(room.hasOurs ? {} : { notice: noRoom('.copilot/hooks') }) };
  const [exec = '', ...words] = hook;
  const matcher = 'bash|create|edit|str_replace_editor|apply_patch';
  const hooks = { postToolUse: [{ type: 'command', matcher, exec, args: words, timeoutSec: 60 }] };
  return { args, env: {}, files: { [join(dir, 'hooks', OURS)]: JSON.stringify({ version: 1, hooks }) } };
}
