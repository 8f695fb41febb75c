/**
 * Content at an address that a server has named, and nobody else: it gets no credentials, and is bounded in every way. Addresses of this
 * machine and of private networks are refused, unless the person has named their origin; which address a name stands for is looked up
 * once, and the connection goes there. Each redirect is judged like the first address.
 */
import { lookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { EACCES, EAGAIN, EFBIG, EIO, ELOOP, ENOENT, type Errno, ETIMEDOUT } from '../../sys/errno.ts';
import { SourceError } from '../source.ts';

export interface FetchOptions {
  /** Origins that the person has named: these may be private. */
  readonly origins: readonly string[];
  readonly signal: AbortSignal;
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
}

const MAX_BYTES = 64 * 2 ** 20;
const TIMEOUT_MS = 30_000;
const MOST_REDIRECTS = 5;
const IDENTITY = 'identity';

const PRIVATE = {
  ipv4: blockList(
    'ipv4',
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16',
    '198.18.0.0/15 224.0.0.0/4 240.0.0.0/4',
  ),
  // A list of both would take an address of IPv4 for the one of IPv6 that embeds it.
  ipv6: blockList(
    'ipv6',
    '::/96 ::ffff:0:0/96 64:ff9b::/32 100::/64 2001::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
  ),
};

/** The content. Rejects with a SourceError whose cause names the origin, and not the rest of the address, which may be a secret. */
export async function fetchAddress(url: string, options: FetchOptions): Promise<Uint8Array> {
  let at = addressOf(url);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const answer = await get(at, options);
    if ('content' in answer) return answer.content;
    const next = addressOf(answer.location, at);
    if (at.protocol === 'https:' && next.protocol === 'http:') throw refused(at, 'leads to an address without TLS');
    at = next;
  }
  throw new SourceError(ELOOP, `${at.origin} leads elsewhere too often`);
}

/** Whether it is of this machine, of a private network, or of no machine. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return isIP(address) === 0 || PRIVATE[family].check(address, family);
}

function addressOf(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new SourceError(EACCES, 'it lies at no http address');
  if (url.username !== '' || url.password !== '') throw refused(url, 'has a user in its address');
  return url;
}

type Answer = { readonly content: Uint8Array } | { readonly location: string };

async function get(url: URL, options: FetchOptions): Promise<Answer> {
  const { origins, signal, maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS } = options;
  const isNamed = origins.includes(url.origin);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!isNamed && isIP(host) !== 0 && isPrivateAddress(host)) throw refused(url, PRIVATELY);
  const late = new AbortController();
  const stop = (): void => late.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await answerOf(await ask(url, isNamed, late.signal), url, maxBytes);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    if (late.signal.aborted) throw new SourceError(ETIMEDOUT, `${url.origin} does not answer in time`);
    throw new SourceError(EIO, `${url.origin} cannot be read (${codeOf(error)})`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    late.abort();
  }
}

function ask(url: URL, isNamed: boolean, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = { accept: '*/*', 'accept-encoding': IDENTITY, 'user-agent': 'yolofs' };
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, agent: false, signal, lookup: lookingUp(url, isNamed) }, resolve);
    asked.on('error', reject);
    asked.end();
  });
}

/** What a name stands for, private addresses left out. */
function lookingUp(url: URL, isNamed: boolean): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const usable = error === null ? found.filter(({ address }) => isNamed || !isPrivateAddress(address)) : [];
      const [first] = usable;
      if (first === undefined) callback(error ?? refused(url, PRIVATELY), '', 0);
      else if (options.all) callback(null, usable);
      else callback(null, first.address, first.family);
    });
  };
}

async function answerOf(response: IncomingMessage, { origin }: URL, maxBytes: number): Promise<Answer> {
  const { statusCode: status = 0, headers } = response;
  if (status >= 300 && status < 400 && headers.location !== undefined) return { location: headers.location };
  if (status !== 200) throw new SourceError(errnoOf(status), `${origin} answers ${status}`);
  if ((headers['content-encoding'] ?? IDENTITY) !== IDENTITY)
    throw new SourceError(EIO, `${origin} packs its answer, which was not asked for`);
  const tooLarge = new SourceError(EFBIG, `${origin} has more than ${maxBytes} bytes`);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > maxBytes) throw tooLarge;
    parts.push(part);
  }
  return { content: Buffer.concat(parts) };
}

function errnoOf(status: number): Errno {
  if (status === 404 || status === 410) return ENOENT;
  if (status === 401 || status === 403) return EACCES;
  return status === 429 || status === 503 ? EAGAIN : EIO;
}

const PRIVATELY = "is of a private network or this machine: name it in the source's 'pointers' to follow it";

function refused({ origin }: URL, why: string): SourceError {
  return new SourceError(EACCES, `${origin} ${why}`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Of the registries of special addresses; of those of IPv6 that embed one of IPv4 all. */
function blockList(family: 'ipv4' | 'ipv6', ...ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges.join(' ').split(' ')) {
    const [net = '', bits] = range.split('/');
    list.addSubnet(net, Number(bits), family);
  }
  return list;
}
