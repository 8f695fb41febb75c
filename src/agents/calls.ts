/**
 * `calls/` of a session's entry in the registry: what became of each shell call that a hook has sent through `yolofs run`. The hook before the call says
 * that it asked for it, the run says that it began and what it came to, and the hook after the call takes that away and
 * tells it. A call that has no more to show than the first of these has run outside of the view.
 *
 * The files are out of the view's reach, private to the user, and few: what nobody has taken is dropped in time.
 */
import { basename, join } from 'node:path';
import { parseJson } from '../daemon/parse-json.ts';
import { layoutOfNone, sessionIn } from '../history/registry/find.ts';
import { ensureSession } from '../history/registry/make.ts';
import { sha256Hex } from '../sys/crypto-lazy.ts';
import {
  lookAt,
  makeDirectory,
  namesIn,
  readText,
  removeTree,
  replaceText,
  writeNewText,
} from '../sys/files/text-files.ts';

export type CallState =
  /** A hook has sent it through a run; no run has heard of it. `digest`: the run will not be told the id, see `claimCall`. */
  | { readonly state: 'asked'; readonly digest?: string }
  | { readonly state: 'started' }
  /** `text` is for the model; empty when nothing changed. `generation`: of the snapshot after it, if one was taken. */
  | { readonly state: 'ended'; readonly text: string; readonly generation?: number };

const MOST_FILES = 200;
const LONGEST_TEXT = 4096;
const END = '.json';
/** At the end of the name of an empty file beside a call's: a run has found that it is its own. */
const CLAIMED = '.claimed';
/** The same: it was told that it still runs. */
const LEFT = '.left';
/** The directory that the command ended in. */
const DIRECTORY = '.cwd';
const MOST_LEFT = 3;
const PATIENCE_MS = 3000;
const STEP_MS = 20;
/** From the end of a run to the hook after it. */
const LONGEST_WAY_MS = 30_000;
const OLDEST_MS = 24 * 3600 * 1000;

/** Notes how far a call has come. The first call of a session comes before its daemon. Throws what `ensureSession` throws. */
export function noteCall(project: string, call: string, state: CallState): void {
  const { calls } = ensureSession(project);
  makeDirectory(calls, 0o700);
  if (state.state === 'asked') dropOld(calls);
  const text = state.state === 'ended' ? { ...state, text: state.text.slice(0, LONGEST_TEXT) } : state;
  replaceText(fileOf(calls, call), JSON.stringify(text), 0o600);
}

/** The file in which the run of a call leaves the directory that its command ended in. */
export function directoryFile(project: string, call: string): string {
  return `${fileOf(directoryOf(project), call)}${DIRECTORY}`;
}

/**
 * How far a call has come; undefined when nothing is known of it. What has ended, or never began, is then forgotten; what
 * still runs is told by `takeLeft` once it has ended. `patient`: the run may be just about to begin, as it is for a command
 * that was sent to the background; waits for a few seconds then.
 */
export function takeCall(project: string, call: string, patient: boolean): CallState | undefined {
  const directory = directoryOf(project);
  const file = fileOf(directory, call);
  let state = readState(file);
  for (let waited = 0; patient && state?.state === 'asked' && waited < PATIENCE_MS; waited += STEP_MS) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP_MS);
    state = readState(file);
  }
  if (state?.state === 'started') writeNewText(`${file}${LEFT}`, '', 0o600);
  else forget(file);
  return state;
}

function forget(file: string): void {
  for (const end of ['', LEFT, CLAIMED, DIRECTORY]) removeTree(`${file}${end}`);
}

/** What a command is known by to a run that is not told which call it is. */
export function digestOf(command: string): string {
  return sha256Hex(command);
}

/** What a run is noted as that no hook has asked for: the hook before the call broke, and the one after it knows the command. */
export function unaskedCall(digest: string): string {
  return `u-${digest}`;
}

/** The call that was asked for with this command; the latest, as one that was denied is never run. Each is given once. */
export function claimCall(project: string, digest: string): string | undefined {
  const directory = directoryOf(project);
  const asked = namesIn(directory)
    .filter((name) => name.endsWith(END))
    .map((name) => ({ file: join(directory, name), time: lookAt(join(directory, name))?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time);
  for (const { file } of asked) {
    const state = readState(file);
    if (state?.state !== 'asked' || state.digest !== digest) continue;
    if (writeNewText(`${file}${CLAIMED}`, '', 0o600)) return basename(file, END);
  }
  return undefined;
}

/**
 * What calls have come to, a few at a time, of which it was said before that they still run; and those whose hook never came, as
 * when the agent was interrupted.
 */
export function takeLeft(project: string): string[] {
  const directory = directoryOf(project);
  const names = new Set(namesIn(directory));
  const told: string[] = [];
  for (const name of names) {
    if (told.length === MOST_LEFT) break;
    const file = join(directory, name);
    const isLeft = names.has(`${name}${LEFT}`);
    if (!name.endsWith(END) || !(isLeft || isForgotten(file))) continue;
    const state = readState(file);
    if (state?.state !== 'ended') continue;
    forget(file);
    const which = isLeft ? 'a command that went on in the background' : 'an earlier command';
    if (state.text !== '') told.push(`of ${which}, ${state.text}`);
  }
  return told;
}

function isForgotten(file: string): boolean {
  const time = lookAt(file)?.mtimeMs;
  return time !== undefined && Date.now() - time > LONGEST_WAY_MS;
}

function readState(file: string): CallState | undefined {
  const text = readText(file);
  return text === undefined ? undefined : (parseJson(text) as CallState | undefined);
}

function directoryOf(project: string): string {
  return (sessionIn(project) ?? layoutOfNone(project)).calls;
}

/** Ids are the agent's: what is no plain name becomes one. */
function fileOf(directory: string, call: string): string {
  const name = /^[\w-]{1,100}$/.test(call) ? call : digestOf(call);
  return join(directory, `${name}${END}`);
}

function dropOld(directory: string): void {
  const names = namesIn(directory);
  if (names.length < MOST_FILES) return;
  const times = names.map((name) => ({ name, time: lookAt(join(directory, name))?.mtimeMs ?? 0 }));
  const oldest = Date.now() - OLDEST_MS;
  times.sort((a, b) => b.time - a.time);
  const old = times.filter(({ time }, at) => at >= MOST_FILES / 2 || time < oldest);
  for (const { name } of old) removeTree(join(directory, name));
}
