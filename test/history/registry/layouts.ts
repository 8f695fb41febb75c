/** Where the sessions of tests keep what: those that no registry knows, and those that the command line works on. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Layout, layoutAt } from '../../../src/history/layout.ts';
import { ensureSession } from '../../../src/history/registry/make.ts';
import type { Account } from '../../support/accounts.ts';

/** A session below `project` that is used without the command line; all of it lies in one directory. */
export function layoutOf(project: string): Layout {
  return layoutAt({ project, store: join(project, '.yolofs'), entry: join(project, '.yolofs') });
}

/** Makes and registers a session for whoever has this home, as `account`. */
export function register({ project, home, account }: { project: string; home: string; account: Account }): void {
  const own = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0] as const;
  const { HOME = '', XDG_STATE_HOME } = process.env;
  Object.assign(process.env, { HOME: home, XDG_STATE_HOME: '' });
  if (own[0] !== account.uid) become(account.uid, account.gid);
  try {
    ensureSession(project);
  } finally {
    if (own[0] !== account.uid) become(...own);
    Object.assign(process.env, { HOME, XDG_STATE_HOME: XDG_STATE_HOME ?? '' });
  }
}

function become(uid: number, gid: number): void {
  process.seteuid?.(0);
  process.setegid?.(gid);
  process.seteuid?.(uid);
}

/** The registered session of `project` for whoever has this home; where there is none, a layout of nothing. */
export function registered(project: string, home: string): Layout {
  const sessions = join(home, '.local/state/yolofs/sessions');
  const names = existsSync(sessions) ? readdirSync(sessions) : [];
  for (const name of names) {
    const entry = join(sessions, name);
    const record = join(entry, 'session');
    if (!existsSync(record)) continue;
    const [version = '', token = '', ...at] = readFileSync(record, 'utf8').split('\n');
    const holder = version.includes('store in the entry') ? entry : join(project, '.yolofs');
    if (at.join('\n') === `${project}\n`) return layoutAt({ project, store: join(holder, token), entry });
  }
  return layoutAt({ project, store: join(project, '.yolofs/none'), entry: join(sessions, 'none') });
}
