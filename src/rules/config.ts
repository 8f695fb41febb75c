/**
 * `.yolofs.toml`: parsed and checked as a whole, never guessed at. A key that is not known is an error, since it
 * would be a setting that somebody relies on and that does nothing. Errors name file, line, column and key.
 */
import { homedir } from 'node:os';
import { normalize } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import * as v from 'valibot';
import type { Layout } from '../history/layout.ts';
import { parseSize } from '../sys/size.ts';
import { readText } from '../sys/text-files.ts';
import { UserError } from '../sys/user-error.ts';
import { placeOf } from './toml-place.ts';

export interface Config {
  readonly session: {
    /** Absolute host paths, normalised, that the view passes straight through. */
    readonly direct: readonly string[];
    /** Whether `run` takes a snapshot after a command that changed something. */
    readonly autoSnapshot: boolean;
    /** What fsync(2) in the view is worth: `full` survives a power cut, `process` the death of any process. */
    readonly durability: 'full' | 'process';
    /** Bytes that contents may occupy in the store; undefined: no limit but the disk's. */
    readonly quota: number | undefined;
  };
  readonly daemon: {
    /** After so many minutes without a run and without a process in the view the daemon ends; 0 = never. */
    readonly idleMinutes: number;
  };
}

/** What `init` writes. */
export const CONFIG_TEMPLATE = `# yolofs: how sessions in this directory behave. Every setting is optional; the values shown are the defaults.

[session]
# Paths that are passed straight through to the real files: changes there are immediate and never staged.
# direct = []                # for example ["~/.cache/example", "/run/user/1000/bus"]

# Take a snapshot after every command that changed something.
# auto_snapshot = true

# What fsync(2) in the view is worth: "full" survives a power cut, "process" the death of any process.
# durability = "full"

# What the contents of changed files may occupy, of all generations together: a command that writes more gets
# "no space left on device". 'yolofs gc' makes room.
# quota = "none"             # for example "2 GiB"

[daemon]
# Minutes without a command after which the daemon ends by itself; nothing is lost then. 0 = never.
# idle_minutes = 30
`;

const path = v.pipe(
  v.string('has to be a list of paths'),
  v.check(
    (text) => /^(\/|~$|~\/)/.test(text),
    ({ input }) => `'${input}' is neither absolute nor below ~/`,
  ),
);

const size = v.pipe(
  v.string('has to be a size such as "2 GiB"'),
  v.check(
    (text) => text === 'none' || (parseSize(text) ?? 0) > 0,
    ({ input }) => `'${input}' is neither a size such as "2 GiB" nor "none"`,
  ),
);

const schema = v.strictObject({
  session: v.optional(
    v.strictObject({
      direct: v.optional(v.array(path, 'has to be a list of paths'), []),
      auto_snapshot: v.optional(v.boolean('has to be true or false'), true),
      durability: v.optional(v.picklist(['full', 'process'], "has to be 'full' or 'process'"), 'full'),
      quota: v.optional(size, 'none'),
    }),
    {},
  ),
  daemon: v.optional(
    v.strictObject({
      idle_minutes: v.optional(
        v.pipe(v.number('has to be a number of minutes'), v.minValue(0, 'has to be 0 or more'), v.maxValue(30_000)),
        30,
      ),
    }),
    {},
  ),
});

/** The configuration of a session; a missing file is an empty one. Throws a UserError that names the place. */
export function loadConfig(layout: Layout): Config {
  return parseConfig(readText(layout.config) ?? '', layout.config);
}

/** Parses `text`, the content of `file`. Throws a UserError that names the place. */
export function parseConfig(text: string, file: string): Config {
  const result = v.safeParse(schema, parseToml(text, file));
  if (!result.success) throw explain(result.issues[0], text, file);
  const { session, daemon } = result.output;
  return {
    session: {
      direct: session.direct.map(expand),
      autoSnapshot: session.auto_snapshot,
      durability: session.durability,
      quota: parseSize(session.quota),
    },
    daemon: { idleMinutes: daemon.idle_minutes },
  };
}

function parseToml(text: string, file: string): unknown {
  try {
    return parse(text, { unsafeKeyBehaviour: 'throw' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The message goes on with a picture of the line.
    const [what = 'cannot be read'] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new UserError(`${file}:${error.line}:${error.column}: ${what}`);
  }
}

function explain(issue: v.BaseIssue<unknown>, text: string, file: string): UserError {
  const keys = (issue.path ?? []).map((item) => item.key as string | number);
  const name = keys.filter((key) => typeof key === 'string').join('.');
  const { line, column } = placeOf(text, keys);
  const unknown = issue.expected === 'never';
  const what = unknown ? `there is no setting '${name}'` : `${name}: ${issue.message}`;
  return new UserError(`${file}:${line}:${column}: ${what}`, unknown ? knownSettings(keys) : undefined);
}

function knownSettings(keys: readonly (string | number)[]): string {
  const tables = Object.entries(schema.entries).map(([table, entry]) => ({
    table,
    settings: Object.keys(entry.wrapped.entries),
  }));
  const own = keys.length > 1 ? tables.find(({ table }) => table === keys[0]) : undefined;
  if (own !== undefined) return `[${own.table}] knows ${own.settings.join(', ')}`;
  return `known tables are ${tables.map(({ table }) => `[${table}]`).join(', ')}`;
}

function expand(text: string): string {
  const absolute = text.startsWith('~') ? `${homedir()}${text.slice(1)}` : text;
  const normal = normalize(absolute);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}
