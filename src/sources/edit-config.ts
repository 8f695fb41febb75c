/** Puts the table of a source into the person's file, and takes it out again; all else, comments too, stays as it is. */
import { dirname } from 'node:path';
import { parse, stringify } from 'smol-toml';
import { userConfigFile } from '../rules/config/load-rules.ts';
import { readOwnSettings } from '../rules/config/parse-table.ts';
import { makePrivateDirectories } from '../sys/files/plain-directory.ts';
import { replaceText } from '../sys/files/text-files.ts';
import { UserError } from '../sys/user-error.ts';
import { loadSources, parseSources, type SourceConfig } from './config.ts';

/** A table as TOML has it. */
type Table = Readonly<Record<string, unknown>>;

/** Writes a table of the person's own. Throws a UserError for one that makes no sense, or whose name is taken; nothing is written then. */
export function addSource(name: string, table: Table): SourceConfig {
  const file = userConfigFile();
  if (loadSources().some((source) => source.name === name)) {
    throw new UserError(`there is a source '${name}' already`, `'yolofs source remove ${name}' takes it out`);
  }
  const before = readOwnSettings(file);
  const text = `${before}${gap(before)}${stringify({ sources: { [name]: table } })}\n`;
  const added = parseSources(parse(text).sources, { text, file }).find((source) => source.name === name);
  if (added === undefined) throw new UserError(`'${name}' is no name for a source`);
  makePrivateDirectories(dirname(file));
  replaceText(file, text, 0o600);
  return added;
}

/** Takes the table out. Throws a UserError when there is none, or none that can be told apart. */
export function removeSource(name: string): void {
  const file = userConfigFile();
  if (!loadSources().some((source) => source.name === name)) throw new UserError(`there is no source '${name}'`);
  const after = withoutTable(readOwnSettings(file).split('\n'), name).join('\n');
  const left = (parse(after) as { sources?: Table }).sources ?? {};
  if (name in left) throw new UserError(`${file}: [sources.${name}] is written in a way that cannot be changed here`);
  replaceText(file, after, 0o600);
}

function gap(text: string): string {
  if (text === '') return '';
  return text.endsWith('\n') ? '\n' : '\n\n';
}

/** From its header to the next one, its parts included. */
function withoutTable(lines: readonly string[], name: string): readonly string[] {
  const key = `(?:${escaped(name)}|"${escaped(name)}"|'${escaped(name)}')`;
  const own = new RegExp(`^\\s*\\[\\s*sources\\s*\\.\\s*${key}\\s*(?:\\.[^\\]]*)?\\]`);
  let isInside = false;
  return lines.filter((line) => {
    if (/^\s*\[/.test(line)) isInside = own.test(line);
    return !isInside;
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
