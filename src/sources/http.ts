/**
 * One server that takes and answers JSON over HTTP: the client of all adapters that talk to such a server. It bounds
 * time and size of an answer, repeats what may be repeated, follows no redirect (an address that the person did not
 * name gets no credentials), and makes errnos of failures.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { EACCES, EAGAIN, EFBIG, EIO, ETIMEDOUT } from '../sys/errno.ts';
import { SourceError } from './source.ts';

export interface HttpOptions {
  /** Where the server is, maybe with a path that comes before all others. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the headers hold that nobody may read in a cause. */
  readonly secret?: string;
  /** From sending a request to the end of its answer. */
  readonly timeoutMs?: number;
  /** Of one answer. */
  readonly maxBytes?: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  /** The media type of the body; JSON if not given. */
  readonly type?: string;
  /** False: not sent again while nobody knows whether it arrived. */
  readonly repeatable?: boolean;
}

/** What the server said to a request that it did not refuse. The adapter judges 400, 404, 409, and a 500 with a reason. */
export interface HttpAnswer {
  readonly status: number;
  /** Of JSON; undefined of an empty body. */
  readonly body: unknown;
}

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** How often a server that asks to be left alone for a while, and one that cannot be reached, is tried in all. */
const BUSY_TRIES = 5;
const BROKEN_TRIES = 2;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

export class HttpServer {
  readonly #options: HttpOptions;
  readonly #base: string;
  /** What a cause calls the server. */
  readonly #origin: string;
  readonly #closing = new AbortController();

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, '');
    this.#origin = new URL(options.url).origin;
  }

  /** Sends a request. Throws a `SourceError`; when aborted, the reason. */
  async request(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    for (let tried = 1; ; tried += 1) {
      const outcome = await this.#attempt(request, signal);
      if (!(outcome instanceof Failure)) return outcome;
      if (tried >= outcome.tries || (outcome.mayHaveArrived && request.repeatable === false)) throw outcome.error;
      await pause(outcome.waitMs ?? backoff(tried), signal);
    }
  }

  /** What an answer is that the adapter has no use for. */
  unexpected(answer: HttpAnswer): SourceError {
    return new SourceError(
      EIO,
      `${this.#origin} answers ${answer.status} ${this.#said(JSON.stringify(answer.body) ?? '')}`,
    );
  }

  /** Ends all requests. */
  close(): void {
    this.#closing.abort(new SourceError(EIO, 'the source is closed'));
  }

  async #attempt(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer | Failure> {
    const timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS;
    const late = new SourceError(ETIMEDOUT, `${this.#origin} has not answered within ${timeoutMs / 1000} s`);
    const limit = new Limit([signal, this.#closing.signal], timeoutMs, late);
    try {
      const response = await fetch(`${this.#base}${request.path}`, this.#init(request, limit.signal));
      const text = await this.#text(response);
      return this.#judge(response, text);
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason;
      if (error instanceof SourceError) throw error;
      return new Failure(new SourceError(EIO, `${this.#origin} ${describeBreak(error)}`), BROKEN_TRIES, true);
    } finally {
      limit.end();
    }
  }

  #init(request: HttpRequest, signal: AbortSignal): RequestInit {
    const type = request.body === undefined ? {} : { 'content-type': request.type ?? 'application/json' };
    const body = request.body === undefined ? {} : { body: request.body };
    const headers = { accept: 'application/json', ...type, ...this.#options.headers };
    return { method: request.method, headers, redirect: 'manual', signal, ...body };
  }

  async #text(response: Response): Promise<string> {
    const maxBytes = this.#options.maxBytes ?? MAX_BYTES;
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of response.body ?? []) {
      length += part.length;
      if (length > maxBytes) throw new SourceError(EFBIG, `${this.#origin} answers with more than ${maxBytes} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts).toString();
  }

  #judge(response: Response, text: string): HttpAnswer | Failure {
    const { status } = response;
    const error = (errno: typeof EIO, what: string): SourceError =>
      new SourceError(errno, `${this.#origin} ${what}: ${status} ${this.#said(text)}`.trimEnd());
    if (status === 401 || status === 403) throw error(EACCES, 'refuses the credentials');
    if (status === 429 || status === 503) {
      return new Failure(error(EAGAIN, 'is overloaded'), BUSY_TRIES, false, retryAfter(response));
    }
    if (status >= 500 && !(status === 500 && isJson(response))) return new Failure(error(EIO, 'failed'), 1, true);
    if (status >= 300 && status < 400) throw error(EIO, 'leads elsewhere, which is not followed');
    return { status, body: this.#parse(text) };
  }

  #parse(text: string): unknown {
    if (text === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new SourceError(EIO, `${this.#origin} answers with what is no JSON`);
    }
  }

  /** The server's own words in one line, for a cause. They may repeat a header, so the secret is taken out. */
  #said(text: string): string {
    const { secret } = this.#options;
    const words = secret === undefined || secret === '' ? text : text.replaceAll(secret, '…');
    return words
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim()
      .slice(0, 200);
  }
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') === true;
}

/** An attempt that may be worth another one. */
class Failure {
  readonly error: SourceError;
  readonly tries: number;
  readonly mayHaveArrived: boolean;
  readonly waitMs: number | undefined;

  constructor(error: SourceError, tries: number, mayHaveArrived: boolean, waitMs?: number) {
    this.error = error;
    this.tries = tries;
    this.mayHaveArrived = mayHaveArrived;
    this.waitMs = waitMs;
  }
}

/** A signal that follows others, and a clock. */
class Limit {
  readonly #control = new AbortController();
  readonly #signals: readonly AbortSignal[];
  readonly #timer: NodeJS.Timeout;
  readonly #follow = (event: Event): void => this.#control.abort((event.target as AbortSignal).reason);

  constructor(signals: readonly AbortSignal[], timeoutMs: number, late: SourceError) {
    this.#signals = signals;
    this.#timer = setTimeout(() => this.#control.abort(late), timeoutMs);
    for (const signal of signals) {
      if (signal.aborted) this.#control.abort(signal.reason);
      signal.addEventListener('abort', this.#follow, { once: true });
    }
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#follow);
  }
}

/** Waits, unless aborted, and then throws the reason. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** Doubled each time, between half and all of it: clients that were refused together do not come back together. */
function backoff(tried: number): number {
  const most = Math.min(FIRST_DELAY_MS * 2 ** (tried - 1), LONGEST_DELAY_MS);
  return most / 2 + (Math.random() * most) / 2;
}

/** What the server asks to wait, within bounds. */
function retryAfter(response: Response): number | undefined {
  const header = response.headers.get('retry-after');
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, LONGEST_DELAY_MS) : undefined;
}

/** What happened to a connection, in words. `fetch` hides it in the cause of its error. */
function describeBreak(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'refuses connections',
    ENOTFOUND: 'is a host that nobody knows',
    EAI_AGAIN: 'is a host that cannot be looked up now',
  };
  return words[code] ?? `broke the connection (${code})`;
}
