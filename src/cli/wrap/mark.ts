/** A number for what is staged now. */
import type { Layout } from '../../history/layout.ts';
import { withDaemon } from '../connection.ts';

/** The generation that stands for what is staged now; a snapshot is taken if it takes one. */
export async function mark(session: Layout): Promise<number> {
  const taken = await withDaemon(session, (daemon) => daemon.request({ op: 'snapshot', name: '', ifChanged: true }));
  return taken.generation;
}
