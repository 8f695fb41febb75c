/** Starting the session's daemon on demand. Any number of processes may try at once: one daemon wins the lock. */
import type { Layout } from '../../history/layout.ts';
import { ensureSession, refuseUnfit } from '../../history/registry/make.ts';
import { SOCKET_VARIABLES } from '../../sandbox/environment/host-sockets.ts';
import { tokenVariables } from '../../sources/config.ts';
import { closeFile, emptyFile, openLog } from '../../sys/files/files.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import { cLibraryVersion, isOldLibrary, oldLibrary, refuseOldKernel } from '../../sys/host/needs.ts';
import { PLAIN_ENVIRONMENT, startProcess } from '../../sys/process/process.ts';
import { UserError } from '../../sys/user-error.ts';
import { type Client, connect } from '../client.ts';
import { DAEMON_MAIN } from '../entries.ts';
import { errorOf, failureOf } from '../failure.ts';
import type { Failure } from '../protocol.ts';

/** What the daemon says on its stdout, in one line. */
export type Readiness =
  | { readonly ready: true; readonly notes: readonly string[] }
  | { readonly taken: true }
  | { readonly error: Failure };

const TIMEOUT_MS = 60_000;
const RETRY_MS = 20;
const LONGEST_LOG = 1024 * 1024;
/** Of the environment only what says who and where we and sockets are, and how to trace: no daemon needs the rest. */
const INHERITED = ['HOME', 'XDG_STATE_HOME', 'TZ', 'YOLOFS_TRACE', 'YOLOFS_TRACE_FILE', ...SOCKET_VARIABLES];

/**
 * Connects to the session's daemon, and starts one when there is none, in a session made for it if need be; `onNote` is told, in a sentence, what had to be
 * mended before. Rejects with the UserError that tells why not.
 */
export async function connectOrStart(
  session: Layout,
  onNote: (text: string) => void = () => undefined,
): Promise<Client> {
  const live = await connect(session);
  if (live !== undefined) return live;
  refuseOldKernel();
  refuseUnfit(session.project);
  const layout = ensureSession(session.project);
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await pause()) {
    const outcome = await startDaemon(layout);
    if ('error' in outcome) throw errorOf(outcome.error);
    if ('notes' in outcome) outcome.notes.forEach(onNote);
    const client = await connect(layout);
    if (client !== undefined) return client;
    // Another one holds the lock and is not ready yet, or is about to end.
  }
  throw new UserError(
    "the session's daemon does not answer",
    `another process holds ${layout.lock}; 'fuser ${layout.lock}' tells which`,
    { code: 'busy' },
  );
}

async function startDaemon(layout: Layout): Promise<Readiness> {
  const log = openLog(layout.log);
  try {
    if ((lookAt(layout.log)?.size ?? 0) > LONGEST_LOG) emptyFile(log);
    return await readiness(spawnDaemon(layout, log), layout.log);
  } finally {
    closeFile(log);
  }
}

function spawnDaemon(layout: Layout, log: number): ReturnType<typeof startProcess> {
  const names = [...INHERITED, ...tokenVariables()];
  const inherited = Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return startProcess({
    // For `collectGarbage`: the FUSE thread decides itself when that disturbs nobody.
    argv: [process.execPath, '--expose-gc', DAEMON_MAIN, layout.project],
    env: { ...PLAIN_ENVIRONMENT, ...inherited },
    stdio: ['ignore', 'pipe', log],
    detached: true,
  });
}

/** The one line the daemon says. Its end without a word is told as it is. */
function readiness(daemon: ReturnType<typeof startProcess>, path: string): Promise<Readiness> {
  return new Promise((resolve) => {
    let text = '';
    const finish = (outcome: Readiness): void => {
      daemon.stdout?.destroy();
      daemon.unref();
      resolve(outcome);
    };
    daemon.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (text.includes('\n')) finish(JSON.parse(text) as Readiness);
    });
    daemon.stdout?.on('end', () => {
      // Asking for it takes as long as all else that a start does here.
      if (isOldLibrary(cLibraryVersion())) return finish({ error: failureOf(oldLibrary()) });
      const message = 'the daemon ended before it was ready';
      finish({ error: { code: 'refused', message, hint: `${path} may say why` } });
    });
  });
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, RETRY_MS);
  });
}
