/**
 * A scripted model behind OpenAI's Responses API, streamed as server-sent events: what Codex speaks to a provider
 * with `wire_api = "responses"`. It stands in for the paid model and for nothing else.
 */
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { type ReceivedRequest, ScriptedModel, type Wire } from './loopback.ts';
import type { ToolCall, Turn } from './script.ts';

type Json = Record<string, unknown>;

/** Its base URL for Codex is `${model.url}/v1`. */
export function responsesModel(t: TestContext): Promise<ScriptedModel> {
  return ScriptedModel.start(t, WIRE);
}

/** What Codex has told the model as the output of a call, in the last request; undefined when it has not. */
export function outputOf(request: ReceivedRequest | undefined, id: string): string | undefined {
  const item = inputItems(request).find((one) => one.call_id === id && String(one.type).endsWith('_output'));
  return item && asText(item.output);
}

/** All texts that the request carries in messages of `role`. */
export function messages(request: ReceivedRequest | undefined, role: 'developer' | 'user' | 'assistant'): string[] {
  return inputItems(request)
    .filter((item) => item.type === 'message' && item.role === role)
    .map((item) => asText(item.content));
}

function inputItems(request: ReceivedRequest | undefined): Json[] {
  return ((request?.body as { input?: Json[] } | undefined)?.input ?? []) as Json[];
}

/** Outputs are a text, or content parts. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.map((part: Json) => part.text ?? '').join('\n');
}

const WIRE: Wire = {
  isTurn: (request) => request.method === 'POST' && request.path === '/v1/responses',
  answer: streamTurn,
};

function streamTurn(turn: Turn, response: ServerResponse): void {
  const id = 'resp_scripted';
  const events: Json[] = [
    { type: 'response.created', response: { id, object: 'response', status: 'in_progress', output: [] } },
    { type: 'response.in_progress', response: { id, object: 'response', status: 'in_progress', output: [] } },
  ];
  const items = itemsOf(turn);
  items.forEach((item, index) => {
    events.push(...eventsOf(item, index));
  });
  events.push({ type: 'response.completed', response: { id, status: 'completed', output: items, usage: USAGE } });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  events.forEach((event, sequence) => {
    const data = JSON.stringify({ ...event, sequence_number: sequence });
    response.write(`event: ${String(event.type)}\ndata: ${data}\n\n`);
  });
  response.end();
}

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 20,
};

function itemsOf(turn: Turn): Json[] {
  const said = turn.text === undefined ? [] : [messageItem(turn.text)];
  return [...said, ...(turn.calls ?? []).map(callItem)];
}

function messageItem(text: string): Json {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: 'msg_scripted', role: 'assistant', status: 'completed', content };
}

function callItem(call: ToolCall): Json {
  const common = { id: `item_${call.id}`, call_id: call.id, name: call.tool, status: 'completed' };
  if (typeof call.input === 'string') return { type: 'custom_tool_call', ...common, input: call.input };
  const namespace = call.namespace === undefined ? {} : { namespace: call.namespace };
  return { type: 'function_call', ...common, ...namespace, arguments: JSON.stringify(call.input) };
}

/** One item of the output as the API streams it: announced empty, its text in a delta, and whole at the end. */
function eventsOf(item: Json, index: number): Json[] {
  const place = { item_id: item.id, output_index: index };
  const added = { type: 'response.output_item.added', output_index: index, item: { ...item, ...emptied(item) } };
  const done = { type: 'response.output_item.done', output_index: index, item };
  return [added, ...textEvents(item, place), done];
}

function emptied(item: Json): Json {
  if (item.type === 'message') return { content: [], status: 'in_progress' };
  return item.type === 'function_call'
    ? { arguments: '', status: 'in_progress' }
    : { input: '', status: 'in_progress' };
}

function textEvents(item: Json, place: Json): Json[] {
  if (item.type === 'function_call') {
    const name = 'response.function_call_arguments';
    return [
      { type: `${name}.delta`, ...place, delta: item.arguments },
      { type: `${name}.done`, ...place, arguments: item.arguments },
    ];
  }
  if (item.type === 'custom_tool_call') {
    const name = 'response.custom_tool_call_input';
    return [
      { type: `${name}.delta`, ...place, delta: item.input },
      { type: `${name}.done`, ...place, input: item.input },
    ];
  }
  const [part] = item.content as Json[];
  const at = { ...place, content_index: 0 };
  return [
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...at, delta: part?.text },
    { type: 'response.output_text.done', ...at, text: part?.text },
    { type: 'response.content_part.done', ...at, part },
  ];
}
