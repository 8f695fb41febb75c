/** Tries each promise on a throw-away session, the way the commands do it. */
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Layout } from '../../history/layout.ts';
import { ensureSession } from '../../history/registry/make.ts';
import { makeSessionsDirectory } from '../../history/registry/state-directory.ts';
import { NOT_TRIED, type Probe } from '../../sandbox/probe.ts';
import { SystemError } from '../../sys/errno.ts';
import {
  lookAt,
  makeTemporaryDirectory,
  readText,
  realPath,
  removeTree,
  writeNewText,
} from '../../sys/files/text-files.ts';
import { stateDirectory } from '../../sys/host/state-directory.ts';
import { signalProcess } from '../../sys/process/process.ts';
import { UserError } from '../../sys/user-error.ts';
import { stopDaemon, withDaemon, withLiveDaemon } from '../connection.ts';
import { runInView } from '../run/launch.ts';
import { probeCage } from './cage-probe.ts';

/** One promise: what to do, and after it what has to hold. */
interface Trial {
  readonly name: string;
  readonly detail: string;
  /** Whether it held. An error it throws is the reason why not. */
  readonly holds: (session: Layout) => Promise<boolean>;
}

const CHANGE = 'echo changed > kept && echo new > made && rm gone';
const IS_CHANGED = 'test "$(cat kept)" = changed && test "$(cat made)" = new && ! test -e gone';

const TRIALS: readonly Trial[] = [
  { name: 'view', detail: 'a command runs and changes files', holds: (session) => inView(session, CHANGE) },
  { name: 'real files', detail: 'are untouched meanwhile', holds: async (session) => isOriginal(session) },
  { name: 'next command', detail: 'sees what the one before wrote', holds: (session) => inView(session, IS_CHANGED) },
  {
    name: 'session',
    detail: 'cannot be reached from inside',
    holds: (session) => inView(session, '! test -e .yolofs'),
  },
  { name: 'killed daemon', detail: 'loses nothing', holds: survivesKill },
  { name: 'commit', detail: 'makes the changes real', holds: commits },
  { name: 'abort', detail: 'takes changes away', holds: aborts },
  { name: 'stop', detail: 'leaves nothing behind', holds: stops },
];

/** Makes a session in a temporary directory, tries all promises in order and removes it again. */
export function probePromises(): Promise<Probe[]> {
  return orWhyNot(() => onThrowAwaySession('yolofs-doctor-', tryAll));
}

/** A place or a session that cannot be made is what is found, too. */
async function orWhyNot(work: () => Promise<Probe[]>): Promise<Probe[]> {
  try {
    return await work();
  } catch (error) {
    return [brokenBy(error, TRIALS[0]?.name ?? ''), ...TRIALS.slice(1).map(({ name }) => broken(name, NOT_TRIED))];
  }
}

async function tryAll(session: Layout): Promise<Probe[]> {
  writeNewText(join(session.project, 'kept'), 'original\n');
  writeNewText(join(session.project, 'gone'), 'original\n');
  const probes: Probe[] = [];
  for (const trial of TRIALS) {
    const isPointless = probes.some(({ ok }) => !ok);
    probes.push(await attempt(trial, session, isPointless));
  }
  const isPossible = probes.every(({ ok }) => ok);
  return isPossible ? [...(await probeCage(session)), ...probes] : probes;
}

/** Makes a session in a temporary directory, works in it, and removes it again with all that runs in it. */
export async function onThrowAwaySession<T>(prefix: string, work: (session: Layout) => Promise<T>): Promise<T> {
  const project = realPath(makeSomewhere(prefix)) ?? '';
  const session = ensureSession(project);
  try {
    writeNewText(session.config, '');
    return await work(session);
  } finally {
    await stopDaemon(session);
    removeTree(session.entry);
    removeTree(project);
  }
}

/** /tmp may be read-only, as all the rest of what a container has. */
function makeSomewhere(prefix: string): string {
  try {
    return makeTemporaryDirectory(join(tmpdir(), prefix));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    makeSessionsDirectory();
    return makeTemporaryDirectory(join(dirname(stateDirectory()), prefix));
  }
}

async function attempt({ name, detail, holds }: Trial, session: Layout, isPointless: boolean): Promise<Probe> {
  if (isPointless) return broken(name, NOT_TRIED);
  try {
    return (await holds(session))
      ? { name, ok: true, required: true, found: detail, hint: undefined }
      : broken(name, `does not hold: ${detail}`);
  } catch (error) {
    return brokenBy(error, name);
  }
}

function brokenBy(error: unknown, name: string): Probe {
  if (error instanceof UserError) return broken(name, error.message, error.hint);
  if (error instanceof SystemError) return broken(name, error.message);
  throw error;
}

function broken(name: string, found: string, hint?: string): Probe {
  return { name, ok: false, required: true, found, hint };
}

/** Whether a shell's text succeeds in the view. */
export async function inView(session: Layout, script: string): Promise<boolean> {
  const program = ['/bin/sh', '-c', script];
  const { code } = await runInView(session, { program, text: script, snapshot: '', cwd: session.project });
  return code === 0;
}

function isOriginal({ project }: Layout): boolean {
  const [kept, gone, made] = contentsOf(project);
  return kept === 'original\n' && gone === 'original\n' && made === undefined;
}

function isChanged({ project }: Layout): boolean {
  const [kept, gone, made] = contentsOf(project);
  return kept === 'changed\n' && gone === undefined && made === 'new\n';
}

function contentsOf(project: string): (string | undefined)[] {
  return ['kept', 'gone', 'made'].map((name) => readText(join(project, name)));
}

async function survivesKill(session: Layout): Promise<boolean> {
  const pid = await withLiveDaemon(session, async (daemon) => daemon.hello.pid);
  if (pid === undefined || !signalProcess(pid, 'SIGKILL')) return false;
  return inView(session, IS_CHANGED);
}

async function commits(session: Layout): Promise<boolean> {
  await withDaemon(session, (daemon) => daemon.request({ op: 'commit', dryRun: false }));
  return isChanged(session);
}

async function aborts(session: Layout): Promise<boolean> {
  if (!(await inView(session, 'rm kept made'))) return false;
  await withDaemon(session, (daemon) => daemon.request({ op: 'abort' }));
  return isChanged(session) && inView(session, IS_CHANGED);
}

async function stops(session: Layout): Promise<boolean> {
  await stopDaemon(session);
  const mounts = readText('/proc/self/mountinfo') ?? '';
  return !mounts.includes(session.project) && lookAt(session.mount)?.isDirectory() !== false;
}
