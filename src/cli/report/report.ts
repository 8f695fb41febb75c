/**
 * `doctor --report FILE`: what whoever mends a defect wants to know, and nothing that is nobody else's business. No contents, no values of
 * the environment, no command lines; the home directory is `~`, and names are hashes unless the person says otherwise.
 */
import { arch, cpus, release, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DebugAsk, DebugReply } from '../../daemon/debug/messages.ts';
import type { Layout } from '../../history/layout.ts';
import { Journal } from '../../history/log/journal.ts';
import { loadConfig } from '../../rules/config/config.ts';
import type { Probe } from '../../sandbox/probe.ts';
import { loadSources } from '../../sources/config.ts';
import { label } from '../../sys/bytes.ts';
import { SystemError } from '../../sys/errno.ts';
import { diskUsage } from '../../sys/files/disk-usage.ts';
import { lookAt, readText } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import { withLiveDaemon } from '../connection.ts';
import { ownVersion } from '../program.ts';
import { logFrames } from './log-frames.ts';
import { maskHome, maskNames } from './mask.ts';

export interface ReportOptions {
  readonly session: Layout | undefined;
  readonly probes: readonly Probe[];
  /** The person wants names to be told. */
  readonly withNames: boolean;
}

/** Of which it is told whether they are set. */
const VARIABLES = [
  ...['YOLOFS_SESSION', 'YOLOFS_TRACE', 'YOLOFS_TRACE_FILE', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME'],
  ...['NO_COLOR', 'TMPDIR', 'PERL5OPT', 'NODE_OPTIONS', 'LD_PRELOAD', 'SSH_CONNECTION', 'CI', 'container'],
];
/** A daemon that hangs must not hang the report about it. */
const PATIENCE_MS = 5000;
const MOST_LINES = 400;

/** The report, as text. */
export async function makeReport({ session, probes, withNames }: ReportOptions): Promise<string> {
  const mask = withNames ? maskHome() : maskNames();
  const report = {
    made: new Date().toISOString(),
    names: withNames ? 'as they are' : 'hashed',
    host: hostFacts(),
    checks: probes.map((probe) => checkOf(probe, withNames)),
    session: session === undefined ? null : await sessionFacts(session, withNames),
  };
  return `${JSON.stringify(report, (_key, value) => (typeof value === 'string' ? mask(value) : value), 2)}\n`;
}

function hostFacts(): object {
  const system = /^PRETTY_NAME="?([^"\n]*)/m.exec(readText('/etc/os-release') ?? '')?.[1];
  return {
    yolofs: ownVersion(),
    node: process.version,
    kernel: release(),
    system,
    arch: arch(),
    processors: cpus().length,
    memory: totalmem(),
    isRoot: process.getuid?.() === 0,
    variablesSet: VARIABLES.filter((name) => process.env[name] !== undefined),
  };
}

/** What is found of sessions, sources and agents names them. */
function checkOf({ name, ok, required, found }: Probe, withNames: boolean): object {
  const isOfHost = !/^(session|source|agent|hook)/.test(name);
  return { name, ok, required, ...(withNames || isOfHost ? { found } : {}) };
}

async function sessionFacts(session: Layout, withNames: boolean): Promise<object> {
  const log = readText(session.log) ?? '';
  return {
    project: session.project,
    disk: { content: diskUsage(session.files), journal: diskUsage(session.journal), tree: diskUsage(session.tree) },
    records: orWhy(() => recordsByTag(session)),
    settings: orWhy(() => settingsOf(session)),
    daemon: await daemonFacts(session),
    log: withNames ? log.split('\n').slice(-MOST_LINES) : logFrames(log, MOST_LINES),
  };
}

/** How many records of each kind the journal has. */
function recordsByTag({ journal: path }: Layout): object {
  if (lookAt(path) === undefined) return {};
  const journal = Journal.open(path, { readOnly: true });
  try {
    const counts: Record<string, number> = {};
    for (const { record } of journal.scan()) counts[record.body.tag] = (counts[record.body.tag] ?? 0) + 1;
    return counts;
  } finally {
    journal.close();
  }
}

/** Numbers and switches as they are, of lists their length, of rules how many say what; no text. */
function settingsOf(session: Layout): object {
  const { session: settings, cage, daemon, ask, rules } = loadConfig(session);
  const states: Record<string, number> = {};
  for (const { decider } of rules) {
    const key = `${decider.layer} ${decider.state}`;
    states[key] = (states[key] ?? 0) + 1;
  }
  const kinds = loadSources().map(({ kind }) => kind);
  return { session: shapeOf(settings), cage: shapeOf(cage), daemon, ask, rules: states, sources: kinds };
}

function shapeOf(settings: object): object {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => {
      if (typeof value === 'number' || typeof value === 'boolean') return [key, value];
      return [key, Array.isArray(value) ? value.length : typeof value];
    }),
  );
}

async function daemonFacts(session: Layout): Promise<object | string> {
  const ask = (what: DebugAsk): Promise<DebugReply | string | undefined> =>
    Promise.race([
      withLiveDaemon(session, (daemon) => daemon.request({ op: 'debug', ...what })).catch(codeOf),
      sleep(PATIENCE_MS, 'does not answer', { ref: false }),
    ]);
  const pending = await ask({ what: 'pending' });
  if (pending === undefined) return 'none runs';
  const stats = await ask({ what: 'stats' });
  // Paths are bytes; as text they can be masked.
  const waiting = typeof pending === 'string' ? [] : (pending.pending?.waiting ?? []);
  const shown = waiting.map(({ path, ...one }) => ({ ...one, path: path === undefined ? null : label(path) }));
  return { pending: typeof pending === 'string' ? pending : { ...pending.pending, waiting: shown }, stats };
}

function orWhy(find: () => object): object | string {
  try {
    return find();
  } catch (error) {
    return codeOf(error);
  }
}

/** Why something cannot be told; in the message there may be names. */
function codeOf(error: unknown): string {
  if (error instanceof UserError) return error.code;
  if (error instanceof SystemError) return 'system';
  throw error;
}
