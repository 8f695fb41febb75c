/** An MCP client by hand: lines of JSON-RPC to a real server and what it answers, also what no client would say. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { become } from './accounts.ts';
import { CLEAN_ENV } from './exec.ts';
import { eventually } from './leaks.ts';
import { MAIN, type Session } from './session.ts';

export interface Reply {
  readonly jsonrpc: string;
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Told {
  readonly text: string;
  readonly isError: boolean;
}

export interface ClientOptions {
  /** Before `yolofs mcp`: `['run', '--quiet', '--']` is a server in the view. */
  readonly inside?: boolean;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `yolofs mcp` for a session, beside its view or in it; it is ended with the test. */
export function mcpClient(t: TestContext, s: Session, options: ClientOptions = {}): McpClient {
  const { inside = false, args = [], cwd = s.project, env } = options;
  const server = [process.execPath, MAIN, 'mcp', ...args];
  const words = inside ? [process.execPath, MAIN, 'run', '--quiet', '--no-snapshot', '--', ...server] : server;
  const [command = '', ...rest] = [...become(s.account), ...words];
  const child = spawn(command, rest, {
    cwd,
    env: { ...CLEAN_ENV, HOME: s.home, YOLOFS_TEST_ROOT: s.root, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  return new McpClient(child);
}

export class McpClient {
  /** All that came on stdout: each line is a message of the protocol. */
  readonly messages: Reply[] = [];
  stderr = '';
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  #last = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    let text = '';
    child.stdin?.on('error', () => undefined);
    child.stdout?.on('data', (piece: Buffer) => {
      const lines = (text + piece.toString()).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.messages.push(toMessage(line));
    });
    child.stderr?.on('data', (piece: Buffer) => {
      this.stderr += piece.toString();
    });
    this.ended = new Promise((resolve) => child.on('close', resolve));
  }

  /** How many requests there were. */
  get asked(): number {
    return this.#last;
  }

  raw(text: string): void {
    this.#child.stdin?.write(text);
  }

  notify(method: string, params?: object): void {
    this.raw(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  async request(method: string, params: object = {}): Promise<Reply> {
    const id = ++this.#last;
    this.raw(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const find = (): Reply | undefined => this.messages.find((message) => message.id === id);
    assert.ok(await eventually(() => find() !== undefined, 60_000), `no answer to ${method}:\n${this.stderr}`);
    return find() as Reply;
  }

  /** The opening of a client of the years before 2026; returns what the server says of itself. */
  async open(protocolVersion = '2025-11-25'): Promise<Record<string, unknown>> {
    const clientInfo = { name: 'test', version: '1' };
    const { result } = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.notify('notifications/initialized');
    return result ?? {};
  }

  async call(name: string, args: object = {}): Promise<Told> {
    const reply = await this.request('tools/call', { name, arguments: args });
    assert.ok(reply.result !== undefined, JSON.stringify(reply));
    const { content, isError } = reply.result as { content: { type: string; text: string }[]; isError?: boolean };
    assert.deepEqual(
      content.map(({ type }) => type),
      ['text'],
    );
    return { text: content[0]?.text ?? '', isError: isError === true };
  }

  /** As `call`, and it must not fail. */
  async tell(name: string, args: object = {}): Promise<string> {
    const { text, isError } = await this.call(name, args);
    assert.ok(!isError, `${name}: ${text}`);
    return text;
  }

  /** Hangs up as a client does that ends; resolves to the server's exit code. */
  hangUp(): Promise<number | null> {
    this.#child.stdin?.end();
    return this.ended;
  }
}

function toMessage(line: string): Reply {
  const message = JSON.parse(line) as Reply;
  assert.equal(message.jsonrpc, '2.0', line);
  return message;
}
