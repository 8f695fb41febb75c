/** `yolofs debug`: a live daemon from inside. It changes nothing, and works while the view hangs. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { DebugAsk, DebugReply } from '../../daemon/debug/messages.ts';
import { Journal } from '../../history/log/journal.ts';
import { label } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import { withLiveDaemon } from '../connection.ts';
import { notEmpty, toPaths } from '../look/path-words.ts';
import { SESSION_HELP } from '../program.ts';
import { DEBUG_PENDING, DEBUG_STATS } from '../schemas/inside.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { pendingLines, statsLines, traceLine } from '../text/debug-text.ts';
import { withEnds, writePieces } from '../text/output.ts';
import { UsageError } from '../usage-error.ts';

interface Options {
  readonly json?: true;
  readonly measure?: string;
}

export function define(command: Command): void {
  const add = (name: string, summary: string): Command =>
    command.command(name).summary(summary).description(summary).option('--session <dir>', SESSION_HELP);
  jsonOption(add('stats', 'requests of the kernel by kind, and what the daemon occupies'), 'tell as JSON', DEBUG_STATS)
    .option('--measure <on|off>', 'from now on measure how long each kind takes, and how many bytes it moves')
    .action(stats);
  jsonOption(add('pending', 'what is under way, and what waits for whom'), 'tell as JSON', DEBUG_PENDING).action(
    pending,
  );
  add('journal', 'the lines of the journal as they are, with their places')
    .argument('[from]', 'only from that place on')
    .action(journal);
  add('tree', 'the tree of what is staged, as the daemon has it').action(tree);
  add('inode', 'what the daemon knows of the file at a path').argument('<path>').action(inode);
  add('plan', 'the steps of a commit, without a snapshot').action(plan);
  add('trace', 'write each request and reply into a file')
    .argument('<on|off>')
    .argument('[file]', "default: `trace` in the session's place of the registry")
    .action(trace);
}

async function stats({ measure, json }: Options, command: Command): Promise<void> {
  const on = measure === undefined ? {} : { measure: isOn(measure) };
  const reply = await ask(command, { what: 'stats', ...on });
  if (json) return writePieces([`${JSON.stringify({ ...reply.stats, process: reply.process })}\n`]);
  await writePieces(withEnds(statsLines(reply)));
}

async function pending({ json }: Options, command: Command): Promise<void> {
  const { pending: found } = await ask(command, { what: 'pending' });
  const { clients = [], orders = [], waiting } = found ?? {};
  const shown = waiting?.map(({ path, ...one }) => ({ ...one, ...(path === undefined ? {} : { path: label(path) }) }));
  if (json) return writePieces([`${JSON.stringify({ clients, orders, waiting: shown ?? null })}\n`]);
  await writePieces(withEnds(pendingLines({ clients, orders, waiting })));
}

/** Read from the file: it tells what happened also where nothing moves any more. */
async function journal(from: string | undefined, _options: object, command: Command): Promise<void> {
  if (from !== undefined && !/^\d+$/.test(from)) throw new UsageError(`'${from}' is no place in the journal`);
  const opened = Journal.open(sessionOf(command).journal, { readOnly: true });
  try {
    await writePieces(withEnds(journalLines(opened, opened.lineAt(Number(from ?? 0)))));
  } finally {
    opened.close();
  }
}

function* journalLines(opened: Journal, from: number): Generator<string, void> {
  for (const { bytes, start, end, offset } of opened.lines({ from })) {
    yield `${offset} ${label(bytes.toString('latin1', start, end).replaceAll('\t', ' '))}`;
  }
}

async function tree(_options: object, command: Command): Promise<void> {
  await writeLines(await ask(command, { what: 'tree' }));
}

async function inode(path: string, _options: object, command: Command): Promise<void> {
  const [at] = toPaths([path]);
  await writeLines(await ask(command, { what: 'inode', ...(at === undefined ? {} : { path: at }) }));
}

async function plan(_options: object, command: Command): Promise<void> {
  await writeLines(await ask(command, { what: 'plan' }));
}

async function trace(which: string, file: string | undefined, _options: object, command: Command): Promise<void> {
  const on = isOn(which);
  const path = file === undefined ? `${sessionOf(command).entry}/trace` : resolve(notEmpty(file));
  const { stats: now } = await ask(command, { what: 'trace', ...(on ? { file: path } : {}) });
  process.stderr.write(`${traceLine(now)}\n`);
}

function isOn(word: string): boolean {
  if (word !== 'on' && word !== 'off') throw new UsageError(`'${word}' is neither 'on' nor 'off'`);
  return word === 'on';
}

async function ask(command: Command, what: DebugAsk): Promise<DebugReply> {
  const session = sessionOf(command);
  const reply = await withLiveDaemon(session, (daemon) => daemon.request({ op: 'debug', ...what }));
  if (reply === undefined) throw new UserError('no daemon is running', "it is started by the first 'yolofs run'");
  return reply;
}

async function writeLines({ lines = [] }: DebugReply): Promise<void> {
  await writePieces(withEnds(lines));
}
