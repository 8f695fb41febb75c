/** Cursor's command line. It takes hooks from files only, so calls have no snapshots of their own. Not tried with the real client. */
import { join } from 'node:path';
import type { Places, Profile, Surroundings } from './profile.ts';

export const cursor: Profile = {
  agent: 'cursor',
  program: 'cursor-agent',
  hint: 'cursor.com/cli tells how to install it',
  variables: ['CURSOR_*'],
  places,
  launch: ({ args }) => ({ args, env: {} }),
};

function places({ home }: Surroundings): Places {
  const dir = join(home, '.cursor');
  return {
    direct: [],
    // Conversations of all projects lie together.
    own: [join(dir, 'chats'), join(dir, 'projects')],
    staged: [dir, join(home, '.config/cursor')],
    files: [],
  };
}
