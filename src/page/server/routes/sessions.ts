/** GET /api/sessions: those of this user that are still where they were. */

import type { Layout } from '../../../history/layout.ts';
import { allRegistered } from '../../../history/registry/entries.ts';
import { isThere, sessionIn } from '../../../history/registry/find.ts';
import { lookAt } from '../../../sys/files/text-files.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { SessionsReply, ShownSession } from '../../protocol.ts';
import type { Answer } from '../http/routes.ts';
import type { PageState } from '../state.ts';

const MOST = 200;

export async function sessions({ host }: PageState): Promise<Answer> {
  const projects = [...new Set(allRegistered().map(({ project }) => project))].filter((project) => project !== '');
  const found = projects
    .sort()
    .slice(0, MOST)
    .flatMap((project) => shownSession(project, host.layout.project));
  const reply: SessionsReply = { sessions: found };
  return { json: reply };
}

function shownSession(project: string, own: string): ShownSession[] {
  const session = foundIn(project);
  if (session === undefined || !isThere(session)) return [];
  return [{ project, isThis: project === own, live: lookAt(session.socket) !== undefined }];
}

/** One that is not to be believed is none. */
function foundIn(project: string): Layout | undefined {
  try {
    return sessionIn(project);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
