/** `yolofs source`: a search index, a vector store, a model as a directory of the view. */
import type { Command } from 'commander';
import { amount } from '../../agents/amount.ts';
import type { Client } from '../../daemon/client.ts';
import { parseConfig } from '../../rules/config/config.ts';
import { readSettings } from '../../rules/config/parse-table.ts';
import { type Checked, checkSource } from '../../sources/check.ts';
import { FIELDS, KINDS, loadSources, type SourceConfig } from '../../sources/config.ts';
import { addSource, removeSource } from '../../sources/edit-config.ts';
import type { SourceState } from '../../sources/keeper.ts';
import { DEFAULT_ROOM } from '../../sources/mirror/room.ts';
import { renderSize } from '../../sys/text/size.ts';
import { UserError } from '../../sys/user-error.ts';
import { withLiveDaemon } from '../connection.ts';
import { SESSION_HELP } from '../program.ts';
import { CHECKED, SOURCES } from '../schemas/inside.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { jsonItems, writePieces } from '../text/output.ts';
import { stateLine } from '../text/source-text.ts';
import { paintFor } from '../text/terminal.ts';
import { UsageError } from '../usage-error.ts';

/** Options of `add` that are settings of the same name. */
const SETTINGS = ['at', 'url', 'collection', 'index', 'model', 'dir', 'token', 'extension'] as const;

interface AddOptions extends Readonly<Partial<Record<(typeof SETTINGS)[number], string>>> {
  readonly as?: readonly string[];
  readonly open?: true;
  readonly field?: readonly string[];
  readonly fromProject?: string;
}

export function define(command: Command): void {
  const add = (name: string, summary: string): Command =>
    command.command(name).summary(summary).description(summary).option('--session <dir>', SESSION_HELP);
  add('add', 'write a source into your own configuration, and check it')
    .argument('[name]')
    .argument('[kind]', KINDS.join(', '))
    .option('--at <path>', 'the directory of the view (default: /sources/NAME)')
    .option('--url <url>', 'where the server is')
    .option('--collection <name>', 'of chroma')
    .option('--index <name>', 'of opensearch and elastic')
    .option('--model <name>', 'of llm')
    .option('--dir <path>', 'of memory: the tree to read from')
    .option('--as <group>', 'a group that the view reads as (can be repeated)', collect)
    .option('--open', 'what says nothing of groups is for everybody')
    .option('--token <ref>', 'where the secret is: env:NAME or file:/path')
    .option('--extension <ext>', 'what to put behind a name that has none')
    .option('--field <name=key>', `what the server calls ${FIELDS.join(', ')} (can be repeated)`, collect)
    .option('--from-project <name>', "take a source that the project's file proposes")
    .action(addOne);
  jsonOption(add('list', 'list the sources'), 'list as JSON', SOURCES).action(list);
  jsonOption(add('check', 'ask each source, or one, whether it answers'), 'as JSON', CHECKED)
    .argument('[name]')
    .action(check);
  add('refresh', 'have the view show what the sources, or one, have now').argument('[name]').action(refresh);
  add('remove', 'take a source out of your configuration').argument('<name>').action(remove);
}

async function addOne(
  name: string | undefined,
  kind: string | undefined,
  options: AddOptions,
  command: Command,
): Promise<void> {
  const wanted =
    options.fromProject === undefined ? described(name, kind, options) : proposed(options.fromProject, command);
  const source = addSource(wanted.name, wanted.table);
  process.stderr.write(`source '${source.name}' is at ${source.at}\n`);
  const checked = await checkSource(source, process.env);
  await sayWhenShown(command);
  if (checked.ok) process.stderr.write(`${lineOf(source, checked)}\n`);
  else {
    const hint = `it stays in the configuration; 'yolofs source remove ${source.name}' takes it out`;
    throw new UserError(`source '${source.name}' cannot be read: ${checked.why}`, hint);
  }
}

/** A daemon reads the configuration of sources once. */
async function sayWhenShown(command: Command): Promise<void> {
  const isLive = await withDaemonHere(command, async () => true);
  if (isLive) process.stderr.write("the view of this session takes that up after 'yolofs stop'\n");
}

function described(name: string | undefined, kind: string | undefined, options: AddOptions): Wanted {
  if (name === undefined || kind === undefined) throw new UsageError('a name and a kind are missing');
  const settings = SETTINGS.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]] as const]));
  const fields = Object.fromEntries((options.field ?? []).map(fieldOf));
  const table = {
    ...{ kind, ...Object.fromEntries(settings) },
    ...(options.as === undefined ? {} : { as: options.as }),
    ...(options.open ? { open: true } : {}),
    ...(options.field === undefined ? {} : { fields }),
  };
  return { name, table };
}

interface Wanted {
  readonly name: string;
  readonly table: Readonly<Record<string, unknown>>;
}

/** What a project's file proposes is the person's own once they have asked for it by name. */
function proposed(name: string, command: Command): Wanted {
  const { config } = sessionOf(command);
  const table = parseConfig(readSettings(config), config).sources[name];
  if (table === undefined) throw new UserError(`${config} proposes no source '${name}'`);
  // Into which networks it leads is for nobody to propose.
  const { pointers: _, ...rest } = table as Wanted['table'];
  return { name, table: rest };
}

function fieldOf(text: string): [string, string] {
  const [name = '', ...key] = text.split('=');
  if (key.length === 0) throw new UsageError(`'${text}' is not NAME=KEY`);
  return [name, key.join('=')];
}

async function list({ json }: { readonly json?: true }, command: Command): Promise<void> {
  const sources = loadSources();
  if (json) return writePieces(jsonItems(sources.map(publicPart)));
  const paint = paintFor(process.stdout);
  const states = await statesHere(command);
  await writePieces(
    sources.map(({ name, at, kind, url, dir, cache }) => {
      const held = states.find((state) => state.name === name)?.held;
      const taken = held === undefined ? '' : `, ${renderSize(held)} of ${cache ?? renderSize(DEFAULT_ROOM)} here`;
      return `${name}  ${at}  ${paint.dim(`${kind} ${url ?? dir ?? ''}${taken}`)}\n`;
    }),
  );
}

/** What is known of the sources of the session at hand; nothing where there is none, or no daemon of it. */
async function statesHere(command: Command): Promise<readonly SourceState[]> {
  const told = await withDaemonHere(command, (daemon) => daemon.request({ op: 'sources', refresh: [] }));
  return told?.sources ?? [];
}

/** Undefined where there is no session at hand, or no daemon of it. */
async function withDaemonHere<T>(command: Command, work: (daemon: Client) => Promise<T>): Promise<T | undefined> {
  try {
    return await withLiveDaemon(sessionOf(command), work);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

async function check(name: string | undefined, { json }: { readonly json?: true }): Promise<void> {
  const sources = loadSources().filter((source) => name === undefined || source.name === name);
  if (name !== undefined && sources.length === 0) throw new UserError(`there is no source '${name}'`);
  const found = await Promise.all(
    sources.map(async (source) => ({ source, checked: await checkSource(source, process.env) })),
  );
  if (found.some(({ checked }) => !checked.ok)) process.exitCode = 1;
  if (json) return writePieces(jsonItems(found.map(({ source, checked }) => ({ ...publicPart(source), ...checked }))));
  await writePieces(found.map(({ source, checked }) => `${lineOf(source, checked)}\n`));
}

async function refresh(name: string | undefined, _options: object, command: Command): Promise<void> {
  const names = name === undefined ? loadSources().map((source) => source.name) : [name];
  const session = sessionOf(command);
  const told = await withLiveDaemon(session, (daemon) => daemon.request({ op: 'sources', refresh: names }));
  if (told === undefined) throw new UserError('no daemon is running', 'the next run asks the sources by itself');
  const states = told.sources.filter((state) => names.includes(state.name));
  if (states.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
  await writePieces(states.map((state) => `${stateLine(state, paintFor(process.stdout))}\n`));
}

async function remove(name: string, _options: object, command: Command): Promise<void> {
  removeSource(name);
  process.stderr.write(`source '${name}' is no longer in your configuration\n`);
  await sayWhenShown(command);
}

function lineOf({ name, as, kind, open }: SourceConfig, checked: Checked): string {
  if (!checked.ok) return `${name}: ${checked.why}`;
  const groups = as.length === 0 ? 'the public' : as.join(', ');
  const able = [
    checked.writable ? 'takes commits' : 'read-only',
    ...(checked.searchable ? ['narrows searches down'] : []),
    // Of what says of nobody that he may see it nobody would expect that it is hidden.
    ...(checked.files === 0 && kind !== 'llm' && !open
      ? ["'--as GROUP' shows a group's, '--open' what names no group"]
      : []),
  ];
  return `${name}: ${amount(checked.files, 'file')} for ${groups}; ${able.join(', ')}`;
}

/** All of it: a table refers to secrets, it has none. */
function publicPart({ name, kind, at, url, dir, as, open }: SourceConfig): object {
  return { name, kind, at, url, dir, as, open };
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
