/**
 * One exchange with a server that speaks OpenAI's chat completions, streamed: what comes slowly is waited for as long as
 * something comes at all, and what never ends is cut off.
 */
import type OpenAI from 'openai';
import { EACCES, EAGAIN, EFBIG, EIO, EPERM, ETIMEDOUT } from '../../../sys/errno.ts';
import { SourceError } from '../../source.ts';
import type { Message } from './prompt.ts';
import { REPLY_SCHEMA } from './reply.ts';

const MAX_REPLY = 8 * 2 ** 20;
const RETRIES = 3;

export interface ChatOptions {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly model: string;
  /** Milliseconds without a byte from the server after which it counts as hung. */
  readonly patience: number;
}

export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface Completion {
  readonly text: string;
  readonly usage: Usage;
}

type OpenAIModule = typeof import('openai');
interface Connection {
  readonly openai: OpenAIModule;
  readonly client: OpenAI;
}

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

export class Chat {
  readonly #options: ChatOptions;
  #connection: Connection | undefined;
  /** Whether the server takes a schema; one that refuses it is not asked with one again. */
  #takesSchema = true;

  constructor(options: ChatOptions) {
    this.#options = options;
  }

  /** Throws a SourceError; an abort by `signal` as it comes. */
  async complete(messages: readonly Message[], signal: AbortSignal): Promise<Completion> {
    const connection = await this.#connect();
    const hung = new AbortController();
    try {
      return await this.#exchange(connection, messages, { signal, hung });
    } catch (error) {
      signal.throwIfAborted();
      if (hung.signal.aborted)
        throw new SourceError(ETIMEDOUT, `the model's server sent nothing for ${this.#options.patience} ms`);
      if (this.#takesSchema && refusesSchema(connection.openai, error)) {
        this.#takesSchema = false;
        return this.complete(messages, signal);
      }
      throw faultOf(connection.openai, error);
    }
  }

  /** Whether the server answers and takes the token: it is asked for its list of models. Throws as `complete`. */
  async check(signal: AbortSignal): Promise<void> {
    const { openai, client } = await this.#connect();
    try {
      await client.models.list({ signal, maxRetries: 0 });
    } catch (error) {
      signal.throwIfAborted();
      // Some serve completions and nothing else.
      if (!(error instanceof openai.NotFoundError)) throw faultOf(openai, error);
    }
  }

  /** The library is loaded with the first request: 30 ms that a session without a question need not pay. */
  async #connect(): Promise<Connection> {
    if (this.#connection !== undefined) return this.#connection;
    const openai = await import('openai');
    const { url, token, patience } = this.#options;
    const client = new openai.OpenAI({
      baseURL: url ?? null,
      // A server of one's own often wants no key; the library does.
      apiKey: token ?? 'none',
      maxRetries: RETRIES,
      timeout: patience,
      // It would write to the console.
      logLevel: 'off',
    });
    this.#connection = { openai, client };
    return this.#connection;
  }

  async #exchange(
    { client }: Connection,
    messages: readonly Message[],
    { signal, hung }: { readonly signal: AbortSignal; readonly hung: AbortController },
  ): Promise<Completion> {
    const stream = await client.chat.completions.create(
      {
        model: this.#options.model,
        messages: [...messages],
        stream: true,
        stream_options: { include_usage: true },
        ...(this.#takesSchema
          ? {
              response_format: {
                type: 'json_schema',
                json_schema: { name: 'reply', strict: true, schema: REPLY_SCHEMA },
              },
            }
          : {}),
      },
      { signal: AbortSignal.any([signal, hung.signal]) },
    );
    return collect(stream, () => setTimeout(() => hung.abort(), this.#options.patience));
  }
}

async function collect(stream: AsyncIterable<Chunk>, watchdog: () => NodeJS.Timeout): Promise<Completion> {
  let [text, promptTokens, completionTokens] = ['', 0, 0];
  let isFinished = false;
  let timer = watchdog();
  try {
    for await (const { choices, usage } of stream) {
      clearTimeout(timer);
      timer = watchdog();
      if (usage) ({ prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage);
      const [choice] = choices;
      if (choice === undefined) continue;
      if (choice.delta.refusal) throw new SourceError(EPERM, 'the model refuses to answer');
      text += choice.delta.content ?? '';
      if (text.length > MAX_REPLY) throw new SourceError(EFBIG, `the model's reply is above ${MAX_REPLY} bytes`);
      if (choice.finish_reason === 'length')
        throw new SourceError(EFBIG, 'the reply is longer than the model may make one');
      if (choice.finish_reason === 'content_filter')
        throw new SourceError(EPERM, "the server's filter held the reply back");
      isFinished ||= choice.finish_reason !== null;
    }
  } finally {
    clearTimeout(timer);
  }
  if (!isFinished) throw new SourceError(EIO, "the model's server broke off in the middle of a reply");
  return { text, usage: { promptTokens, completionTokens } };
}

function refusesSchema(openai: OpenAIModule, error: unknown): boolean {
  return error instanceof openai.BadRequestError && /response_format|json_schema|schema/.test(error.message);
}

/** Errors of the library without their text, where that could hold what was sent. */
function faultOf(openai: OpenAIModule, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  if (error instanceof openai.APIConnectionTimeoutError)
    return new SourceError(ETIMEDOUT, "the model's server does not answer");
  if (error instanceof openai.APIConnectionError) return new SourceError(EIO, "the model's server cannot be reached");
  if (error instanceof openai.APIError && error.status !== undefined) {
    const status: number = error.status;
    const cause = `the model's server answered ${status}`;
    if (status === 401 || status === 403)
      return new SourceError(EACCES, `${cause}: the token is missing or not accepted`);
    if (status === 429) return new SourceError(EAGAIN, `${cause}: too many requests`);
    return new SourceError(EIO, cause);
  }
  if (error instanceof SyntaxError) return new SourceError(EIO, "the model's server sent what is no reply");
  return new SourceError(EIO, "the model's server broke off in the middle of a reply");
}
