/** GitHub Copilot CLI. It takes hooks from files only, so calls have no snapshots of their own. Not tried with the real client. */
import { join } from 'node:path';
import type { Places, Profile, Surroundings } from './profile.ts';

export const copilot: Profile = {
  agent: 'copilot',
  program: 'copilot',
  hint: "'npm install -g @github/copilot' installs it",
  places,
  launch: ({ args }) => ({ args, env: {} }),
};

function places({ home, env }: Surroundings): Places {
  const dir = env.COPILOT_HOME?.startsWith('/') ? env.COPILOT_HOME : join(home, '.copilot');
  return {
    direct: [join(dir, 'session-state')],
    own: [join(dir, 'logs')],
    staged: [dir],
    files: [],
  };
}
