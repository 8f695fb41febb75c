/**
 * The server: 127.0.0.1, a port of its own, and a door before everything: the exact Host, the page's own Origin, the cookie and the
 * key. Nothing of a request is used before it has passed; what it then names is looked up, never joined to a path.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readBytes } from '../../../sys/files/text-files.ts';
import { type Asset, assetsIn } from './assets.ts';
import { readBody, textIn } from './body.ts';
import { Login } from './login.ts';
import { failedBy, Rejection } from './reject.ts';
import type { Answer, Handler, Routes } from './routes.ts';

const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
  "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** No Access-Control header ever: no other origin reads anything. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const ADDRESS = '127.0.0.1';
const MOST_CONNECTIONS = 200;
const HEAD_MS = 10_000;
const WHOLE_MS = 30_000;
const LONGEST_URL = 8192;
/** Answers that may carry the key in their address, as they are not asked for by the page's own code. */
const KEY_IN_QUERY: ReadonlySet<string> = new Set(['/api/stream', '/api/content']);

/** What is served. */
export interface Site {
  /** Where the page's files are. */
  readonly assets: string;
  readonly routes: Routes;
  /** Hears of defects. */
  report(text: string): void;
}

export class PageServer {
  readonly #site: Site;
  readonly #assets: ReadonlyMap<string, Asset>;
  readonly #login = new Login();
  readonly #server: Server;
  #port = 0;

  constructor(site: Site) {
    this.#site = site;
    this.#assets = assetsIn(site.assets);
    const limits = { headersTimeout: HEAD_MS, requestTimeout: WHOLE_MS, connectionsCheckingInterval: 1000 };
    this.#server = createServer(limits, (request, response) => void this.#serve(request, response));
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, ADDRESS, resolve);
    });
    const bound = this.#server.address();
    this.#port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  }

  get origin(): string {
    return `http://${ADDRESS}:${this.#port}`;
  }

  /** The address with a new token, which lets one window in. */
  newAddress(): string {
    return `${this.origin}/#${this.#login.issue()}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    try {
      const handled = await this.#answer(request, response);
      if (handled !== undefined) send(response, handled);
    } catch (error) {
      if (response.destroyed || response.headersSent) return;
      const failed = failedBy(error);
      if (failed === undefined)
        this.#site.report(error instanceof Error ? (error.stack ?? error.message) : String(error));
      const { status, failure } = failed ?? {
        status: 500,
        failure: { code: 'internal', message: 'a defect of yolofs' },
      };
      // What is left of a body is not waited for.
      if (!request.complete) response.setHeader('connection', 'close');
      send(response, { status, json: { error: failure } });
    }
  }

  /** Undefined: it was answered already. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Answer | undefined> {
    const url = this.#admit(request);
    const { method } = request;
    if (method === 'GET' && !url.pathname.startsWith('/api/')) return this.#asset(url.pathname);
    if (method === 'POST' && url.pathname === '/api/login') return this.#enter(request, response);
    const key = request.headers['x-yolofs-key'] ?? (KEY_IN_QUERY.has(url.pathname) ? url.searchParams.get('key') : '');
    if (!this.#login.isIn(request, typeof key === 'string' ? key : '', this.#port))
      throw new Rejection(401, 'login', 'not logged in: the address that yolofs has printed lets one window in');
    const handler: Handler | undefined = this.#site.routes.get(`${method} ${url.pathname}`);
    if (handler === undefined) throw new Rejection(404, 'missing', 'there is nothing here');
    const body = method === 'POST' ? await readBody(request) : {};
    return handler({ query: url.searchParams, body, request, response });
  }

  /** Throws a Rejection for whatever does not come from the page itself. */
  #admit({ method, url = '', headers, rawHeaders }: IncomingMessage): URL {
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length !== 1 || `http://${headers.host}` !== this.origin)
      throw new Rejection(421, 'login', 'another host');
    if (method !== 'GET' && method !== 'POST') throw new Rejection(405, 'usage', 'only GET and POST');
    const { origin } = headers;
    if (origin === undefined ? method === 'POST' : origin !== this.origin)
      throw new Rejection(403, 'login', 'another origin');
    const site = headers['sec-fetch-site'];
    const isApi = url.startsWith('/api/');
    if (site !== undefined && site !== 'same-origin' && (isApi || site !== 'none'))
      throw new Rejection(403, 'login', 'asked for by another page');
    if (!url.startsWith('/') || url.startsWith('//') || url.length > LONGEST_URL)
      throw new Rejection(400, 'usage', 'no such address');
    return new URL(url, this.origin);
  }

  #asset(path: string): Answer {
    const asset = this.#assets.get(path);
    const bytes = asset && readBytes(asset.file);
    if (asset === undefined || bytes === undefined) throw new Rejection(404, 'missing', 'there is nothing here');
    return { bytes, type: asset.type };
  }

  async #enter(request: IncomingMessage, response: ServerResponse): Promise<Answer> {
    const pass = this.#login.enter(textIn(await readBody(request), 'token', 200), this.#port);
    if (pass === undefined) {
      const isTired = this.#login.isTired();
      throw new Rejection(
        isTired ? 429 : 403,
        'login',
        'this address was used before, or is not the one that was printed last',
      );
    }
    response.setHeader('set-cookie', pass.cookie);
    return { json: { key: pass.key } };
  }
}

function send(response: ServerResponse, { status, json, bytes, type, headers = {} }: Answer): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const body = bytes ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json)));
  if (body === undefined) {
    response.writeHead(status ?? 204).end();
    return;
  }
  response.setHeader('content-type', type ?? 'application/json');
  response.setHeader('content-length', body.length);
  response.writeHead(status ?? 200).end(body);
}
