/**
 * A scripted model behind the Gemini API (`generateContent`), streamed as server-sent events: what Gemini CLI speaks
 * to `GOOGLE_GEMINI_BASE_URL`. It stands in for the paid model and for nothing else.
 */
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { type ReceivedRequest, ScriptedModel, type Wire } from './loopback.ts';
import type { ToolCall, Turn } from './script.ts';

type Json = Record<string, unknown>;

interface Part {
  readonly text?: string;
  readonly functionResponse?: { readonly id?: string; readonly response: Json };
}

export function geminiModel(t: TestContext): Promise<ScriptedModel> {
  return ScriptedModel.start(t, WIRE);
}

/** What Gemini CLI has told the model about a call, in the given request: its output or its error, as text. */
export function outputOf(request: ReceivedRequest | undefined, id: string): string | undefined {
  const found = partsOf(request, 'user').find((part) => part.functionResponse?.id === id)?.functionResponse?.response;
  return found && String(found.output ?? found.error);
}

/** All texts in the request's contents that are the user's, the client's own preamble among them. */
export function userTexts(request: ReceivedRequest | undefined): string[] {
  return partsOf(request, 'user').flatMap((part) => part.text ?? []);
}

/** The names of the functions that the model may call. */
export function toolNames(request: ReceivedRequest | undefined): string[] {
  const { tools = [] } = (request?.body ?? {}) as { tools?: { functionDeclarations?: { name: string }[] }[] };
  return tools.flatMap((tool) => tool.functionDeclarations ?? []).map((declared) => declared.name);
}

function partsOf(request: ReceivedRequest | undefined, role: 'user' | 'model'): Part[] {
  const { contents = [] } = (request?.body ?? {}) as { contents?: { role: string; parts: Part[] }[] };
  return contents.filter((content) => content.role === role).flatMap((content) => content.parts);
}

const WIRE: Wire = {
  isTurn: ({ method, path }) => method === 'POST' && /:streamGenerateContent\b/.test(path),
  answer: streamTurn,
};

/** One server-sent event for each part, the last with the reason why the turn ends. */
function streamTurn(turn: Turn, response: ServerResponse): void {
  const parts: Json[] = [
    ...(turn.text === undefined ? [] : [{ text: turn.text }]),
    ...(turn.calls ?? []).map(callPart),
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  parts.forEach((part, at) => {
    const end = at === parts.length - 1 ? { finishReason: 'STOP' } : {};
    const candidate = { index: 0, content: { role: 'model', parts: [part] }, ...end };
    const chunk = { candidates: [candidate], usageMetadata: USAGE, modelVersion: 'scripted', responseId: 'scripted' };
    response.write(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
  });
  response.end();
}

const USAGE = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 };

function callPart(call: ToolCall): Json {
  return { functionCall: { id: call.id, name: call.tool, args: call.input } };
}
