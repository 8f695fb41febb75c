/**
 * Which session is meant: `--session DIR`, else `$YOLOFS_SESSION`, else the nearest directory upward from the
 * current one that holds `.yolofs/` or `.yolofs.toml`. Whether it is one, the registry says (history/registry).
 */
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { GUEST_COMMANDS } from '../daemon/sockets/served-commands.ts';
import { CONFIG_FILE, type Layout, SESSION_DIR } from '../history/layout.ts';
import { projectsApart } from '../history/registry/apart.ts';
import { directRecord, wasDirect } from '../history/registry/direct-record.ts';
import { moveEntry, type Registered } from '../history/registry/entries.ts';
import { isMade, layoutOfNone, lostFrom, sessionIn } from '../history/registry/find.ts';
import { madeSession } from '../history/registry/make.ts';
import { isInsideView } from '../sandbox/inside.ts';
import { lookAt, realPath } from '../sys/files/text-files.ts';
import { UserError } from '../sys/user-error.ts';
import { type Caller, SELF } from './caller.ts';

/**
 * The session that `command` was asked to work on, which may be one that nobody has made yet. Throws a UserError when there is none, when
 * it is not to be believed, or from inside the view.
 */
export function sessionOf(command: Command, caller: Caller = SELF): Layout {
  if (isInsideView()) {
    throw new UserError(
      'not possible inside the view',
      `inside, only ${GUEST_COMMANDS.join(', ')} and grep work; everything done here is staged already`,
    );
  }
  const asked = (command.optsWithGlobals() as { session?: string }).session ?? caller.env.YOLOFS_SESSION;
  const session = asked ? namedSession(asked, caller.cwd) : sessionHere(caller.cwd);
  const lost = isMade(session) ? undefined : lostFrom([session.project]);
  if (lost !== undefined) caller.err(`yolofs: ${forget(lost).message}\n`);
  return caller.admit(session);
}

/** As `sessionOf`; it is made where nobody has yet. */
export function madeSessionOf(command: Command, caller: Caller = SELF): Layout {
  return madeSession(sessionOf(command, caller));
}

function sessionHere(cwd: string): Layout {
  const found = nearest(cwd);
  if (found !== undefined) {
    if ('token' in found) throw forget(found);
    return found;
  }
  const distrusted = upward(cwd).find((project) => !isTrusted(project) && holdsSession(project));
  if (distrusted !== undefined) throw distrust(distrusted);
  refuseUnnamable(cwd);
  throw new UserError(
    `not a session: neither ${SESSION_DIR}/ nor ${CONFIG_FILE} in ${cwd} or above it`,
    "'yolofs init' prepares a directory for sessions",
  );
}

/** Throws a UserError for a directory that has no name as text: Node gives one that leads nowhere. */
export function refuseUnnamable(directory: string): void {
  if (!directory.includes('\ufffd') || lookAt(directory) !== undefined) return;
  throw new UserError(`not possible here: the path is not UTF-8: ${directory}`, 'a project needs a path that is');
}

/**
 * The session nearest to `directory`, upward; undefined when there is none. Throws a UserError for what is not to be believed, and for a
 * session that is lost with all that marked its place: who was guarded by it must not go on unawares.
 */
export function findSession(directory: string): Layout | undefined {
  const found = nearest(directory);
  if (found !== undefined && 'token' in found) throw loss(found);
  return found;
}

/** A session that was there, where there is none any more. */
function nearest(directory: string): Layout | Registered | undefined {
  const [all, apart] = [upward(directory), projectsApart()];
  const project = all.find((one) => isTrusted(one) && (apart.has(one) || holdsSession(one)));
  return project === undefined ? lostFrom(all) : layoutIn(project);
}

/** The real path of a directory and of all that it lies in. */
function upward(directory: string): string[] {
  const found: string[] = [];
  for (let at = realPath(directory); at !== undefined; at = at === '/' ? undefined : dirname(at)) found.push(at);
  return found;
}

/** It is told once, but of what can be there again. */
function forget(lost: Registered): UserError {
  if (lost.place === 'project') moveEntry(lost, '');
  return loss(lost);
}

function loss({ project, place, entry }: Registered): UserError {
  if (place !== 'project') {
    return new UserError(
      `the session of ${project} is not of what is there now`,
      `what was staged lies in ${entry}: if it was of a disk, have that mounted there; to give it up: rm -r ${entry}`,
    );
  }
  return new UserError(
    `the session in ${project} is gone: what was staged there is lost`,
    `if the directory was moved, it goes on where that is now; 'yolofs init' starts anew`,
  );
}

/** Not where commands in a view write for real. */
function isTrusted(project: string): boolean {
  return !project.includes(`/${SESSION_DIR}/`) && !wasDirect(project);
}

function distrust(project: string): UserError {
  return new UserError(
    `not to be trusted: ${project} lies where views write without staging, so its session could be an agent's`,
    `directories that were 'direct' are noted in ${directRecord()}`,
  );
}

/**
 * A session given by name: its project, or the `.yolofs` directory itself. Throws a UserError when there is none, or one that is not to be
 * believed.
 */
export function namedSession(asked: string, cwd = process.cwd()): Layout {
  const path = resolve(cwd, asked);
  const project = realPath(basename(path) === SESSION_DIR ? dirname(path) : path);
  if (project === undefined || !(holdsSession(project) || projectsApart().has(project))) {
    throw new UserError(`not a session: ${asked}`, "'yolofs init' prepares a directory for sessions");
  }
  if (!isTrusted(project)) throw distrust(project);
  return layoutIn(project);
}

/** What marks a directory; whether it is believed is another question. */
function holdsSession(directory: string): boolean {
  const { dir, config } = layoutOfNone(directory);
  return lookAt(dir) !== undefined || lookAt(config)?.isFile() === true;
}

function layoutIn(project: string): Layout {
  return sessionIn(project) ?? layoutOfNone(project);
}
