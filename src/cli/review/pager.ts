/**
 * The pager that git would use: `$GIT_PAGER`, `core.pager`, `$PAGER`, less. Only the person's own settings count: those of a
 * repository an agent can write, and a pager is a program.
 */
import type { Writable } from 'node:stream';
import { isExecutable } from '../../sys/files/text-files.ts';
import { startProcess } from '../../sys/process/process.ts';
import { isForGuest } from '../look/guest-sight.ts';
import { type Pieces, writePieces } from '../text/output.ts';
import { ownEnvironment, ownGitSetting } from './own-git.ts';

/** Writes to the pager on a terminal, to stdout anywhere else. */
export async function writePaged(pieces: Pieces): Promise<void> {
  const command = process.stdout.isTTY === true && !isForGuest() ? pagerCommand() : undefined;
  await (command === undefined ? writePieces(pieces) : writeTo(command, pieces));
}

/** Undefined: none is wanted, or there is none. */
function pagerCommand(): string | undefined {
  const { GIT_PAGER, PAGER, PATH = '' } = process.env;
  const wanted = GIT_PAGER ?? ownGitSetting('core.pager') ?? PAGER;
  if (wanted !== undefined) return wanted === '' || wanted === 'cat' ? undefined : wanted;
  return PATH.split(':').some((dir) => dir.startsWith('/') && isExecutable(`${dir}/less`)) ? 'less' : undefined;
}

async function writeTo(command: string, pieces: Pieces): Promise<void> {
  const env = { LESS: 'FRX', LV: '-c', ...ownEnvironment() };
  const stdio = ['pipe', 'inherit', 'inherit'] as const;
  const child = startProcess({ argv: ['/bin/sh', '-c', command], env, stdio, cwd: process.cwd() });
  const ended = new Promise((resolve) => child.once('close', resolve));
  // Ctrl-C is the pager's.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    if (child.stdin !== null) await feed(child.stdin, pieces, ended);
    await ended;
  } finally {
    process.off('SIGINT', ignore);
  }
}

/** Until all is written, or the pager has been left. */
async function feed(stream: Writable, pieces: Pieces, ended: Promise<unknown>): Promise<void> {
  const left = new Error('the pager was left');
  let isLeft = false;
  const end = (): void => {
    isLeft = true;
  };
  stream.on('error', end);
  const closed = ended.then(end);
  const write = async (bytes: Buffer): Promise<void> => {
    if (isLeft) throw left;
    if (!stream.write(bytes)) await Promise.race([closed, new Promise((resolve) => stream.once('drain', resolve))]);
  };
  try {
    await writePieces(pieces, write);
  } catch (error) {
    if (error !== left) throw error;
  }
  stream.end();
}
