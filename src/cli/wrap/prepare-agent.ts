/** Makes a session ready for an agent: what the agent keeps is remembered in `agents` of its entry, which the daemon goes by. */
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Places, Profile, Surroundings } from '../../agents/profiles/profile.ts';
import type { Layout } from '../../history/layout.ts';
import { type AgentPlaces, agentsText, loadEachAgent } from '../../rules/config/agents.ts';
import { installationOf } from '../../rules/config/installation.ts';
import { SystemError } from '../../sys/errno.ts';
import { oddEntries } from '../../sys/files/odd-entries.ts';
import { lookAt, makeDirectory, readText, realPath, replaceText } from '../../sys/files/text-files.ts';
import { homeDirectory } from '../../sys/host/home.ts';
import { UserError } from '../../sys/user-error.ts';
import { stopDaemon, withLiveDaemon } from '../connection.ts';
import { ownProgram } from '../own-program.ts';
import type { Job } from '../run/launch.ts';
import { findProgram, programFiles } from './program-files.ts';

/** What is known of a program without a profile. */
const NOTHING: Places = { direct: [], own: [], staged: [], files: [] };
/** Below the home directory: where each program has a directory. */
const OF_PROGRAMS = ['.config', '.local/share', '.local/state'];
/** Programs of these names would have those of all. */
const OF_ALL = ['config', 'local', 'cache'];
// Runs in the view, with no more rights than the agent: nothing outside follows a name that was made in there.
const WITH_FILES = `dir=$1
shift
(umask 077 && mkdir "$dir") || exit 1
while [ "$1" != -- ]; do
  case $1 in /*) at=$1 ;; *) at=$dir/$1 ;; esac
  (umask 077 && mkdir -p "\${at%/*}") && printf %s "$2" >"$at" || exit 1
  shift 2
done
shift
exec "$@"`;

/** Where the agent is about to run. */
export function surroundings(): Surroundings {
  return {
    home: realPath(homeDirectory()) ?? homeDirectory(),
    env: process.env,
    cwd: realPath(process.cwd()) ?? process.cwd(),
  };
}

/**
 * Remembers what the agent keeps, and makes the directories. Without a profile it keeps what is called after it, and `agent` is how it was
 * called. Throws a UserError when that takes a new view and something still runs in the present one.
 */
export async function prepare(session: Layout, agent: Profile | string, program: string): Promise<void> {
  const at = surroundings();
  const [name, places] = typeof agent === 'string' ? [agent, NOTHING] : [agent.agent, agent.places(at)];
  const { direct: wanted, own, staged, asked = [] } = places;
  for (const dir of [...wanted, ...own]) makeTree(dir);
  const known = loadEachAgent(session);
  const before = known[name];
  const direct = wanted.filter((dir) => before?.direct.includes(dir) || isPlain(dir));
  const now = together(before, {
    ...{ direct, own },
    staged: staged.filter((path) => !path.endsWith('.*')),
    globs: staged.filter((path) => path.endsWith('.*')),
    asked,
    readable: [program, findProgram('node') ?? program]
      .flatMap(programFiles)
      .flatMap((path) => installationOf(path, at.home)),
    named: typeof agent === 'string' ? calledAfter(agent, at.home) : [],
  });
  const isNothing = Object.values(now).every((paths: readonly string[]) => paths.length === 0);
  if (!isNothing && !isDeepStrictEqual(before, now)) {
    replaceText(session.agents, agentsText({ ...known, [name]: now }));
  }
  if (!isNothing) await renewView(session);
}

/** Where programs keep what is theirs: in a directory of their name, by the XDG base directories or beside them. */
function calledAfter(program: string, home: string): string[] {
  const name = basename(program);
  if (!/^[a-z0-9][\w-]*$/i.test(name) || OF_ALL.includes(name)) return [];
  return [`.${name}`, ...OF_PROGRAMS.map((directory) => join(directory, name))].map((path) => join(home, path));
}

/** What is passed through is swept of links later: a directory that holds a person's own is not. */
function isPlain(dir: string): boolean {
  const [first] = oddEntries(dir);
  if (first !== undefined) process.stderr.write(`yolofs: ${dir} is staged: ${dir}${first} is not a file\n`);
  return first === undefined;
}

/** It has been in other places as well: what lies there stays its own. */
function together(before: AgentPlaces | undefined, now: AgentPlaces): AgentPlaces {
  const all = (key: keyof AgentPlaces): string[] => [...new Set([...(before?.[key] ?? []), ...now[key]])];
  return {
    // What was passed through once may be kept apart by now.
    direct: all('direct').filter((path) => !now.own.includes(path)),
    own: all('own'),
    staged: all('staged'),
    globs: all('globs'),
    asked: all('asked'),
    readable: all('readable'),
    named: all('named'),
  };
}

/** Has the view that runs take what it can; where that takes a new one, ends the daemon, if nobody works with it. */
async function renewView(session: Layout): Promise<void> {
  try {
    await withLiveDaemon(session, (daemon) => daemon.request({ op: 'adopt' }));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    await endIdleDaemon(session, error.message);
  }
}

async function endIdleDaemon(session: Layout, why: string): Promise<void> {
  try {
    await stopDaemon(session, { ifIdle: true });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.message, `the agent needs a new view (${why}): end what runs, or 'yolofs stop'`, {
      code: error.code,
    });
  }
}

function makeTree(dir: string): void {
  if (lookAt(dir) !== undefined) return;
  makeTree(dirname(dir));
  makeDirectory(dir, 0o700);
}

/** How the agent is started in the view. */
export function jobOf(profile: Profile, program: string, args: readonly string[]): Omit<Job, 'snapshot'> {
  const hook = [...ownProgram(), 'hook', profile.agent];
  const dir = `/tmp/yolofs-wrap-${randomBytes(6).toString('hex')}`;
  const launch = profile.launch({ args, hook, dir, home: surroundings().home, env: process.env, read: readArgument });
  if (launch.notice !== undefined) process.stderr.write(`yolofs: ${launch.notice}\n`);
  const files = Object.entries(launch.files ?? {}).flat();
  const words = [program, ...launch.args];
  return {
    program: files.length === 0 ? words : ['/bin/sh', '-c', WITH_FILES, 'sh', dir, ...files, '--', ...words],
    text: ['wrap', profile.agent, ...args].join(' '),
    env: launch.env,
    passes: profile.variables,
  };
}

/** A file that the person's arguments name. */
function readArgument(path: string): string | undefined {
  try {
    return readText(path);
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}
