/**
 * Whether an agent takes the configuration that is installed, by its own reading: the real client is started with a copy of the file
 * and a model on loopback, which has it run a command. That must be staged in the view and be nowhere else.
 */
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Installation } from '../../agents/install/check/inspect.ts';
import { serveModel } from '../../agents/install/check/model-api.ts';
import { REAL_CLIENTS, type RealClient } from '../../agents/install/check/real-client.ts';
import type { Layout } from '../../history/layout.ts';
import type { Probe } from '../../sandbox/probe.ts';
import {
  lookAt,
  makeDirectory,
  makeTemporaryDirectory,
  readText,
  realPath,
  removeName,
  removeTree,
  writeNewText,
} from '../../sys/files/text-files.ts';
import { type Ending, runAnswered } from '../../sys/process/run-fed.ts';
import { findProgram } from '../wrap/program-files.ts';
import { inView } from './live-probe.ts';

/** Milliseconds; an agent that is started for the first time makes itself at home. */
const PATIENCE = 60_000;
/** What agents hand on to their hooks, at the least. */
const HANDED_ON = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'SHELL', 'TMPDIR', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR'];

type Tried = Pick<Installation, 'agent' | 'level' | 'path'>;

/** A row for one installation; undefined where the client is not installed, or is none that can be started like this. */
export async function tryClient(tried: Tried, session: Layout): Promise<Probe | undefined> {
  const client = REAL_CLIENTS[tried.agent];
  const program = client && findProgram(client.program);
  if (client === undefined || program === undefined) return undefined;
  const name = `canary-client-${tried.agent}-${tried.level}`;
  const ending = await start(client, { ...tried, program, name }, session);
  const title = `${tried.agent} itself`;
  const hint = `yolofs install ${tried.agent} --${tried.level}`;
  const bad = (found: string, required: boolean): Probe => ({ name: title, ok: false, required, found, hint });
  if (lookAt(join(session.project, name)) !== undefined)
    return bad(`${tried.path}: ${client.program} ignores it: its command wrote a real file`, true);
  if (await inView(session, `test "$(cat ${name})" = staged`))
    return { name: title, ok: true, required: false, found: `${tried.path}: its command was staged`, hint: undefined };
  return bad(`not tried: ${client.program} ran no command (${endOf(ending)})`, false);
}

interface Job extends Tried {
  readonly program: string;
  /** The file that the command writes. */
  readonly name: string;
}

async function start(
  client: RealClient,
  { agent: _, program, name, path, level }: Job,
  session: Layout,
): Promise<Ending> {
  const { project } = session;
  const own = realPath(makeTemporaryDirectory(join(tmpdir(), 'yolofs-doctor-client-'))) ?? '';
  const copy = client.place(path, level, { own, project });
  const model = await serveModel(client.call(`echo staged > ${name}`));
  try {
    if (lookAt(dirname(copy)) === undefined) makeDirectory(dirname(copy), 0o700);
    writeNewText(copy, readText(path) ?? '', 0o600);
    const env = { ...handedOn(), ...client.env(model.url, own) };
    return await runAnswered([program, ...client.args(model.url)], { input: '', cwd: project, env, timeout: PATIENCE });
  } finally {
    model.close();
    removeName(copy);
    removeTree(own);
  }
}

/** What an agent's hook finds in its environment. */
export function handedOn(): Record<string, string> {
  return Object.fromEntries(
    HANDED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function endOf({ code, stdout, stderr }: Ending): string {
  const [line] = `${stderr}\n${stdout}`.split('\n').filter((text) => text.trim() !== '');
  return `exit ${code ?? 'by a signal'}${line === undefined ? '' : `: ${line.slice(0, 200)}`}`;
}
