/** Where yolofs keeps what no repository brings along and no view can write: `$XDG_STATE_HOME/yolofs`, by default `~/.local/state/yolofs`. */
import { homeDirectory } from './home.ts';

/** The directory; it need not exist. Throws a UserError where there is no home directory to have it in. */
export function stateDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const named = env.XDG_STATE_HOME;
  return named?.startsWith('/') === true ? `${named.replace(/\/+$/, '')}/yolofs` : defaultStateDirectory();
}

/** The directory of who has not named another. */
export function defaultStateDirectory(): string {
  return `${homeDirectory()}/.local/state/yolofs`;
}
