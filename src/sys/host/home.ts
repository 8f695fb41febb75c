/** The home directory of whoever runs this, which is what `~` stands for. */
import { userInfo } from 'node:os';
import { UserError } from '../user-error.ts';

/**
 * `$HOME`, or what /etc/passwd says where that is none. Never `/`: rules for what is below `~` would be rules for the whole host.
 * Throws a UserError where there is none.
 */
export function homeDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const home = usable(env.HOME) ?? usable(homeByUid());
  if (home !== undefined) return home;
  const named = env.HOME === undefined ? 'HOME is not set' : `HOME is '${env.HOME}'`;
  throw new UserError(
    `you have no home directory: ${named}, and /etc/passwd has none for user ${process.geteuid?.()}`,
    'set HOME to a directory of yours, other than /',
  );
}

function usable(path: string | undefined): string | undefined {
  return path !== undefined && /^\/+[^/]/.test(path) ? path.replace(/\/+$/, '') : undefined;
}

/** Undefined for a user that /etc/passwd does not know, as containers have them. */
function homeByUid(): string | undefined {
  try {
    return userInfo().homedir;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === 'uv_os_get_passwd') return undefined;
    throw error;
  }
}
