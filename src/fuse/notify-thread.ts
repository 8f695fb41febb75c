/** Entry of the thread that tells the kernel of very many things to forget, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { write } from '../sys/libc.ts';
import { OUT_HEADER } from './abi.ts';
import { isFine, type NotifyThreadData } from './notify-many.ts';

const { fd, messages } = workerData as NotifyThreadData;
parentPort?.postMessage(sendAll());

function sendAll(): number {
  const view = new DataView(messages.buffer, messages.byteOffset, messages.length);
  for (let at = 0; at < messages.length; ) {
    const length = view.getUint32(at + OUT_HEADER.LEN, true);
    const sent = write(fd, messages.subarray(at, at + length));
    if (!isFine(sent)) return sent;
    at += length;
  }
  return 0;
}
