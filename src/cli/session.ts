/**
 * Which session is meant: `--session DIR`, else `$YOLOFS_SESSION`, else the nearest directory upward from the
 * current one that holds `.yolofs/` or `.yolofs.toml`.
 */
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { CONFIG_FILE, type Layout, layoutOf, SESSION_DIR } from '../history/layout.ts';
import { GUEST_SOCKET, VIEW_VARIABLE } from '../sandbox/enter.ts';
import { lookAt, realPath } from '../sys/text-files.ts';
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
    throw new UserError(
      `not a session: neither ${SESSION_DIR}/ nor ${CONFIG_FILE} in ${caller.cwd} or above it`,
      "'yolofs init' prepares a directory for sessions",
    );
  }
  return caller.admit(found);
}

/** The session nearest to `directory`, upward; undefined when there is none. */
export function findSession(directory: string): Layout | undefined {
  for (let at = realPath(directory); at !== undefined; at = at === '/' ? undefined : dirname(at)) {
    if (holdsSession(at)) return layoutOf(at);
  }
  return undefined;
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
  return layoutOf(project);
}

function holdsSession(directory: string): boolean {
  const { dir, config } = layoutOf(directory);
  return lookAt(dir)?.isDirectory() === true || lookAt(config)?.isFile() === true;
}
