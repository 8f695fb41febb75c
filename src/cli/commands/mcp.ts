/** `yolofs mcp`: a stdio MCP server with which an agent sees what it has staged, goes back, and asks for a commit. */
import type { Command } from 'commander';
import { serveTools } from '../../agents/mcp/server.ts';
import type { Host } from '../../agents/mcp/tools.ts';
import { askAsGuest } from '../../daemon/sockets/guest-client.ts';
import type { Layout } from '../../history/layout.ts';
import { madeSession } from '../../history/registry/make.ts';
import { GUEST_SOCKET, isInsideView } from '../../sandbox/inside.ts';
import { UserError } from '../../sys/user-error.ts';
import { withDaemon } from '../connection.ts';
import { ownVersion } from '../program.ts';
import { findSession, namedSession } from '../session.ts';

export function define(command: Command): void {
  command.action(mcp);
}

async function mcp(_options: unknown, command: Command): Promise<void> {
  const asked = (command.optsWithGlobals() as { session?: string }).session;
  await serveTools(isInsideView() ? inside : outside(asked), ownVersion());
}

/** In the view the session is what the guest socket leads to. */
const inside: Host = (request, output) => askAsGuest(GUEST_SOCKET, request, output);

/**
 * Beside the view the same socket is used, so that no more can be asked for than in it. The session is looked for at each call:
 * there may be none when the agent starts.
 */
function outside(asked: string | undefined): Host {
  return (request, output) => {
    const session = madeSession(sessionFor(asked));
    return withDaemon(session, () => askAsGuest(session.guestSocket, request, output));
  };
}

function sessionFor(asked: string | undefined): Layout {
  const named = asked ?? process.env.YOLOFS_SESSION;
  if (named) return namedSession(named);
  const found = findSession(process.cwd()) ?? findSession(process.env.CLAUDE_PROJECT_DIR || process.cwd());
  if (found === undefined) throw new UserError(`no session in ${process.cwd()} or above it`, "'yolofs init' makes one");
  return found;
}
