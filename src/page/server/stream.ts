/** Server-sent events: what happens by itself, to every window; the latest are kept for one that comes back. */
import type { ServerResponse } from 'node:http';
import type { StreamEvent } from '../protocol.ts';

const KEPT = 200;
/** Windows that listen at a time. */
const MOST = 20;
/** Bytes that wait for one window. */
const MOST_UNREAD = 1 << 20;
const BEAT_MS = 15_000;

export class Stream {
  readonly #listeners = new Set<ServerResponse>();
  readonly #events: StreamEvent[] = [];
  #sent = 0;
  #beat: NodeJS.Timeout | undefined;
  #onCount: (count: number) => void = () => undefined;

  /** Hears how many listen, each time that changes. */
  onCount(hear: (count: number) => void): void {
    this.#onCount = hear;
  }

  /** `last`: the number of the last event that this window has seen. False: there are too many. */
  add(response: ServerResponse, last: string | undefined): boolean {
    if (this.#listeners.size >= MOST) return false;
    this.#listeners.add(response);
    response.on('close', () => this.#remove(response));
    response.write('retry: 1000\n\n');
    this.#catchUp(response, last);
    this.#beat ??= setInterval(() => this.#write(':\n\n'), BEAT_MS);
    this.#onCount(this.#listeners.size);
    return true;
  }

  send(event: StreamEvent): void {
    this.#sent += 1;
    this.#events.push(event);
    if (this.#events.length > KEPT) this.#events.shift();
    this.#write(textOf(event, this.#sent));
  }

  close(): void {
    clearInterval(this.#beat);
    for (const response of this.#listeners) response.end();
  }

  #catchUp(response: ServerResponse, last: string | undefined): void {
    if (last === undefined) return;
    const seen = /^\d{1,12}$/.test(last) ? Number(last) : -1;
    const first = this.#sent - this.#events.length + 1;
    if (seen > this.#sent || seen < first - 1) response.write(textOf({ event: 'reload' }, this.#sent));
    else
      for (const [index, event] of this.#events.entries()) {
        if (first + index > seen) response.write(textOf(event, first + index));
      }
  }

  #write(text: string): void {
    for (const response of this.#listeners) {
      // Who reads nothing is cut off, and catches up when it comes back.
      if (response.writableLength > MOST_UNREAD) response.destroy();
      else response.write(text);
    }
  }

  #remove(response: ServerResponse): void {
    this.#listeners.delete(response);
    if (this.#listeners.size === 0) {
      clearInterval(this.#beat);
      this.#beat = undefined;
    }
    this.#onCount(this.#listeners.size);
  }
}

function textOf(event: StreamEvent, id: number): string {
  return `id: ${id}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}
