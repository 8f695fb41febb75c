/**
 * A scripted model behind OpenAI's Chat Completions API, streamed as server-sent events: what Copilot CLI, OpenCode and Qwen Code
 * speak to a provider of one's own. It stands in for the paid model and for nothing else.
 */
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { type ReceivedRequest, ScriptedModel, type Wire } from './loopback.ts';
import type { ToolCall, Turn } from './script.ts';

type Json = Record<string, unknown>;

/** Its base URL is `${model.url}/v1`. */
export function chatModel(t: TestContext): Promise<ScriptedModel> {
  return ScriptedModel.start(t, WIRE);
}

/** What the model was told as the output of a call, in the given request; undefined when it was told nothing. */
export function outputOf(request: ReceivedRequest | undefined, id: string): string | undefined {
  const { messages = [] } = (request?.body ?? {}) as { messages?: Json[] };
  const found = messages.find((message) => message.role === 'tool' && message.tool_call_id === id);
  return found && textOf(found.content);
}

/** One text, or several parts. */
function textOf(content: unknown): string {
  return Array.isArray(content) ? content.map(({ text }: Json) => String(text)).join('\n') : String(content);
}

const isChat = ({ method, path }: ReceivedRequest): boolean => method === 'POST' && path === '/v1/chat/completions';

const WIRE: Wire = {
  // Requests without tools are the client's own (a title for the session, say) and no turn of the script.
  isTurn: (request) => isChat(request) && ((request.body as { tools?: Json[] } | undefined)?.tools ?? []).length > 0,
  answer: streamTurn,
  otherwise: (request, response) => {
    if (isChat(request)) streamTurn({ text: 'A title' }, response);
    return isChat(request);
  },
};

function streamTurn(turn: Turn, response: ServerResponse): void {
  const calls = turn.calls ?? [];
  const deltas: Json[] = [
    { role: 'assistant', content: turn.text ?? '' },
    ...calls.map((call, index) => ({ tool_calls: [callDelta(call, index)] })),
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (body: Json): void => void response.write(`data: ${JSON.stringify({ ...CHUNK, ...body })}\n\n`);
  for (const delta of deltas) send({ choices: [{ index: 0, delta, finish_reason: null }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }] });
  send({ choices: [], usage: USAGE });
  response.end('data: [DONE]\n\n');
}

const CHUNK = { id: 'scripted', object: 'chat.completion.chunk', created: 1, model: 'scripted' };
const USAGE = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

function callDelta(call: ToolCall, index: number): Json {
  const input = typeof call.input === 'string' ? call.input : JSON.stringify(call.input);
  return { index, id: call.id, type: 'function', function: { name: call.tool, arguments: input } };
}
