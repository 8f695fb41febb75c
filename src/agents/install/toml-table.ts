/**
 * One table of ours in a TOML file, added at its end and taken out again; all else, comments too, stays as it is. What
 * results is parsed and compared with what it should say: a text that is written too cleverly for this is refused.
 */
import { parse, TomlError } from 'smol-toml';
import { ConfigError } from '../../sys/user-error.ts';
import { type Edited, untouched, withInsertions } from './insertion.ts';
import type { JsonFile } from './json-merge.ts';
import { isObject, isSame, type JsonObject } from './json-tree.ts';

/** `[parent.name]` with these values; parent and name are bare keys. */
export interface TomlTable {
  readonly parent: string;
  readonly name: string;
  readonly values: Readonly<Record<string, string | readonly string[]>>;
}

const HEADER = /^\s*\[\[?\s*([^\]]*?)\s*\]/;

/** Whether the file has the table with these values, and perhaps more. Throws a UserError for what is no TOML. */
export function hasTable(source: JsonFile, { parent, name, values }: TomlTable): boolean {
  const table = tableIn(parseToml(source), parent, name);
  return table !== undefined && Object.entries(values).every(([key, value]) => isSame(table[key], value));
}

/** Whether the file has a table of that name at all. */
export function hasAnyTable(source: JsonFile, { parent, name }: TomlTable): boolean {
  return tableIn(parseToml(source), parent, name) !== undefined;
}

/** The text with the table, which must not be there yet. */
export function withTable(source: JsonFile, table: TomlTable): Edited {
  const { text } = source;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' ? '' : text.endsWith('\n') ? newline : newline + newline;
  const edited = withInsertions(untouched(text), [
    { at: text.length, text: gap + renderTable(table).replaceAll('\n', newline) },
  ]);
  const before = parseToml(source);
  const parent = before[table.parent] ?? {};
  const expected = isObject(parent) && { ...before, [table.parent]: { ...parent, [table.name]: table.values } };
  if (!isSame(parsed(edited.text), expected)) throw cannotChange(source, table);
  return edited;
}

/** The text without the table and the tables below it. */
export function withoutTable(source: JsonFile, table: TomlTable): string {
  const newline = '\n';
  const lines = source.text.split(newline);
  const kept = lines.filter((_, index) => !ownLines(lines, table).has(index)).join(newline);
  const rest = kept.trim() === '' ? '' : kept;
  const { [table.parent]: parent, ...others } = parseToml(source);
  if (!isObject(parent)) throw cannotChange(source, table);
  const { [table.name]: _gone, ...siblings } = parent;
  const expected = Object.keys(siblings).length === 0 ? others : { ...others, [table.parent]: siblings };
  if (!isSame(withoutEmpty(parsed(rest), table.parent), expected)) throw cannotChange(source, table);
  return rest;
}

/** As the table is written. */
export function renderTable({ parent, name, values }: TomlTable): string {
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${renderValue(value)}\n`);
  return `[${parent}.${name}]\n${lines.join('')}`;
}

// A string of JSON is one of TOML.
function renderValue(value: string | readonly string[]): string {
  return typeof value === 'string' ? JSON.stringify(value) : `[${value.map((one) => JSON.stringify(one)).join(', ')}]`;
}

/** From each header of ours to its last value; the blank line in front goes, what follows up to the next header stays. */
function ownLines(lines: readonly string[], { parent, name }: TomlTable): ReadonlySet<number> {
  const own = new Set<number>();
  let isOwn = false;
  let last = 0;
  for (const [index, line] of lines.entries()) {
    const header = HEADER.exec(line)?.[1];
    const keys = header?.match(/"[^"]*"|'[^']*'|[^.\s]+/g)?.map((key) => key.replace(/^["']|["']$/g, ''));
    if (keys !== undefined) {
      isOwn = keys[0] === parent && keys[1] === name;
      last = isOwn && lines[index - 1]?.trim() === '' ? index - 1 : index;
    }
    if (!isOwn || line.trim() === '' || line.trim().startsWith('#')) continue;
    for (let at = last; at <= index; at++) own.add(at);
    last = index + 1;
  }
  return own;
}

/** An empty `[parent]` that somebody wrote may stay. */
function withoutEmpty(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const below = value?.[key];
  if (value === undefined || !isObject(below) || Object.keys(below).length > 0) return value;
  const { [key]: _empty, ...rest } = value;
  return rest;
}

function tableIn(value: JsonObject, parent: string, name: string): JsonObject | undefined {
  const tables = value[parent];
  const table = isObject(tables) ? tables[name] : undefined;
  return isObject(table) ? table : undefined;
}

function parseToml({ text, file }: JsonFile): JsonObject {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const why = error.message.split('\n', 1)[0]?.replace(/^Invalid TOML document: /, '');
    throw new ConfigError(
      `${file}:${error.line}:${error.column}: this is not TOML: ${why}`,
      'nothing was changed; mend the file first',
    );
  }
}

function parsed(text: string): JsonObject | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}

function cannotChange({ file }: JsonFile, { parent, name }: TomlTable): ConfigError {
  return new ConfigError(
    `${file}: ${parent}.${name} is written in a way that cannot be changed here`,
    'nothing was changed; use an editor',
  );
}
