/** Talks to the session's daemon, and hangs up afterwards. */
import { type Client, connect } from '../daemon/client.ts';
import type { Replies } from '../daemon/protocol.ts';
import type { Layout } from '../history/layout.ts';
import { EPERM, SystemError } from '../sys/errno.ts';
import { UserError } from '../sys/user-error.ts';

/** Works with the daemon, which is started when there is none. Throws a UserError when that is not possible. */
export async function withDaemon<T>(session: Layout, work: (daemon: Client) => Promise<T>): Promise<T> {
  return hangUpAfter((await reach(session)) ?? (await start(session)), work);
}

/** As `withDaemon`, but never starts one: without a live daemon it does nothing and returns undefined. */
export async function withLiveDaemon<T>(session: Layout, work: (daemon: Client) => Promise<T>): Promise<T | undefined> {
  const daemon = await connect(session);
  return daemon && hangUpAfter(daemon, work);
}

/**
 * Ends the session's daemon, and with it everything that runs in the view; undefined where none was alive. It has ended when this
 * resolves: whoever removes the session, or its home, finds nobody who still writes there. Rejects with a UserError, with `ifIdle` also
 * where something runs in the view.
 */
export function stopDaemon(session: Layout, { ifIdle = false } = {}): Promise<Replies['stop'] | undefined> {
  return withLiveDaemon(session, async (daemon) => {
    const stopped = await daemon.request({ op: 'stop', ifIdle });
    await daemon.listen(() => undefined);
    return stopped;
  });
}

/** A sandbox that refuses sockets answers EPERM; where only the file were out of reach it would be EACCES. */
async function reach(session: Layout): Promise<Client | undefined> {
  try {
    return await connect(session);
  } catch (error) {
    if (!(error instanceof SystemError) || error.errno !== EPERM) throw error;
    throw keptFromSession();
  }
}

/** Why a command in the sandbox of an agent's own can do nothing: no socket may be connected to, and the registry is read-only. */
export function keptFromSession(): UserError {
  return new UserError(
    'nothing was done: a sandbox around this command keeps it from its session',
    "switch the agent's own sandbox off, as the view is one (codex: --sandbox danger-full-access)",
  );
}

/** Loaded only when it is needed: most runs find a daemon, and every file that a run loads delays it. */
async function start(session: Layout): Promise<Client> {
  const { connectOrStart } = await import('../daemon/life/start.ts');
  return connectOrStart(session, (note) => process.stderr.write(`yolofs: ${note}\n`));
}

async function hangUpAfter<T>(daemon: Client, work: (daemon: Client) => Promise<T>): Promise<T> {
  try {
    return await work(daemon);
  } finally {
    daemon.close();
  }
}
