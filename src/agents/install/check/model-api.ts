/**
 * A model on loopback that has one command run and says no more: for a real client that is to show whether it takes its
 * configuration. It speaks what Claude Code and Codex stream (Anthropic's Messages, OpenAI's Responses), as far as this takes.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fieldAt } from '../json-tree.ts';

type Json = Readonly<Record<string, unknown>>;

/** The call of a tool with its arguments, in the client's own words. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Json;
}

export interface ModelApi {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  close(): void;
}

/** Starts it; each conversation that it has no result of yet is answered with the call, all else with a word. */
export async function serveModel(call: ToolCall): Promise<ModelApi> {
  const server = createServer((request, response) => void answer(request, response, call));
  await listening(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, call: ToolCall): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString('utf8');
  const path = (request.url ?? '').split('?', 1)[0];
  const tools = fieldAt(text, ['tools']);
  // Without tools it wants a title or a summary; with a result of the call the work is done.
  const isTurn = Array.isArray(tools) && tools.length > 0 && !/"(tool_result|\w+_call_output)"/.test(text);
  if (path === '/v1/messages') stream(response, messageEvents(isTurn ? call : undefined));
  else if (path === '/v1/responses') stream(response, responseEvents(isTurn ? call : undefined));
  else response.writeHead(404).end();
}

function stream(response: ServerResponse, events: readonly Json[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  events.forEach((event, sequence) => {
    const data = JSON.stringify({ ...event, sequence_number: sequence });
    response.write(`event: ${String(event.type)}\ndata: ${data}\n\n`);
  });
  response.end();
}

function messageEvents(call: ToolCall | undefined): Json[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_yolofs', type: 'message', role: 'assistant', model: 'yolofs', content: [], usage };
  const [block, delta] =
    call === undefined
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: 'done' },
        ]
      : [
          { type: 'tool_use', id: 'toolu_yolofs', name: call.tool, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
        ];
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: call === undefined ? 'end_turn' : 'tool_use' }, usage },
    { type: 'message_stop' },
  ];
}

function responseEvents(call: ToolCall | undefined): Json[] {
  const response = { id: 'resp_yolofs', object: 'response', status: 'in_progress', output: [] };
  const item =
    call === undefined
      ? { ...MESSAGE, content: [{ type: 'output_text', text: 'done', annotations: [] }] }
      : { ...CALL, name: call.tool, arguments: JSON.stringify(call.input) };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return [
    { type: 'response.created', response },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
  ];
}

const MESSAGE = { type: 'message', id: 'msg_yolofs', role: 'assistant', status: 'completed' };
const CALL = { type: 'function_call', id: 'fc_yolofs', call_id: 'call_yolofs', status: 'completed' };
