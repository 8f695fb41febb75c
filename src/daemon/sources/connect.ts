/** Puts the pending fetches of the sources into a view that is about to be served. */
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Ticket } from '../../fuse/filesystem.ts';
import type { Invalidation } from '../../staging/invalidation.ts';
import { splitPath, toBytes } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import type { LiveView } from '../live-view.ts';
import type { MainThread } from '../main-thread.ts';
import type { AskSources, Reply } from './commit-sources.ts';
import { empty } from './fill.ts';
import { NO_SOURCES, type SourcePlaces } from './messages.ts';
import { PendingFetches } from './pending-fetches.ts';

/** The pending fetches. */
export function connectSources(live: LiveView, main: MainThread, sources: SourcePlaces = NO_SOURCES): PendingFetches {
  const resume = (ticket: Ticket): void => main.resume(ticket);
  const tellChanges = (invalidations: readonly Invalidation[]): void => main.tellChanges(invalidations);
  const directories = { places: [...sources.places.values()], unread: sources.unread };
  const fetches = new PendingFetches(directories, {
    tell: (wish) => main.tell({ event: 'fetch', ...wish }),
    resume,
    filled: (paths, resized) => {
      // What we have written ourselves is no change outside.
      tellChanges(live.host.drainWatch(paths));
      for (const path of resized) {
        const at = splitPath(path);
        if (at !== undefined) tellChanges(live.overlay.outside.resized(at.dir, at.name));
      }
    },
    excess: (paths) => {
      const { arrivals } = live.overlay;
      const free = new Set(paths.filter((path) => arrivals.isUnknown(path)));
      tellChanges(live.host.drainWatch(new Set([...free].filter(empty))));
      // Whose names the kernel merely remembers it is asked to forget: then they may go the next time.
      tellChanges(paths.flatMap((path) => (free.has(path) ? [] : arrivals.forgettable(path))));
    },
    failed: (path, { cause }) =>
      live.gatekeeper.noteFailure({ path, access: 'read', op: 'read', cause: toBytes(cause) }),
  });
  live.models.connect({
    tell: (wish) => main.tell({ event: 'consult', ...wish }),
    resume,
    tellChanges,
    failed: (note) => live.gatekeeper.noteFailure(note),
  });
  // Without sources no request is asked about them: LOOKUP and OPEN are the most frequent of all.
  if (sources.places.size > 0) live.overlay.arrivals.fetcher = fetches;
  return fetches;
}

/** By which an order is passed on. */
export interface LineToMain {
  readonly port: MessagePort;
  /** Serves until the main thread has said something, or the view has ended. */
  readonly serve: () => void;
  readonly isOver: () => boolean;
}

/** Passes orders on by the main thread: each answer comes by a port of its own. */
export function askBy({ port, serve, isOver }: LineToMain): AskSources {
  return async (name, ask) => {
    // What is not asked now the next start does.
    if (isOver()) throw ended();
    const { port1, port2 } = new MessageChannel();
    port.postMessage({ event: 'ask', name, ask, reply: port2 }, [port2]);
    const said = serveUntil(port1, { serve, isOver });
    port1.close();
    if ('ended' in said) throw ended();
    if ('defect' in said) throw new Error(said.defect);
    return said.answer as never;
  };
}

/** The event loop stands still meanwhile: what is asked for in the view does not. */
function serveUntil(port: MessagePort, { serve, isOver }: Pick<LineToMain, 'serve' | 'isOver'>): Reply {
  while (!isOver()) {
    const next = receiveMessageOnPort(port);
    if (next !== undefined) return next.message as Reply;
    serve();
  }
  return { ended: true };
}

function ended(): UserError {
  return new UserError(
    'the view has ended',
    "what a source was given of a commit that did not end, the next 'yolofs run' takes back",
  );
}
