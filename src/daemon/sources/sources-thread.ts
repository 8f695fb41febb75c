/** Entry of the thread that talks to sources: whatever a server does, neither the FUSE thread nor the main thread waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Fetched, ToFill } from '../../sources/answers.ts';
import { readToken } from '../../sources/config.ts';
import { SourceKeeper } from '../../sources/keeper.ts';
import { Mirror } from '../../sources/mirror/mirror.ts';
import { isModelled, openSource } from '../../sources/open.ts';
import { SourceError, type SourceFault } from '../../sources/source.ts';
import { EINVAL, EIO } from '../../sys/errno.ts';
import { releaseFreed } from '../../sys/memory.ts';
import { HeapTrim } from '../life/heap-trim.ts';
import { Consulted } from './consulted.ts';
import type { Kept, SourceAnswer, SourceCommit, SourceOrder, SourceOrderName, SourceOrders } from './messages.ts';

/** While nobody asks for it, a source is asked so often whether it has changed. */
const EVERY_MS = 60_000;

/** A listing is large, and what is kept of it is small. */
const WORTH_TRIMMING = 8 * 2 ** 20;
const heap = new HeapTrim(() => true, WORTH_TRIMMING);

const keepers = new Map(
  (workerData as readonly Kept[]).map(({ config, root, state, isUnsettled }) => {
    const open = async () => openSource(config, readToken(config, process.env), readOther);
    const keeper = new SourceKeeper(config, new Mirror({ root, state }), open);
    if (isUnsettled) keeper.awaitTakeBack();
    return [config.name, keeper] as const;
  }),
);

const models = new Map(
  (workerData as readonly Kept[])
    .filter(({ config }) => isModelled(config))
    .map(({ config }) => [config.name, new Consulted(config)] as const),
);

/** Of a model nothing is there before it is asked. */
async function readOther(name: string, path: string): Promise<Uint8Array> {
  const other = keepers.get(name);
  if (other === undefined || models.has(name))
    throw new SourceError(EINVAL, `there is no source '${name}' to read it from`);
  return other.contentAt(path);
}

parentPort?.on('message', (order: SourceOrder) => void take(order));
const timer = setInterval(() => void Promise.all([...keepers.keys()].map(refresh)), EVERY_MS);
await Promise.all([...keepers.keys()].map(refresh));

async function take(order: SourceOrder): Promise<void> {
  const { id } = order;
  try {
    say({ id, answer: await carryOut(order) });
  } catch (error) {
    say({ id, defect: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

async function carryOut(order: SourceOrder): Promise<SourceOrders[SourceOrderName]['answer']> {
  switch (order.name) {
    case 'fetch':
      return toFill(order.ask.name, await keeper(order.ask.name).contents(order.ask.paths, order.ask.ahead));
    case 'excess':
      return keeper(order.ask.name).excess();
    case 'refresh':
      return refresh(order.ask.name);
    case 'states':
      return Promise.all([...keepers.values()].map((one) => one.state()));
    case 'commit':
      return commit(order.ask);
    case 'hold':
      return hold(order.ask);
    case 'release':
      keeper(order.ask.name).release();
      return null;
    case 'narrowed':
      return keeper(order.ask.name).searches.narrowed(order.ask.asked);
    case 'bring':
      return keeper(order.ask.name).searches.bring(order.ask.paths);
    case 'lines':
      return keeper(order.ask.name).searches.lines(order.ask.wanted);
    case 'unfilled':
      return toFill(order.ask.name, keeper(order.ask.name).unfilled(order.ask.most));
    case 'takeBack':
      return { left: await keeper(order.ask.name).takeBack(order.ask.paths) };
    case 'consult':
      return model(order.ask.name).consult(order.ask.operation, order.ask.scene);
    case 'giveUp':
      model(order.ask.name).giveUp();
      return null;
    case 'close':
      clearInterval(timer);
      await Promise.all([...keepers.values(), ...models.values()].map((one) => one.close()));
      parentPort?.close();
      return null;
  }
}

async function refresh(name: string): Promise<{ fault?: SourceFault }> {
  try {
    await keeper(name).refresh();
    return {};
  } catch (error) {
    return { fault: faultOf(error) };
  } finally {
    setImmediate(trim);
  }
}

/** After who has waited for it was answered. */
function trim(): void {
  heap.step();
  releaseFreed();
}

async function hold({ name, paths }: SourceOrders['hold']['ask']): Promise<SourceOrders['hold']['answer']> {
  try {
    return { contents: toFill(name, await keeper(name).hold(paths)) };
  } catch (error) {
    keeper(name).release();
    return { fault: faultOf(error) };
  }
}

/** With the files that are to have the contents, as far as the mirror still shows what they are of. */
function toFill(name: string, fetched: readonly Fetched[]): ToFill[] {
  const { mirror } = keeper(name);
  return fetched.map((one) => {
    if (!('content' in one)) return one;
    const { path, content, rev } = one;
    const ino = mirror.inoOf(path, rev);
    return ino === undefined ? { path, moved: true } : { path, content, ino };
  });
}

async function commit({ name, files }: SourceOrders['commit']['ask']): Promise<SourceCommit> {
  try {
    return { outcomes: await keeper(name).commit(files) };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/** An error of another kind would not survive its way to the other thread. */
function faultOf(error: unknown): SourceFault {
  if (error instanceof SourceError) return { errno: error.errno, cause: error.cause };
  return { errno: EIO, cause: error instanceof Error ? error.message : String(error) };
}

function keeper(name: string): SourceKeeper {
  const found = keepers.get(name);
  if (found === undefined) throw new Error(`no source '${name}'`);
  return found;
}

function model(name: string): Consulted {
  const found = models.get(name);
  if (found === undefined) throw new Error(`no model answers for source '${name}'`);
  return found;
}

function say(answer: SourceAnswer): void {
  parentPort?.postMessage(answer);
}
