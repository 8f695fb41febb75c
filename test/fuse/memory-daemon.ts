/**
 * A daemon that serves a MemoryFs on descriptor 3, to be started as a child of a shell that has mounted it:
 *
 *     node memory-daemon.js '{"valid":1,"writeback":true,"uid":0,"gid":0}'
 *
 * Commands come as lines of JSON on standard input, each is answered by one on standard output; the end of input
 * stops it. As in the product, a worker serves and the main thread notifies the kernel.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isMainThread, type MessagePort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads';
import { openNotifier } from '../../src/fuse/notify.ts';
import { FuseSession } from '../../src/fuse/session.ts';
import type { Name, NodeId } from '../../src/sys/bytes.ts';
import { eventfd, read, write } from '../../src/sys/libc.ts';
import { MemoryFs } from './memory-fs.ts';

export interface DaemonOptions {
  /** Seconds for which the kernel may keep names and attributes. */
  readonly valid?: number;
  readonly writeback?: boolean;
  readonly openless?: boolean;
  readonly uid?: number;
  readonly gid?: number;
}

/** `put` and `drop` change the root behind the kernel's back; the others are the notifier's methods. */
export type Command =
  | { readonly do: 'stats' }
  | { readonly do: 'put'; readonly name: string; readonly content: string }
  | { readonly do: 'drop'; readonly name: string }
  | { readonly do: 'invalEntry'; readonly name: string; readonly parent?: number }
  | { readonly do: 'invalInode'; readonly node: number };

const FUSE_FD = 3;
const ROOT = 1 as NodeId;
const ONE = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);

if (isMainThread) await main(JSON.parse(process.argv[2] ?? '{}'));
else serve(workerData);

async function main(options: DaemonOptions): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const wake = eventfd();
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { options, port: port2, wake },
    transferList: [port2],
  });
  const lines = createInterface({ input: process.stdin });
  worker.on('exit', () => {
    lines.close();
    process.stdin.destroy();
  });
  for await (const line of lines) {
    const command: Command = JSON.parse(line);
    if (command.do === 'stats' || command.do === 'put' || command.do === 'drop') {
      port1.postMessage(command);
      write(wake, ONE);
      const [message] = await once(port1, 'message');
      say(message);
    } else {
      say((await notify(command)) ?? null);
    }
  }
  port1.postMessage('stop');
  write(wake, ONE);
  port1.close();
}

function say(answer: unknown): void {
  writeSync(1, `${JSON.stringify(answer)}\n`);
}

function notify(command: Command): Promise<unknown> {
  const notifier = openNotifier(FUSE_FD);
  switch (command.do) {
    case 'invalEntry':
      return notifier.invalEntry((command.parent ?? ROOT) as NodeId, command.name as Name);
    case 'invalInode':
      return notifier.invalInode(command.node as NodeId, 0, 0);
    default:
      throw new Error(`not a notification: ${command.do}`);
  }
}

function serve(data: { options: DaemonOptions; port: MessagePort; wake: number }): void {
  const { options, port, wake } = data;
  const fs = new MemoryFs({ valid: options.valid ?? 0, uid: options.uid ?? 0, gid: options.gid ?? 0 });
  const onReadable = () => {
    read(wake, Buffer.alloc(8));
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      if (next.message === 'stop') session.stop();
      else port.postMessage(answer(next.message));
    }
  };
  const answer = (command: Command): unknown => {
    if (command.do === 'put') return fs.put(command.name as Name, command.content);
    if (command.do === 'drop') return fs.drop(command.name as Name);
    return { ...session.counters, nodes: fs.size, cpu: process.cpuUsage() };
  };
  const session = new FuseSession({
    fd: FUSE_FD,
    fs,
    writeback: options.writeback ?? true,
    openless: options.openless ?? true,
    watch: [{ fd: wake, onReadable }],
    // The worker's own streams are written by its event loop, which does not turn while it serves.
    log: (line) => writeSync(2, `${line}\n`),
  });
  const outcome = session.run();
  port.close();
  say({ outcome });
}
