/**
 * A scripted model behind the Anthropic Messages API, streamed as server-sent events: what Claude Code speaks to
 * `ANTHROPIC_BASE_URL`. It stands in for the paid model and for nothing else.
 */
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { type ReceivedRequest, ScriptedModel, type Wire } from './loopback.ts';
import type { Turn } from './script.ts';

type Json = Record<string, unknown>;

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
}

export function messagesModel(t: TestContext): Promise<ScriptedModel> {
  return ScriptedModel.start(t, WIRE);
}

/** What Claude Code has told the model as the result of a call; undefined when it has not. */
export function resultOf(request: ReceivedRequest | undefined, id: string): string | undefined {
  const block = blocks(request).find((one) => one.type === 'tool_result' && one.tool_use_id === id);
  return block && asText(block.content);
}

/** All texts of the messages that are neither the model's nor tool results: prompts, and what the client and its hooks add. */
export function contextTexts(request: ReceivedRequest | undefined): string[] {
  return blocks(request).flatMap((block) => block.text ?? []);
}

function blocks(request: ReceivedRequest | undefined): Block[] {
  const { messages = [] } = (request?.body ?? {}) as {
    messages?: { role: string; content: string | readonly Block[] }[];
  };
  // Since models know messages of the system between the turns, hooks' context comes as one.
  const theirs = messages.filter(({ role }) => role !== 'assistant');
  return theirs.flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
}

function asText(content: Block['content']): string {
  if (content === undefined || typeof content === 'string') return content ?? '';
  return content.map((block) => block.text ?? '').join('\n');
}

/** Only a request with tools is the agent's own: without, it wants a title or a summary. */
const WIRE: Wire = {
  isTurn: ({ method, path, body }) =>
    method === 'POST' && /^\/v1\/messages(?:\?|$)/.test(path) && ((body as Json | undefined)?.tools as [])?.length > 0,
  answer: (turn, response) => stream(turn, response),
  otherwise: ({ path }, response) => {
    if (!/^\/v1\/messages(?:\?|$)/.test(path)) return false;
    stream({ text: 'A title' }, response);
    return true;
  },
};

function stream(turn: Turn, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of eventsOf(turn)) {
    response.write(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function eventsOf(turn: Turn): Json[] {
  const calls = turn.calls ?? [];
  const message = { id: 'msg_scripted', type: 'message', role: 'assistant', model: 'scripted', content: [] };
  const usage = { input_tokens: 10, output_tokens: 10 };
  const pieces = [
    ...(turn.text === undefined ? [] : [textPiece(turn.text)]),
    ...calls.map(({ id, tool, input }) => ({
      start: { type: 'tool_use', id, name: tool, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    })),
  ];
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } },
    ...pieces.flatMap(({ start, delta }, index) => [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' }, usage },
    { type: 'message_stop' },
  ];
}

function textPiece(text: string): { start: Json; delta: Json } {
  return { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text } };
}
