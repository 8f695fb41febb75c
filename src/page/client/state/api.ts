/** Requests to the server of the page. The cookie goes along by itself; the key is what no other port of this host hears of. */
import type { Failure, FailureReply, LoginReply } from '../../protocol.ts';

const KEY = 'key';

export class ApiError extends Error {
  readonly status: number;
  readonly failure: Failure;

  constructor(status: number, failure: Failure) {
    super(failure.message);
    this.status = status;
    this.failure = failure;
  }
}

export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** Of what a header cannot go along with: pictures, the stream. */
export function keyedAddressOf(route: string, parameters: Parameters = {}): string {
  return addressOf(route, { ...parameters, key: key() });
}

function addressOf(route: string, parameters: Parameters): string {
  const given = Object.entries(parameters).flatMap(([key, value]) => (value === undefined ? [] : [[key, `${value}`]]));
  return `/api/${route}?${new URLSearchParams(given)}`;
}

/** Throws ApiError. */
export async function get<T>(route: string, parameters: Parameters = {}): Promise<T> {
  return (
    await answerOf(fetch(addressOf(route, parameters), { headers: { 'x-yolofs-key': key() } }))
  ).json() as Promise<T>;
}

/** Throws ApiError. */
export async function post<T>(route: string, body: object): Promise<T> {
  return (await posted(route, body)).json() as Promise<T>;
}

/** Of what is answered with nothing. Throws ApiError. */
export async function postOnly(route: string, body: object): Promise<void> {
  await posted(route, body);
}

/** The token of the address becomes a cookie. Throws ApiError. */
export async function logIn(token: string): Promise<void> {
  const reply = (await (await posted('login', { token })).json()) as LoginReply;
  sessionStorage.setItem(KEY, reply.key);
}

/** Empty in a window that has not logged in: the server says so. */
function key(): string {
  return sessionStorage.getItem(KEY) ?? '';
}

function posted(route: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-yolofs-key': key() };
  return answerOf(fetch(`/api/${route}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function answerOf(asked: Promise<Response>): Promise<Response> {
  const response = await asked.catch((error: unknown) => {
    const hint = `run yolofs review again (${String(error)})`;
    throw new ApiError(0, { code: 'gone', message: 'the review has ended: nothing answers', hint });
  });
  if (response.ok) return response;
  throw new ApiError(response.status, await failureOf(response));
}

async function failureOf(response: Response): Promise<Failure> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (isJson) return ((await response.json()) as FailureReply).error;
  return { code: 'internal', message: `the server answers ${response.status} ${response.statusText}` };
}
