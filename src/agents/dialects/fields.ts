/** Reading an event whose shape is not trusted: what is absent or of another type is undefined. */
import { resolve } from 'node:path';
import type { Malformed } from '../event.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The JSON object that `text` is, after any byte order marks; undefined for everything else. */
export function parseFields(text: string): Fields | undefined {
  try {
    return asFields(JSON.parse(text.replace(/^\ufeff+/, '')));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The directory that a tool names, against the one the event happened in. */
export function directoryIn(cwd: string, named: unknown): string {
  return typeof named === 'string' && named !== '' ? resolve(cwd, named) : cwd;
}

/** The files that a tool's input names in fields `names`, absolute. */
export function pathsIn(cwd: string, input: Fields | undefined, names: readonly string[]): string[] {
  return names.flatMap((name) => asText(input?.[name]) ?? []).map((path) => resolve(cwd, path));
}

export function malformed(phase: Malformed['phase'], why: string): Malformed {
  return { kind: 'malformed', phase, why };
}

/** What a tool has printed, as clients tell it to hooks: some as text, some by its streams. */
export function outputIn(response: unknown): { readonly output?: string } {
  if (typeof response === 'string') return { output: response };
  const { stdout, stderr, output, returnDisplay, llmContent } = asFields(response) ?? {};
  const streams = [stdout, stderr].filter((text) => typeof text === 'string' && text !== '');
  const text = streams.length > 0 ? streams.join('\n') : [output, returnDisplay, llmContent].find(isText);
  return text === undefined ? {} : { output: text };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
