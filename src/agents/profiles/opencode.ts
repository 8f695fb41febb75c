/** OpenCode. Its sessions lie in one directory with its credentials and programs, so all of it is staged. Not tried with the real client. */
import { join } from 'node:path';
import type { Places, Profile, Surroundings } from './profile.ts';

export const opencode: Profile = {
  agent: 'opencode',
  program: 'opencode',
  hint: "'npm install -g opencode-ai' installs it",
  places,
  launch: ({ args }) => ({ args, env: {} }),
};

function places({ home }: Surroundings): Places {
  const data = join(home, '.local/share/opencode');
  return {
    direct: [join(data, 'storage')],
    own: [join(data, 'log'), join(data, 'bin'), join(data, 'snapshot')],
    staged: [data, join(home, '.config/opencode'), join(home, '.local/state/opencode')],
    files: [],
  };
}
