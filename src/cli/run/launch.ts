/** Runs a program in the view: asks the daemon in, starts the program, tells the daemon when it has ended. */
import type { Replies, RunSummary } from '../../daemon/protocol.ts';
import type { Layout } from '../../history/layout.ts';
import { viewEnvironment, wayIn } from '../../sandbox/enter.ts';
import { toBytes } from '../../sys/bytes.ts';
import { type Caller, SELF } from '../caller.ts';
import { repositoryVariables } from './repository.ts';

export interface Job {
  readonly program: readonly string[];
  /** The command as text, for the log. */
  readonly text: string;
  /** Name of the snapshot to take if anything changed ('' = unnamed); undefined: take none. */
  readonly snapshot: string | undefined;
  /** Where it starts; the caller's directory by default. */
  readonly cwd?: string;
  /** Whether its end is the end of all that it has started. */
  readonly endsAll?: boolean;
  /** Added to the caller's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of files in the host's /tmp that the person has named: the view's /tmp gets copies. */
  readonly shows?: readonly string[];
  /** Variables with secrets that the program needs, as secretVariables() takes them. */
  readonly passes?: readonly string[];
}

export interface Outcome {
  /** The program's exit code, 128 + n when signal n ended it. */
  readonly code: number;
  readonly summary: RunSummary;
  /** Where the host finds what is in the view's /tmp; undefined: that is staged, like everything else. */
  readonly tmp: string | undefined;
}

const LONGEST_TEXT = 1000;

/** Loaded for a person only. */
async function answerQuestions(session: Layout, run: number): Promise<() => void> {
  const { answerOnTerminal } = await import('../questions/terminal-questions.ts');
  return answerOnTerminal(session, run);
}

/** Loaded only where there are any. */
async function show(names: readonly string[], tmp: string): Promise<void> {
  const { copyFromHostTmp } = await import('../wrap/named-files.ts');
  copyFromHostTmp(names, tmp);
}

/** The shims stand before the programs that they fall back to. */
function withShims(env: NodeJS.ProcessEnv, { shims }: Replies['enter']): NodeJS.ProcessEnv {
  // Without one, what an empty end of it means (the directory that one is in) is not what was meant.
  if (shims === undefined || env.PATH === undefined) return env;
  return { ...env, PATH: [...shims.dirs, env.PATH].join(':'), YOLOFS_SOURCES: shims.places.join(':') };
}

/** Runs a job with the caller's stdin, stdout, stderr and directory, and waits for its end. */
export function runInView(session: Layout, job: Job, caller: Caller = SELF): Promise<Outcome> {
  return caller.withDaemon(session, async (daemon) => {
    const text = job.text.length > LONGEST_TEXT ? `${job.text.slice(0, LONGEST_TEXT)}…` : job.text;
    const view = await daemon.request({ op: 'enter', command: toBytes(text) });
    const own = withShims({ ...repositoryVariables(session.project), ...caller.env, ...job.env }, view);
    const needs = [...(job.passes ?? []), ...Object.keys(job.env ?? {})];
    const { env, withheld } = viewEnvironment(own, { cage: view.cage, project: session.project }, needs);
    const stopAnswering = caller.canAsk ? await answerQuestions(session, view.run) : undefined;
    if (job.shows !== undefined && view.tmp !== undefined) await show(job.shows, view.tmp);
    const running = await caller.start({
      program: job.program,
      ...wayIn(view, job.cwd ?? caller.cwd, job.endsAll),
      env,
      keepsDescriptors: view.cage.keepsDescriptors,
    });
    if (running.pid !== 0) await daemon.request({ op: 'started', pid: running.pid });
    running.go?.();
    const code = await running.exit;
    stopAnswering?.();
    const snapshot = job.snapshot && toBytes(job.snapshot);
    return {
      code,
      tmp: view.tmp,
      summary: await daemon.request({ op: 'leave', snapshot, withheld: withheld.map(toBytes) }),
    };
  });
}
