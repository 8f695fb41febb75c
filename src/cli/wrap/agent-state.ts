/**
 * Files in which agents keep what must not be lost with the rest (tokens that were rotated): applied by themselves, before
 * a person decides about everything else. What could make the agent act differently outside is left staged.
 */
import { isUtf8 } from 'node:buffer';
import { profileOf } from '../../agents/profiles/index.ts';
import type { StateFile } from '../../agents/profiles/profile.ts';
import { Facts } from '../../history/diff/facts.ts';
import type { PathChange, Side } from '../../history/diff/path-change.ts';
import { loadSide } from '../../history/diff/text/load.ts';
import type { Layout } from '../../history/layout.ts';
import { loadEachAgent } from '../../rules/config/agents.ts';
import { type BytePath, isWithin, label, toBytePath } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import { withDaemon } from '../connection.ts';
import { changesIn, type Reading, readSession } from '../look/read-session.ts';
import { mark } from './mark.ts';
import { surroundings } from './prepare-agent.ts';
import { noteStateCommit } from './state-commits.ts';

interface Verdict {
  readonly path: BytePath;
  readonly objection: string | undefined;
}

/** As `applyStateFiles`, and says what it left. */
export async function updateStateFiles(session: Layout): Promise<void> {
  for (const line of await applyStateFiles(session)) process.stderr.write(`yolofs: ${line}\n`);
}

/** Applies what is harmless, of all agents of the session; returns, in a sentence each, what was left staged and why. */
async function applyStateFiles(session: Layout): Promise<string[]> {
  const at = surroundings();
  const profiles = Object.keys(loadEachAgent(session)).flatMap((name) => profileOf(name) ?? []);
  const files = profiles.flatMap((profile) => profile.places(at).files);
  if (files.length === 0) return [];
  let reviewed = await mark(session);
  const verdicts = await judge(session, files);
  const told = verdicts.flatMap(({ path, objection }) =>
    objection === undefined ? [] : [leftStaged(path, objection)],
  );
  const paths = verdicts.flatMap(({ path, objection }) => (objection === undefined ? [path] : []));
  if (paths.length === 0 || typeof (await apply(session, paths, reviewed)) === 'number') return told;
  // What stands against one of them must not hold up the others.
  for (const path of paths) {
    const done = await apply(session, [path], reviewed);
    // The commit was made of what was reviewed, so its own generation is, too.
    if (typeof done === 'number') reviewed = done;
    else told.push(leftStaged(path, done));
  }
  return told;
}

function leftStaged(path: BytePath, why: string): string {
  const file = label(path);
  return `${file}, which the agent keeps for itself, stays staged, as a person should look at it (${why}): 'yolofs commit ${file}' applies it`;
}

/** In one commit. The generation after it, or why nothing was applied. */
async function apply(session: Layout, paths: readonly BytePath[], reviewed: number): Promise<string | number> {
  const ask = { op: 'commit', paths, reviewed } as const;
  try {
    return await withDaemon(session, async (daemon) => {
      // A directory that was renamed above it, another name of it: nobody has agreed to these.
      const { along } = await daemon.request({ ...ask, dryRun: true });
      if (along.length > 0) return `${along.map(label).join(', ')} would come along`;
      const { generation, number } = await daemon.request({ ...ask, dryRun: false });
      if (number !== undefined) noteStateCommit(session, number);
      return generation;
    });
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

function judge(session: Layout, files: readonly StateFile[]): Promise<Verdict[]> {
  return readSession(session, async (reading) => {
    if (reading === undefined) return [];
    const verdicts = [...changesIn(reading, undefined)()].flatMap((change): (Verdict & { isMade: boolean })[] => {
      const file = files.find((one) => isAbout(one, change.path));
      if (file === undefined) return [];
      const isMade = file.isBelow === true && change.type === 'directory' && change.oldSide === undefined;
      return [{ path: change.path, isMade, objection: isMade ? undefined : objectionTo(change, file, reading) }];
    });
    // A directory is made for what is in it.
    const taken = verdicts.filter(({ isMade, objection }) => !isMade && objection === undefined);
    return verdicts.filter(({ path, isMade }) => !isMade || taken.some((one) => isWithin(one.path, path)));
  });
}

function isAbout(file: StateFile, path: BytePath): boolean {
  const at = toBytePath(file.path);
  return path === at || (file.isBelow === true && isWithin(path, at));
}

function objectionTo(change: PathChange, file: StateFile, { base, store }: Reading): string | undefined {
  const { oldSide, newSide, type, from } = change;
  if (newSide === undefined) return 'it was removed';
  if (type !== 'file' || from !== undefined) return 'it is no longer a file of its own';
  if (((newSide.mode ?? 0) & ~(oldSide?.mode ?? 0o644) & 0o7777) !== 0) return 'its mode was changed';
  const facts = new Facts(base, store);
  const after = textOf(newSide, facts);
  const before = oldSide && textOf(oldSide, facts);
  if (after === undefined || (oldSide !== undefined && before === undefined)) return 'it cannot be read as text';
  return file.objection(before, after);
}

function textOf(side: Side, facts: Facts): string | undefined {
  const content = loadSide(side, facts);
  return content.kind === 'text' && isUtf8(content.bytes) ? content.text : undefined;
}
