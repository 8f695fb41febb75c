/** The server of the review page, started as a person starts it, and requests to it as a browser sends them, or as nobody should. */
import assert from 'node:assert/strict';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { DecideReply, FileReply, LoginReply, ReviewReply, Target } from '../../src/page/protocol.ts';
import type { Session } from '../support/session.ts';

export interface Got {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** Starts `yolofs review`, works with it, and ends it: before the session ends, which leaves nothing behind. */
export async function withPage(s: Session, work: (page: Page) => Promise<void>): Promise<void> {
  let pid: number | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    const onStdout = (piece: Buffer): void => {
      text += piece.toString();
      if (text.includes('\n')) resolve(text.trim());
    };
    const onStart = (started: number): void => {
      pid = started;
    };
    ended = s.cli(['review', '--no-open'], { onStdout, onStart, timeout: 300_000 });
    // Its number may be another program's from then on.
    void ended.finally(() => (pid = undefined)).catch(() => undefined);
    ended.then((result) => reject(new Error(JSON.stringify(result))), reject);
  });
  try {
    await work(new Page(address));
  } finally {
    if (pid !== undefined) process.kill(-pid, 'SIGINT');
    await ended;
  }
}

export class Page {
  readonly origin: string;
  readonly token: string;
  cookie = '';
  key = '';

  constructor(address: string) {
    const [origin = '', token = ''] = address.split('/#');
    this.origin = origin;
    this.token = token;
  }

  async login(token = this.token): Promise<Got> {
    const got = await this.send('/api/login', this.posting({ token }));
    if (got.status === 200) {
      this.cookie = got.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      this.key = (JSON.parse(got.text) as LoginReply).key;
    }
    return got;
  }

  /** A POST as the page sends it. */
  posting(body: object): Sent {
    const headers = { origin: this.origin, 'content-type': 'application/json', ...this.pass() };
    return { method: 'POST', headers, body: JSON.stringify(body) };
  }

  pass(): OutgoingHttpHeaders {
    return { cookie: this.cookie, 'x-yolofs-key': this.key };
  }

  /** As it is; rejects when the server hangs up. */
  send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Got> {
    const { hostname, port, host } = new URL(this.origin);
    return new Promise((resolve, reject) => {
      const sent = request(
        { hostname, port, path, method, headers: { host, ...headers }, agent: false },
        (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(pieces).toString(),
            }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  async get<T>(path: string): Promise<T> {
    const got = await this.send(path, { headers: this.pass() });
    assert.equal(got.status, 200, `${path}: ${got.status} ${got.text}`);
    return JSON.parse(got.text) as T;
  }

  async post<T>(path: string, body: object): Promise<T> {
    const got = await this.send(path, this.posting(body));
    assert.ok(got.status === 200 || got.status === 204, `${path}: ${got.status} ${got.text}`);
    return (got.text === '' ? {} : JSON.parse(got.text)) as T;
  }

  /** All of it: of very much the first answer has only a part. */
  async review(): Promise<ReviewReply> {
    return this.get<ReviewReply>('/api/review?whole=1');
  }

  /** Of what ends so. */
  async idOf(end: string): Promise<string> {
    const found = (await this.review()).entries.find(({ path }) => path.endsWith(end));
    assert.ok(found, `${end} is not staged`);
    return found.id;
  }

  async file(end: string, more = ''): Promise<FileReply> {
    return this.get(`/api/file?id=${await this.idOf(end)}${more}`);
  }

  async decide(decision: string, targets: readonly Target[]): Promise<DecideReply> {
    const { version } = await this.review();
    return this.post('/api/decide', { version, decision, targets });
  }
}
