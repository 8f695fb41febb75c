/** How a process can tell that it runs in a view. Apart from enter.ts, so that programs there load nothing of what starts them. */
import { lookAt } from '../sys/files/text-files.ts';

/** Set for every process in the view, so that `yolofs` can tell where it is. It is no protection. */
export const VIEW_VARIABLE = 'YOLOFS_VIEW';

/** Where the view has the socket that answers `yolofs` inside: the host's is mounted there. */
export const GUEST_SOCKET = '/dev/yolofs';

/** Whether this process runs in a view. The variable alone would not do: Codex starts MCP servers without it. */
export function isInsideView(): boolean {
  return process.env[VIEW_VARIABLE] === '1' || lookAt(GUEST_SOCKET)?.isSocket() === true;
}
