/** What a server can do wrong, and for which requests. */
import type { ServerResponse } from 'node:http';

export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
    }
  /** Answers after a while. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Breaks the connection before the first byte. */
  | { readonly kind: 'reset' }
  /** Breaks it in the middle of the body. */
  | { readonly kind: 'truncate' }
  | { readonly kind: 'malformed' }
  /** Changes what it would have said. */
  | { readonly kind: 'edit'; readonly edit: (body: Record<string, unknown>) => unknown };

interface Rule {
  readonly pattern: RegExp;
  readonly fault: Fault;
  left: number;
}

export class Faults {
  readonly #rules: Rule[] = [];

  /** Lets the next `times` requests whose `METHOD /path` matches fail. */
  add(pattern: RegExp, fault: Fault, times = Number.POSITIVE_INFINITY): void {
    this.#rules.push({ pattern, fault, left: times });
  }

  clear(): void {
    this.#rules.length = 0;
  }

  take(request: string): Fault | undefined {
    const rule = this.#rules.find(({ pattern, left }) => left > 0 && pattern.test(request));
    if (rule !== undefined) rule.left -= 1;
    return rule?.fault;
  }
}

/** Sends an answer, or what the fault makes of it. */
export function answer(
  response: ServerResponse,
  { status, body }: { status: number; body: unknown },
  fault?: Fault,
): void {
  const text = JSON.stringify(fault?.kind === 'edit' ? fault.edit(body as Record<string, unknown>) : body);
  switch (fault?.kind) {
    case 'hang':
      return;
    case 'reset':
      response.destroy();
      return;
    case 'status':
      send(
        response,
        fault.status,
        JSON.stringify(fault.body ?? { error: { type: 'made', reason: 'for a test' } }),
        fault.headers,
      );
      return;
    case 'truncate':
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      return;
    case 'malformed':
      send(response, status, `${text.slice(0, text.length / 2)}`);
      return;
    case 'slow':
      setTimeout(() => send(response, status, text), fault.ms).unref();
      return;
    default:
      send(response, status, text);
  }
}

function send(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}
