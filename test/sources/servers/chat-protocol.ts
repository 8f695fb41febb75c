/**
 * OpenAI's wire protocol of chat completions over a script instead of a model, which cannot be had here: what comes over
 * the network is the real thing (streams of server-sent events, usage, errors), what is said is the test's.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Request {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
  readonly response_format?: { readonly type: string };
}

/** What the server does with a request: says something, fails, or breaks. */
export type Turn =
  | { readonly say: string; readonly chunk?: number; readonly pauseMs?: number; readonly finish?: string }
  | { readonly status: number; readonly error?: string; readonly headers?: Record<string, string> }
  | { readonly refuse: string }
  | { readonly raw: string }
  | 'hang'
  | 'break off';

export interface ChatServer {
  readonly url: string;
  /** Everything that was asked, in order. */
  readonly requests: readonly Request[];
  /** The `authorization` header of each. */
  readonly tokens: readonly (string | undefined)[];
}

/** A server on the loopback interface until the test ends. `script` is asked for each request, with its number; `listing` is the status of its list of models. */
export async function chatServer(
  t: TestContext,
  script: (request: Request, index: number) => Turn,
  options: { readonly listing?: number } = {},
): Promise<ChatServer> {
  const requests: Request[] = [];
  const tokens: (string | undefined)[] = [];
  const server = createServer(async (incoming, response) => {
    if (incoming.url === '/v1/models') return models(response, options);
    if (incoming.url !== '/v1/chat/completions') return void response.writeHead(404).end();
    const request = JSON.parse(await bodyOf(incoming)) as Request;
    requests.push(request);
    tokens.push(incoming.headers.authorization);
    await take(script(request, requests.length - 1), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, tokens };
}

function models(response: ServerResponse, { listing = 200 }: { readonly listing?: number }): void {
  response.writeHead(listing, { 'content-type': 'application/json' });
  const known = [{ id: 'scripted', object: 'model', created: 0, owned_by: 'test' }];
  response.end(JSON.stringify(listing === 200 ? { object: 'list', data: known } : { error: { message: 'scripted' } }));
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

async function take(turn: Turn, response: ServerResponse): Promise<void> {
  if (turn === 'hang') return;
  if (typeof turn === 'object' && 'status' in turn) {
    response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers });
    response.end(JSON.stringify({ error: { message: turn.error ?? 'scripted', type: 'scripted' } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (turn === 'break off') {
    response.write(event({ content: '{"err' }));
    await sleep(5);
    response.destroy();
    return;
  }
  if ('raw' in turn) return void response.end(turn.raw);
  if ('refuse' in turn) return void response.end(event({ refusal: turn.refuse }) + event({}, 'stop') + DONE);
  const size = turn.chunk ?? 64;
  for (let at = 0; at < turn.say.length; at += size) {
    response.write(event({ content: turn.say.slice(at, at + size) }));
    if (turn.pauseMs !== undefined) await sleep(turn.pauseMs);
  }
  response.end(event({}, turn.finish ?? 'stop') + usage(turn.say) + DONE);
}

const DONE = 'data: [DONE]\n\n';
const FRAME = { id: 'scripted', object: 'chat.completion.chunk', created: 0, model: 'scripted' };

function event(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ ...FRAME, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

function usage(text: string): string {
  const counted = { prompt_tokens: 100, completion_tokens: text.length, total_tokens: 100 + text.length };
  return `data: ${JSON.stringify({ ...FRAME, choices: [], usage: counted })}\n\n`;
}
