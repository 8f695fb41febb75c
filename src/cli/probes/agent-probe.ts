/**
 * What `doctor` says of hooks that are installed: what the files show, what is known of the agent's version, and whether the
 * hook works. For that it is started as the agent would start it, with an event of the agent's, and what it answers is
 * run: the command's file must then be in the view and nowhere else.
 */
import { join } from 'node:path';
import { canaryEvent, canaryFrame, rewrittenIn } from '../../agents/install/check/canary.ts';
import { type Installation, inspect, inspectAll } from '../../agents/install/check/inspect.ts';
import { knownBad, versionIn } from '../../agents/install/check/versions.ts';
import type { Level } from '../../agents/install/description.ts';
import type { Layout } from '../../history/layout.ts';
import type { Probe } from '../../sandbox/probe.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import { type Ending, runFed } from '../../sys/process/run-fed.ts';
import { placesOf } from '../install/configuration.ts';
import { lastingProgram } from '../own-program.ts';
import { handedOn, tryClient } from './client-probe.ts';
import { inView, onThrowAwaySession } from './live-probe.ts';

/** What agents are called, where it is not their name. */
const PROGRAMS: Readonly<Record<string, string>> = { cursor: 'cursor-agent' };
/** Milliseconds; the first command of a session starts its daemon. */
const PATIENCE = 30_000;

/** A row for each hook that is installed for the person or in `project`, and one for all that is wrong with it; else none. */
export async function probeAgents(project: string, canTry: boolean): Promise<Probe[]> {
  const installed = inspectAll((level) => placesOf(level, project), lastingProgram());
  if (installed.length === 0) return [];
  const agents = [...new Set(installed.map(({ agent }) => agent))];
  const rows = [...installed.flatMap(faultsOf), ...agents.flatMap(badVersions)];
  if (!canTry) return rows;
  const tried = await onThrowAwaySession('yolofs-doctor-hook-', async (session) => {
    const results: Probe[] = [];
    // Of a file that the agent cannot take nothing works, whatever we read in it.
    for (const one of installed.filter(({ faults }) => !faults.some(({ isFatal }) => isFatal))) {
      if (one.handlers.length > 0) results.push(await tryHook(one, session));
      if (one.prefix !== undefined) results.push(await tryPrefix({ ...one, prefix: one.prefix }, session));
      const client = await tryClient(one, session);
      if (client !== undefined) results.push(client);
    }
    return results;
  });
  return [...rows, ...tried];
}

/** What the real client makes of what has just been installed; undefined where there is none that can be started. */
export async function probeClient(agent: string, level: Level): Promise<Probe | undefined> {
  const installed = inspect(agent, placesOf(level), lastingProgram());
  if (installed === undefined) return undefined;
  return onThrowAwaySession('yolofs-install-', (session) => tryClient(installed, session));
}

function faultsOf({ agent, faults }: Installation): Probe[] {
  return faults.map(({ what, isFatal, hint }) => ({ ...row(agent), ok: false, required: isFatal, found: what, hint }));
}

function badVersions(agent: string): Probe[] {
  const version = versionOf(agent);
  const hint = `another version of ${agent}, or 'yolofs wrap ${agent}', which needs no rewriting`;
  if (version === undefined) return [];
  return knownBad(agent, version).map((why) => ({ ...row(agent), ok: false, found: `${version}: ${why}`, hint }));
}

async function tryHook({ agent, level, path, handlers }: Installation, session: Layout): Promise<Probe> {
  const name = `canary-${agent}-${level}`;
  const failed = failure(row(agent), path, `yolofs install ${agent} --${level}`);
  const answer = start(handlers[0] ?? {}, canaryEvent(agent, `echo staged > ${name}`, session.project), session);
  if (answer.code !== 0) return failed(`the hook ended with ${answer.code ?? 'a signal'}: ${firstLine(answer.stderr)}`);
  const command = rewrittenIn(agent, answer.stdout);
  if (command === undefined) return failed('the hook left a command as it was');
  const run = runFed(['/bin/bash', '-c', command], surroundings(session));
  const fault = await faultOf(run, name, session);
  if (fault !== undefined) return failed(fault);
  return { ...row(agent), ok: true, found: `${path}: a command through it was staged`, hint: undefined };
}

/** The same for the program that Claude Code starts its shell with. */
async function tryPrefix(one: Installation & { readonly prefix: string }, session: Layout): Promise<Probe> {
  const [name, title] = [`canary-prefix-${one.level}`, { name: `${one.agent} shell prefix`, required: false }];
  const failed = failure(title, one.path, `yolofs install ${one.agent} --${one.level}`);
  const run = runFed([one.prefix, canaryFrame(`echo staged > ${name}`)], surroundings(session));
  const fault = await faultOf(run, name, session);
  if (fault !== undefined) return failed(fault);
  return { ...title, ok: true, found: `${one.path}: a command through it was staged`, hint: undefined };
}

type Title = Pick<Probe, 'name' | 'required'>;

function failure(title: Title, path: string, hint: string): (found: string) => Probe {
  return (found) => ({ ...title, ok: false, required: true, found: `${path}: ${found}`, hint });
}

/** Why a command that writes the file `name` was not staged. */
async function faultOf(run: Ending, name: string, session: Layout): Promise<string | undefined> {
  if (run.code !== 0) return `a command through it ended with ${run.code ?? 'a signal'}: ${firstLine(run.stderr)}`;
  if (lookAt(join(session.project, name)) !== undefined) return 'a command through it wrote a real file';
  const isStaged = await inView(session, `test "$(cat ${name})" = staged`);
  return isStaged ? undefined : 'a command through it wrote nothing';
}

/** As agents do: a program with arguments without a shell, a text with one. */
function start(handler: Readonly<Record<string, unknown>>, input: string, session: Layout): Ending {
  const { args } = handler;
  const command = String(handler.exec ?? handler.command ?? handler.bash);
  const argv = Array.isArray(args) ? [command, ...args.map(String)] : ['/bin/bash', '-c', command];
  return runFed(argv, { ...surroundings(session), input });
}

function surroundings({ project }: Layout): {
  input: string;
  cwd: string;
  env: Record<string, string>;
  timeout: number;
} {
  return { input: '', cwd: project, env: handedOn(), timeout: PATIENCE };
}

function versionOf(agent: string): string | undefined {
  const options = { input: '', cwd: '/', env: handedOn(), timeout: 10_000 };
  return versionIn(runFed([PROGRAMS[agent] ?? agent, '--version'], options).stdout);
}

function row(agent: string): Title {
  return { name: `${agent} hook`, required: false };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
