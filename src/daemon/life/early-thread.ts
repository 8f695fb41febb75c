/**
 * A thread that starts before it is known what it has to do: its own start, as long as that of a program, goes on while the thread that
 * starts it finds that out. It waits then, for as long as it takes; the end of the process ends that, too.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads';

const TOLD = 1;

interface Start {
  readonly port: MessagePort;
  /** Becomes TOLD when the first message is in the port. */
  readonly word: Int32Array;
}

export class EarlyThread<Task extends object> {
  readonly worker: Worker;
  /** Its other end is the thread's. */
  readonly port: MessagePort;
  readonly #word = new Int32Array(new SharedArrayBuffer(4));

  constructor(entry: string) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    const start: Start = { port: port2, word: this.#word };
    this.worker = new Worker(entry, { workerData: start, transferList: [port2] });
  }

  /** Says what it has to do; to be called once, before anything else is sent. */
  begin(task: Task): void {
    this.port.postMessage(task);
    Atomics.store(this.#word, 0, TOLD);
    Atomics.notify(this.#word, 0);
  }
}

/** In such a thread: its end of the port, and what it has to do, as soon as that is known. */
export function awaitTask<Task extends object>(): { readonly port: MessagePort; readonly task: Task } {
  const { port, word } = workerData as Start;
  Atomics.wait(word, 0, 0);
  return { port, task: receiveMessageOnPort(port)?.message as Task };
}
