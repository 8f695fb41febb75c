/**
 * Which session is meant: `--session DIR`, else `$YOLOFS_SESSION`, else the nearest directory upward from the
 * current one that holds `.yolofs/` or `.yolofs.toml`. Where a view may have made these itself there is no session.
 */
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { CONFIG_FILE, type Layout, layoutOf, SESSION_DIR } from '../history/layout.ts';
import { directRecord, wasDirect } from '../rules/config/direct-record.ts';
import { GUEST_SOCKET, VIEW_VARIABLE } from '../sandbox/enter.ts';
import { lookAt, realPath } from '../sys/files/text-files.ts';
import { UserError } from '../sys/user-error.ts';
import { type Caller, SELF } from './caller.ts';

/** The session that `command` was asked to work on. Throws a UserError when there is none, or from inside the view. */
export function sessionOf(command: Command, caller: Caller = SELF): Layout {
  if (isInsideView()) {
    throw new UserError(
      'not possible inside the view',
      'inside, only status, diff, log, audit, snapshot and travel work; everything done here is staged already',
    );
  }
  const asked = (command.optsWithGlobals() as { session?: string }).session ?? caller.env.YOLOFS_SESSION;
  if (asked) return caller.admit(namedSession(asked, caller.cwd));
  const found = findSession(caller.cwd);
  if (found === undefined) {
    const distrusted = nearest(caller.cwd);
    if (distrusted !== undefined) throw distrust(distrusted);
    refuseUnnamable(caller.cwd);
    throw new UserError(
      `not a session: neither ${SESSION_DIR}/ nor ${CONFIG_FILE} in ${caller.cwd} or above it`,
      "'yolofs init' prepares a directory for sessions",
    );
  }
  return caller.admit(found);
}

/** Throws a UserError for a directory that has no name as text: Node gives one that leads nowhere. */
export function refuseUnnamable(directory: string): void {
  if (!directory.includes('\ufffd') || lookAt(directory) !== undefined) return;
  throw new UserError(`not possible here: the path is not UTF-8: ${directory}`, 'a project needs a path that is');
}

/** The session nearest to `directory`, upward; undefined when there is none. */
export function findSession(directory: string): Layout | undefined {
  const project = nearest(directory, isTrusted);
  return project === undefined ? undefined : layoutOf(project);
}

function nearest(directory: string, counts = (_project: string): boolean => true): string | undefined {
  for (let at = realPath(directory); at !== undefined; at = at === '/' ? undefined : dirname(at)) {
    if (holdsSession(at) && counts(at)) return at;
  }
  return undefined;
}

/** Not where commands in a view write for real: in a direct path, and in what a session keeps for agents (`.yolofs/own`). */
function isTrusted(project: string): boolean {
  return !project.includes(`/${SESSION_DIR}/`) && !wasDirect(project);
}

function distrust(project: string): UserError {
  return new UserError(
    `not to be trusted: ${project} lies where views write without staging, so its session could be an agent's`,
    `directories that were 'direct' are noted in ${directRecord()}`,
  );
}

/** Whether this process runs in a view. The variable alone would not do: Codex starts MCP servers without it. */
export function isInsideView(): boolean {
  return process.env[VIEW_VARIABLE] === '1' || lookAt(GUEST_SOCKET)?.isSocket() === true;
}

/** A session given by name: its project, or the `.yolofs` directory itself. Throws a UserError when there is none. */
export function namedSession(asked: string, cwd = process.cwd()): Layout {
  const path = resolve(cwd, asked);
  const project = realPath(basename(path) === SESSION_DIR ? dirname(path) : path);
  if (project === undefined || !holdsSession(project)) {
    throw new UserError(`not a session: ${asked}`, "'yolofs init' prepares a directory for sessions");
  }
  if (!isTrusted(project)) throw distrust(project);
  return layoutOf(project);
}

function holdsSession(directory: string): boolean {
  const { dir, config } = layoutOf(directory);
  return lookAt(dir)?.isDirectory() === true || lookAt(config)?.isFile() === true;
}
