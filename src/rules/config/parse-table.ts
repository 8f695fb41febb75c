/** One TOML file of ours, checked as a whole. Errors name file, line, column and key. */
import { isUtf8 } from 'node:buffer';
import { parse, TomlError } from 'smol-toml';
import * as v from 'valibot';
import { lookAt, readBytes, readForeign } from '../../sys/files/text-files.ts';
import { ConfigError } from '../../sys/user-error.ts';
import { placeOf } from './toml-place.ts';

/** What has tables below its top level, or is one. */
type Schema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/**
 * The text of a file of settings; a missing one is empty. A project's is no symbolic link: where that leads is not for a clone to say.
 * Throws a UserError that names the line of what is no UTF-8: read otherwise, a rule would be for another name than its bytes say.
 */
export function readSettings(file: string): string {
  if (lookAt(file)?.isSymbolicLink())
    throw new ConfigError(`${file} is a symbolic link`, 'settings have to be in a file');
  return textOf(file, readForeign(file));
}

/** The same, for a file in the person's own directory, which may be a link. */
export function readOwnSettings(file: string): string {
  return textOf(file, readBytes(file));
}

function textOf(file: string, bytes: Buffer | undefined): string {
  if (bytes === undefined) return '';
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const lines = bytes.toString('latin1').split('\n');
  const bad = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
  throw new ConfigError(`${file}:${bad + 1}: is not UTF-8`);
}

/** Throws a UserError that names the place. */
export function parseTable<S extends Schema>(schema: S, text: string, file: string): v.InferOutput<S> {
  const result = v.safeParse(schema, parseToml(text, file));
  if (!result.success) throw explain(result.issues[0], { schema, text, file });
  return result.output;
}

/** Parses a table of a file, of which `value` is what its TOML says there. Throws a UserError that names the place. */
export function parsePart<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  from: { readonly text: string; readonly file: string; readonly under: readonly string[] },
): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const keys = [...from.under, ...(issue.path ?? []).map((item) => item.key as string | number)];
  const setting = keys.filter((key) => typeof key === 'string').join('.');
  const what = issue.expected === 'never' ? `there is no setting '${setting}'` : `${setting}: ${issue.message}`;
  throw new ConfigError(`${placeIn(from.text, from.file, keys)}: ${what}`);
}

/** `FILE:LINE:COLUMN` of a key. */
export function placeIn(text: string, file: string, keys: readonly (string | number)[]): string {
  const { line, column } = placeOf(text, keys);
  return `${file}:${line}:${column}`;
}

function parseToml(text: string, file: string): unknown {
  try {
    return parse(text, { unsafeKeyBehaviour: 'throw' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The message goes on with a picture of the line.
    const [what = 'cannot be read'] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new ConfigError(`${file}:${error.line}:${error.column}: ${what}`);
  }
}

function explain(issue: v.BaseIssue<unknown>, from: { schema: Schema; text: string; file: string }): ConfigError {
  const keys = (issue.path ?? []).map((item) => item.key as string | number);
  const name = keys.filter((key) => typeof key === 'string').join('.');
  const unknown = issue.expected === 'never';
  const what = unknown ? `there is no setting '${name}'` : `${name}: ${issue.message}`;
  const hint = unknown ? knownSettings(from.schema, keys) : undefined;
  return new ConfigError(`${placeIn(from.text, from.file, keys)}: ${what}`, hint);
}

function knownSettings(schema: Schema, keys: readonly (string | number)[]): string {
  const known = Object.entries(schema.entries).map(([name, entry]) => ({ name, settings: settingsOf(entry) }));
  const own = keys.length > 1 ? known.find(({ name }) => name === keys[0])?.settings : undefined;
  if (own !== undefined) return `[${String(keys[0])}] knows ${own.join(', ')}`;
  return `known tables are ${known.map(({ name }) => `[${name}]`).join(', ')}`;
}

function settingsOf(entry: unknown): readonly string[] | undefined {
  const { wrapped } = entry as { wrapped?: { entries?: object } };
  return wrapped?.entries === undefined ? undefined : Object.keys(wrapped.entries);
}
