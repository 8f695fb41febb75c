/** Talks to the session's daemon, and hangs up afterwards. */
import { type Client, connect } from '../daemon/client.ts';
import { connectOrStart } from '../daemon/start.ts';
import type { Layout } from '../history/layout.ts';

/** Works with the daemon, which is started when there is none. Throws a UserError when that is not possible. */
export async function withDaemon<T>(session: Layout, work: (daemon: Client) => Promise<T>): Promise<T> {
  return hangUpAfter(await connectOrStart(session), work);
}

/** As `withDaemon`, but never starts one: without a live daemon it does nothing and returns undefined. */
export async function withLiveDaemon<T>(session: Layout, work: (daemon: Client) => Promise<T>): Promise<T | undefined> {
  const daemon = await connect(session);
  return daemon && hangUpAfter(daemon, work);
}

async function hangUpAfter<T>(daemon: Client, work: (daemon: Client) => Promise<T>): Promise<T> {
  try {
    return await work(daemon);
  } finally {
    daemon.close();
  }
}
