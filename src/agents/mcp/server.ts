/**
 * The MCP server of `yolofs mcp`: names, descriptions and shapes of the tools (agent-hooks.md section 8). Stdout belongs to
 * the protocol. Loaded by that one command only: the library costs more than all the rest of a start.
 */
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { type Host, requestCommit, runCommand } from './tools.ts';

const INSTRUCTIONS = [
  'Commands of this session work in a copy-on-write view of the file system: what they change is staged, the real files stay as they are until a person commits.',
  "'status' and 'diff' show what is staged, 'log' the snapshots, one after each command that changed something; 'travel' goes back to any of them and forth again, nothing is lost by it.",
  "'commit_request' asks the person to apply what is staged; it returns at once.",
].join('\n');

/** Nothing here reaches anything but the session. */
const CLOSED = { openWorldHint: false, destructiveHint: false } as const;
const LOOKS = { ...CLOSED, readOnlyHint: true, idempotentHint: true } as const;
const ADDS = { ...CLOSED, readOnlyHint: false } as const;

const from = z.int().min(0).optional().describe('leave out so many lines: for the rest of an answer that was cut');
const range = z
  .string()
  .regex(/^[^-]/, 'a range does not start with -')
  .max(300)
  .optional()
  .describe(
    'what a snapshot captured (7), or what lies between two (3..7, 3.., ..7, all); default: all that is staged',
  );

/** Serves on stdin and stdout until the client hangs up. */
export async function serveTools(host: Host, version: string): Promise<void> {
  const over = new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, resolve);
  });
  const onerror = (error: Error): void =>
    void process.stderr.write(`yolofs: mcp: ${error.message.split('\n', 1)[0]}\n`);
  const handle = serveStdio(() => makeServer(host, version), { transport: new StdioServerTransport(), onerror });
  await over;
  await handle.close();
}

function makeServer(host: Host, version: string): McpServer {
  const server = new McpServer({ name: 'yolofs', version }, { instructions: INSTRUCTIONS });
  for (const add of [addStatus, addDiff, addLog, addMoves, addRequest]) add(server, host);
  return server;
}

function addStatus(server: McpServer, host: Host): void {
  server.registerTool(
    'status',
    {
      title: 'What is staged',
      description:
        'Lists what is staged against the real files, by kind of change, what rules refused, and what became of commit requests. With a range: what changed there.',
      inputSchema: z.strictObject({ range, from }),
      annotations: LOOKS,
    },
    (ask) => runCommand(host, ['status', ...(ask.range === undefined ? [] : [ask.range])], ask.from),
  );
}

function addDiff(server: McpServer, host: Host): void {
  server.registerTool(
    'diff',
    {
      title: 'Staged changes, line by line',
      description: 'Shows what is staged, or what changed in a range, as a unified diff.',
      inputSchema: z.strictObject({
        range,
        paths: z.array(z.string().max(4096)).max(100).optional().describe('only these and what is below them'),
        stat: z.boolean().optional().describe('only how much each change adds and removes'),
        from,
      }),
      annotations: LOOKS,
    },
    (ask) => {
      const options = [...(ask.stat ? ['--stat'] : []), ...(ask.range === undefined ? [] : [ask.range])];
      return runCommand(host, ['diff', ...options, '--', ...(ask.paths ?? [])], ask.from);
    },
  );
}

function addLog(server: McpServer, host: Host): void {
  server.registerTool(
    'log',
    {
      title: 'Snapshots',
      description: 'Lists snapshots and travels as a tree, the newest first, with the commands that made them.',
      inputSchema: z.strictObject({ from }),
      annotations: LOOKS,
    },
    (ask) => runCommand(host, ['log'], ask.from),
  );
}

function addMoves(server: McpServer, host: Host): void {
  server.registerTool(
    'snapshot',
    {
      title: 'Name the present state',
      description: 'Takes a snapshot under a name, to which one can travel. Commands take one each by themselves.',
      inputSchema: z.strictObject({ name: z.string().min(1).max(200).describe('what to call it') }),
      annotations: ADDS,
    },
    ({ name }) => runCommand(host, ['snapshot', '--', name]),
  );
  server.registerTool(
    'travel',
    {
      title: 'Go to a snapshot',
      description:
        'Makes the view show the state of another generation: takes back what went wrong, or returns to it. The state before is kept and can be traveled to.',
      inputSchema: z.strictObject({
        to: z.string().min(1).max(200).describe('number of a generation, or name of a snapshot'),
      }),
      annotations: ADDS,
    },
    ({ to }) => runCommand(host, ['travel', '--', to]),
  );
}

function addRequest(server: McpServer, host: Host): void {
  server.registerTool(
    'commit_request',
    {
      title: 'Ask for a commit',
      description:
        "Asks the person to apply all that is staged to the real files. Returns at once with the number of the request; the person decides when they like, and 'status' tells the outcome.",
      inputSchema: z.strictObject({
        message: z
          .string()
          .min(1)
          .max(2000)
          .describe('what was done and why it should be applied, for the person to read'),
      }),
      annotations: ADDS,
    },
    ({ message }) => requestCommit(host, message),
  );
}
