/** The view's side of guest-lines.ts: has a command carried out outside, and writes what it wrote. */
import { GUEST_SOCKET } from '../../sandbox/inside.ts';
import { connectTo } from '../../sys/socket.ts';
import { UserError } from '../../sys/user-error.ts';
import { type GuestLine, type GuestRequest, LONGEST_REQUEST } from './guest-lines.ts';
import { GUEST_COMMANDS } from './served-commands.ts';

export interface Output {
  readonly out: (bytes: Buffer) => void;
  readonly err: (bytes: Buffer) => void;
}

/** Whether a command can be asked for from inside the view. */
export function isGuestCommand(name: string): boolean {
  return GUEST_COMMANDS.includes(name);
}

/** Has the words carried out; resolves to the exit code. Rejects with a UserError when the session does not answer. */
export function askFromInside(request: GuestRequest, output: Output): Promise<number> {
  return askAsGuest(GUEST_SOCKET, request, output);
}

/**
 * The same at the guest socket `path`, also from outside: no more than a guest may is done. Once `signal` says so, the guest
 * hangs up, and that is the end of what is done for it. Rejects as above.
 */
export async function askAsGuest(
  path: string,
  request: GuestRequest,
  output: Output & { readonly signal?: AbortSignal },
): Promise<number> {
  const text = JSON.stringify(request);
  if (text.length > LONGEST_REQUEST) throw new UserError('there are too many words, or they are too long');
  const socket = await connectTo(path);
  if (socket === undefined) throw new UserError('the session does not answer');
  return new Promise((resolve, reject) => {
    const onLine = (text: string): void => {
      const line = JSON.parse(text) as GuestLine;
      if ('out' in line) output.out(Buffer.from(line.out, 'latin1'));
      else if ('bytes' in line) socket.takeBytes(line.bytes, output.out);
      else if ('err' in line) output.err(Buffer.from(line.err, 'latin1'));
      else resolve(line.exit);
    };
    socket.listen(onLine, () => reject(new UserError('the session has ended')));
    output.signal?.addEventListener('abort', () => socket.destroy(), { once: true });
    socket.send(text);
  });
}
