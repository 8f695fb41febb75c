/**
 * `[sources.NAME]` of the person's own file. A source is reached over the network with the person's credentials, so one
 * that stands in a project's file, which a repository brings along, is a proposal and nothing more.
 */
import { normalize } from 'node:path';
import * as v from 'valibot';
import { loadUserFile } from '../rules/config/load-rules.ts';
import { parsePart } from '../rules/config/parse-table.ts';
import { readText } from '../sys/files/text-files.ts';
import { parseSize } from '../sys/text/size.ts';
import { ConfigError, UserError } from '../sys/user-error.ts';

export const KINDS = ['opensearch', 'elastic', 'chroma', 'llm', 'memory'] as const;

export type Kind = (typeof KINDS)[number];

/** Of `fields`: what an adapter needs to know of a record, and what the server calls it. */
export const FIELDS = [
  ...(['path', 'order', 'content', 'acl', 'public', 'mtime'] as const),
  // What some collections have besides: bytes, where the content lies instead, bytes that are no text, where a chunk begins, how many there are.
  ...(['size', 'pointer', 'binary', 'start', 'chunks'] as const),
] as const;

/** What each kind cannot do without. */
const NEEDED: Readonly<Record<Kind, readonly ('url' | 'index' | 'collection' | 'model' | 'dir')[]>> = {
  opensearch: ['url', 'index'],
  elastic: ['url', 'index'],
  chroma: ['url', 'collection'],
  llm: ['url', 'model'],
  memory: ['dir'],
};

const word = v.string('has to be text');

const absolute = v.pipe(
  word,
  v.check((text) => /^\/[^/]/.test(text), 'has to be an absolute path'),
  v.transform((text) => normalize(text).replace(/\/$/, '')),
);

/** No message repeats it: somebody may have written the secret itself. */
const reference = v.pipe(
  word,
  v.regex(/^(env:[A-Za-z_][A-Za-z0-9_]*|file:\/.+)$/, 'has to be env:NAME or file:/path, never the secret itself'),
);

const address = v.pipe(
  word,
  v.check(isAddress, 'has to be an http or https address without a user and password in it: those belong in token'),
);

const table = v.strictObject({
  kind: v.picklist(KINDS, `has to be one of ${KINDS.join(', ')}`),
  at: v.optional(absolute),
  url: v.optional(address),
  collection: v.optional(word),
  index: v.optional(word),
  model: v.optional(word),
  dir: v.optional(absolute),
  as: v.optional(v.array(word, 'has to be a list of groups'), []),
  open: v.optional(v.boolean('has to be true or false'), false),
  token: v.optional(reference),
  extension: v.optional(v.pipe(word, v.regex(/^[^/]*$/, 'has to be the end of a name'))),
  /** What contents that were read may take of the disk. */
  cache: v.optional(
    v.pipe(
      word,
      v.check((text) => (parseSize(text) ?? 0) > 0, "has to be a size such as '500 MiB'"),
    ),
  ),
  /** Where contents that lie elsewhere may lie, besides at public addresses. */
  pointers: v.optional(
    v.array(
      v.pipe(word, v.check(isOriginOrSource, 'has to be an origin such as http://127.0.0.1:9000, or source:NAME')),
      'has to be a list',
    ),
  ),
  fields: v.optional(v.strictObject(Object.fromEntries(FIELDS.map((field) => [field, v.optional(word)]))), {}),
});

const name = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'is no name for a source: letters, digits, ".", "_" and "-"'),
);

const tables = v.record(name, table);

type Table = v.InferOutput<typeof table>;

/** One source, as the person has described it. */
export interface SourceConfig extends Omit<Table, 'at' | 'fields'> {
  readonly name: string;
  /** The directory of the view. */
  readonly at: string;
  readonly fields: Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;
}

/** The person's sources, by their names. Throws a UserError that names the place. */
export function loadSources(): readonly SourceConfig[] {
  const { tables: user, text, file } = loadUserFile();
  return parseSources(user.sources, { text, file });
}

/** What a `[sources]` table of a file says. Throws a UserError that names the place. */
export function parseSources(value: unknown, from: { text: string; file: string }): readonly SourceConfig[] {
  const parsed = parsePart(tables, value, { ...from, under: ['sources'] });
  const sources = Object.entries(parsed).map(([name, table]) => sourceOf(name, table));
  for (const source of sources) check(source, sources, from.file);
  return sources.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sourceOf(name: string, { at, fields, ...table }: Table): SourceConfig {
  return { ...table, name, at: at ?? `/sources/${name}`, fields: fields as SourceConfig['fields'] };
}

function check(source: SourceConfig, all: readonly SourceConfig[], file: string): void {
  const missing = NEEDED[source.kind].find((key) => source[key] === undefined);
  const where = `${file}: sources.${source.name}`;
  if (missing !== undefined) throw new ConfigError(`${where}: a source of kind '${source.kind}' needs '${missing}'`);
  const other = all.find((one) => one !== source && `${source.at}/`.startsWith(`${one.at}/`));
  if (other !== undefined) throw new ConfigError(`${where}: ${source.at} belongs to '${other.name}' already`);
}

/**
 * The secret that a table refers to; undefined where it names none. To be called outside of the view only; the result must
 * reach no message. Throws a UserError that names the reference.
 */
export function readToken({ name, token }: SourceConfig, env: NodeJS.ProcessEnv): string | undefined {
  if (token === undefined) return undefined;
  const [, kind, place = ''] = /^(env|file):(.*)$/.exec(token) ?? [];
  const secret = (kind === 'env' ? env[place] : readText(place))?.trim();
  if (secret) return secret;
  throw new UserError(`source '${name}': there is nothing in ${token}`, `its 'token' says where the secret is`);
}

/** Variables of the environment that the person's sources have their secrets in. */
export function tokenVariables(): readonly string[] {
  return loadSources().flatMap(({ token }) => (token?.startsWith('env:') ? [token.slice('env:'.length)] : []));
}

function isOriginOrSource(text: string): boolean {
  if (/^source:[^/]+$/.test(text)) return true;
  return isAddress(text) && new URL(text).origin === text;
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
