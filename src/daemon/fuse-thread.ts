/**
 * The FUSE thread, bundled as bin/fuse-thread.cjs (main.ts runs it). It loads the session, then serves the kernel in a
 * blocking loop that also wakes for orders of the main thread (an eventfd says that some are in the port) and for
 * changes of the base (inotify).
 *
 *     /dev/fuse ──▶ FuseSession ──▶ Overlay          eventfd ──▶ Orders ──▶ LiveView
 *
 * It never waits for the main thread, and must not touch a path below the mount.
 */
import { receiveMessageOnPort } from 'node:worker_threads';
import { FuseSession } from '../fuse/session.ts';
import { JournalInDoubt } from '../history/log/lines.ts';
import { PollSet, read, setThreadUmask } from '../sys/libc.ts';
import { log } from '../sys/log.ts';
import { inspect } from './debug/inspect.ts';
import { awaitTask } from './life/early-thread.ts';
import { LiveView, type LiveViewOptions } from './live-view.ts';
import { MainThread } from './main-thread.ts';
import { type LongOrder, type Notice, REGARDLESS, type ShortOrder, TURNING } from './orders/kinds.ts';
import type { OrderMessage, OrderName, Orders } from './orders/orders.ts';
import { wake } from './orders/wake.ts';
import { carryOutside } from './outside/attach.ts';
import { CallerProcessor } from './processor/caller-processor.ts';
import type { Progress } from './protocol.ts';
import { askBy, connectSources } from './sources/connect.ts';
import type { PendingFetches } from './sources/pending-fetches.ts';
import { soonest } from './store/idle-work.ts';
import { PendingCopies } from './store/pending-copies.ts';
import { mendCommits } from './store/repair.ts';
import { EchoFileSystem } from './view/echo-file-system.ts';

export interface ThreadTask extends LiveViewOptions {
  readonly wakeFd: number;
  /** The words of `SharedPlace`; undefined where this thread has to stay where the kernel puts it. */
  readonly place: Int32Array | undefined;
}

const { port, task } = awaitTask<ThreadTask>();
const { wakeFd, place, ...options } = task;

const counter = Buffer.alloc(8);
/** Callers that never cease must not keep an order waiting for ever. */
const DRAIN_MS = 2000;

const main = new MainThread(port);
const copies = new PendingCopies(main);
/** The session that serves, once the order to do so has come. */
let session: FuseSession | undefined;
let fetches: PendingFetches | undefined;
let ended = false;
/** Whether a commit waits for what the main thread says. */
let isAwaiting = false;
/** What was asked for and needs this thread's event loop: serving stops for it. */
let long: LongOrder | undefined;

/** Serves until the session ends. */
export async function start(keepCode: () => void): Promise<void> {
  const view = await load();
  if (view !== undefined) await work(view, keepCode);
  port.close();
}

async function load(): Promise<LiveView | undefined> {
  try {
    const notes = await mendCommits(options.layout);
    for (const note of notes) log(note);
    const live = new LiveView(options, askBy({ port, serve: serveMeanwhile, isOver: () => ended }));
    // From here on this thread says of every file which permissions it has; without it a commit has to change them.
    setThreadUmask(0);
    const { generation, lastRun } = live;
    main.tell({ event: 'loaded', generation, lastRun, notes });
    return live;
  } catch (error) {
    main.failedToLoad(error);
    return undefined;
  }
}

async function work(live: LiveView, keepCode: () => void): Promise<void> {
  while (!ended) {
    if (session === undefined) waitForOrders(live);
    else if (session.run() === 'unmounted') ended = true;
    if (long !== undefined) await takeLong(live, long);
  }
  await live.close();
  keepCode();
  main.tell({ event: 'closed' });
}

/** Until somebody has said something, or the view has ended. */
function serveMeanwhile(): void {
  isAwaiting = true;
  if (session === undefined || session.run() === 'unmounted') ended = true;
  isAwaiting = false;
}

async function takeLong(live: LiveView, order: LongOrder): Promise<void> {
  long = undefined;
  const { id } = order;
  const onProgress = (progress: Progress): void => main.tell({ id, progress });
  try {
    main.answer(id, await live.orders.carryOutLong(order, onProgress));
    live.gatekeeper.turned();
  } catch (error) {
    fail(id, error);
  }
  // Orders that came together with this one were counted with it, and are still in the port.
  wake(wakeFd);
}

function open(live: LiveView, { fd, fast }: Orders['serve']['ask']): void {
  const { questions } = live.gatekeeper.asking;
  live.overlay.content.copyUps.copier = copies;
  live.gatekeeper.asking.connect(main);
  live.overlay.content.unstored.onLost = () => main.tellChanges(live.overlay.content.returns.take());
  fetches = connectSources(live, main, options.sources);
  session = new FuseSession({
    fd,
    fs: new EchoFileSystem(live.gatekeeper.fs, live.overlay),
    openless: false,
    ...(fast === undefined
      ? {}
      : { beside: { ...fast, fs: new EchoFileSystem(live.gatekeeper.fast.fs, live.overlay), openless: true } }),
    watch: [
      { fd: wakeFd, onReadable: () => takeOrders(live) },
      ...(live.watch.fd < 0 ? [] : [{ fd: live.watch.fd, onReadable: () => main.tellChanges(live.host.drainWatch()) }]),
      ...(live.host.mounts.fd < 0
        ? []
        : [{ fd: live.host.mounts.fd, onReadable: () => main.tellChanges(live.host.drainMounts()) }]),
    ],
    sharing: {
      onShared: (node) => main.tellChanges(live.overlay.nodePaths.namesOf(node)),
      onRenamed: (parent, name, device) => main.tellRenamed(parent, name, device),
      areApart: () => live.gatekeeper.fast.fs.isLeftBehind,
    },
    idle: () => {
      main.tellChanges([...live.overlay.content.returns.take(), ...live.gatekeeper.takeForgettable()]);
      const late = live.overlay.outside.lookLate();
      if (late === undefined) return soonest(soonest(live.idle(), questions.expire()), live.models.tick());
      main.tellChanges(late);
      return 1;
    },
    onWithdrawn: (ticket) => {
      questions.withdraw(ticket);
      fetches?.withdraw(ticket);
      live.models.withdraw(ticket);
    },
    writeback: true,
    affinity: place && new CallerProcessor(place, (tid) => main.tell({ event: 'follows', tid })),
    log,
  });
  main.connect(session, new Map([[fd, undefined], ...(fast === undefined ? [] : [[fast.fd, fast.root] as const])]));
}

/** Without a device there is nothing to serve yet, only orders to take. */
function waitForOrders(live: LiveView): void {
  new PollSet([wakeFd]).wait(-1);
  takeOrders(live);
}

function takeOrders(live: LiveView): void {
  read(wakeFd, counter);
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    const order = next.message as OrderMessage;
    if (!REGARDLESS.has(order.name)) session?.drain(DRAIN_MS);
    if (order.name === 'commit' || order.name === 'undo' || order.name === 'undoAtOnce') {
      long = order;
      session?.stop();
      return;
    }
    try {
      main.answer(order.id, carryOut(live, order));
      if (TURNING.has(order.name)) live.gatekeeper.turned();
    } catch (error) {
      fail(order.id, error);
      if (ended) return;
    }
  }
  if (isAwaiting) session?.stop();
}

/** With the journal in doubt there is nothing to serve: what counts, the next daemon finds. */
function fail(id: number, error: unknown): void {
  main.fail(id, error);
  if (!(error instanceof JournalInDoubt)) return;
  log(`the session ends: ${error.message}`);
  ended = true;
  session?.stop();
}

/** Orders that have an answer; the rest are notices. */
function carryOut(live: LiveView, order: ShortOrder): Orders[OrderName]['answer'] {
  switch (order.name) {
    case 'hold':
    case 'rules':
    case 'sight':
    case 'answer':
    case 'lend':
    case 'lent':
      return live.gatekeeper.carryOut(order);
    case 'snapshot':
      return live.snapshot(order.ask);
    case 'flush':
      return live.flush();
    case 'unstored':
      return live.unstored(order.ask);
    case 'staged':
    case 'travel':
    case 'abort':
    case 'plan':
    case 'resolve':
      return live.orders.carryOut(order);
    case 'basis':
    case 'limit':
    case 'drop':
      return live.upkeep.carryOut(order);
    case 'lookOutside':
    case 'echo':
    case 'echoed':
      return live.host.carryOut(order, (invalidations) => main.tellChanges(invalidations));
    case 'stats':
      return { opcodes: session?.counters ?? {}, nodes: live.overlay.liveInodes };
    case 'inspect':
      return inspect(order.ask, { live, session, fetches });
    default:
      handle(live, order);
      return null;
  }
}

function handle(live: LiveView, notice: Notice): void {
  switch (notice.name) {
    case 'serve':
      open(live, notice.ask);
      break;
    case 'runs':
      live.attributions.update(notice.ask.active, notice.ask.holder);
      break;
    case 'counted':
    case 'namesGoing':
    case 'namesGone':
      live.upkeep.handle(notice);
      break;
    case 'hideView':
    case 'attach':
      carryOutside(live, session, notice, main);
      break;
    case 'copied':
      copies.copied(notice.ask);
      break;
    case 'fetched':
      fetches?.fetched(notice.ask.path, notice.ask.told);
      break;
    case 'consulted':
      live.models.consulted(notice.ask.name, notice.ask.outcome);
      break;
    case 'offerEchoes':
      live.overlay.outside.echoes.offer(notice.ask.init);
      break;
    case 'stop':
      ended = true;
      session?.stop();
      break;
    default:
      live.gatekeeper.asking.handle(notice);
  }
}
