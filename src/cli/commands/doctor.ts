/**
 * `yolofs doctor`: what this host offers, each promise tried on a throw-away session, what a crash has left of this session,
 * if there is one, and whether the hooks work that are installed in agents; `--repair` mends what the crash has left without
 * a daemon.
 */
import type { Command } from 'commander';
import { amount } from '../../agents/amount.ts';
import type { Layout } from '../../history/layout.ts';
import { isInsideView } from '../../sandbox/inside.ts';
import { type Probe, probeHost } from '../../sandbox/probe.ts';
import { checkSource } from '../../sources/check.ts';
import { loadSources } from '../../sources/config.ts';
import { toBytePath } from '../../sys/bytes.ts';
import { lookAt, writeNewText } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import { withLiveDaemon } from '../connection.ts';
import { projectOf } from '../install/configuration.ts';
import { notEmpty } from '../look/path-words.ts';
import { probeAgents } from '../probes/agent-probe.ts';
import { probePromises } from '../probes/live-probe.ts';
import { PROBES } from '../schemas/inside.ts';
import { jsonOption } from '../schemas/schema.ts';
import { findSession, sessionOf } from '../session.ts';
import { withEnds, writePieces } from '../text/output.ts';
import { type Paint, paintFor } from '../text/terminal.ts';

export function define(command: Command): void {
  jsonOption(command, 'list as JSON', PROBES)
    .option('--repair', 'finish or roll back what a crash has cut short in this session')
    .option('--report <file>', 'write all of it, and the state of this session, into a new file, for a bug report')
    .option('--with-names', 'in the report, names of files as they are (default: hashes)')
    .action(doctor);
}

interface Options {
  readonly json?: true;
  readonly repair?: true;
  readonly report?: string;
  readonly withNames?: true;
}

async function doctor(options: Options, command: Command): Promise<void> {
  if (isInsideView()) throw new UserError('not possible inside the view', 'run it in a shell outside');
  if (options.repair) return repair(sessionOf(command));
  const { report } = options;
  if (report !== undefined && lookAt(notEmpty(report)) !== undefined) throw isThere(report);
  const probes = await probeAll();
  const paint = paintFor(process.stdout);
  await writePieces(options.json ? [`${JSON.stringify(probes)}\n`] : probes.map((probe) => renderProbe(probe, paint)));
  if (report !== undefined) await writeReport(report, probes, options.withNames === true);
  const missing = probes.filter(({ ok, required }) => required && !ok).length;
  if (missing > 0) throw new UserError(`${missing} of ${probes.length} checks failed on this host`);
}

async function probeAll(): Promise<Probe[]> {
  const host = probeHost();
  // Nothing of ours is kept anywhere then.
  if (host.some(({ name, ok }) => name === 'home directory' && !ok)) return host;
  const tried = [...host, ...(await probePromises())];
  const canRun = tried.every(({ ok, required }) => ok || !required);
  const found = sessionOrFault();
  const [session, faults] = found !== undefined && 'name' in found ? [undefined, [found]] : [found, []];
  const rows = [...faults, ...(session === undefined ? [] : await probeSession(session))];
  return [...tried, ...rows, ...(await probeSources()), ...(await probeAgents(projectOf(session), canRun))];
}

/** It may be what somebody has written before, or anything else. */
function isThere(file: string): UserError {
  return new UserError(`${file} is there already: nothing was written`, 'name a file that is not');
}

async function writeReport(file: string, probes: readonly Probe[], withNames: boolean): Promise<void> {
  const { makeReport } = await import('../report/report.ts');
  const session = sessionOrFault();
  const text = await makeReport({ session: session && 'name' in session ? undefined : session, probes, withNames });
  if (!writeNewText(file, text, 0o600)) throw isThere(file);
  process.stderr.write(`wrote ${file}: read it before you send it\n`);
}

async function repair(session: Layout): Promise<void> {
  const { repairAlone } = await import('../../daemon/store/repair.ts');
  const done = await repairAlone(session);
  if (done === undefined) {
    throw new UserError(
      "this session's daemon is running: it mended what there was when it started",
      "'yolofs stop' ends it",
    );
  }
  await writePieces(withEnds(done.length === 0 ? ['nothing to repair'] : done));
}

/** Of the session at hand; what a crash has left of it while no daemon is at work in it. */
async function probeSession(session: Layout): Promise<Probe[]> {
  return [...(await probeLinks(session)), ...(await probeStore(session))];
}

/** Whether rules hold from the start for what links in the project lead to. */
async function probeLinks(session: Layout): Promise<Probe[]> {
  const [{ loadConfig }, { closedBelow, MOST_NAMES }] = await Promise.all([
    import('../../rules/config/config.ts'),
    import('../../rules/follow.ts'),
  ]);
  try {
    if (closedBelow(loadConfig(session).rules, toBytePath(session.project)).isAll) return [];
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
  const found = `only the ${MOST_NAMES} names nearest to the top of ${session.project} are looked at for links that rules deny or hide`;
  const hint =
    'what a link further down leads to is closed from when the link is first looked up: a rule for its own path closes it at once';
  return [{ name: 'links', ok: false, required: false, found, hint }];
}

async function probeStore(session: Layout): Promise<Probe[]> {
  if ((await withLiveDaemon(session, async () => true)) === true) return [];
  const { findDamage } = await import('../../daemon/store/repair.ts');
  const damage = findDamage(session);
  const hint = "'yolofs doctor --repair' mends it, and so does the next 'yolofs run'";
  return damage.map((found) => ({ name: 'session', ok: false, required: false, found, hint }));
}

/** Whether each of the person's sources answers. */
async function probeSources(): Promise<Probe[]> {
  return Promise.all(
    loadSources().map(async (source): Promise<Probe> => {
      const checked = await checkSource(source, process.env);
      const found = checked.ok
        ? `${source.name}: ${amount(checked.files, 'file')} at ${source.at}`
        : `${source.name}: ${checked.why}`;
      return { name: 'source', ok: checked.ok, required: false, found, hint: undefined };
    }),
  );
}

function renderProbe({ name, ok, required, found, hint }: Probe, paint: Paint): string {
  const [word, colour] = ok
    ? (['ok', paint.green] as const)
    : required
      ? (['missing', paint.red] as const)
      : (['note', paint.yellow] as const);
  const how = hint === undefined ? '' : `${' '.repeat(10)}${paint.dim(`→ ${hint}`)}\n`;
  return `${colour(word.padEnd(8))}  ${name.padEnd(19)}  ${found}\n${how}`;
}

/** The session at hand, or what is the matter with what looks like one. */
function sessionOrFault(): Layout | Probe | undefined {
  try {
    return findSession(process.cwd());
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { name: 'session', ok: false, required: false, found: error.message, hint: error.hint };
  }
}
