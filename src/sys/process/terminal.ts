/**
 * The controlling terminal, for a question to the person at it while a program runs there. Nothing of its settings is changed;
 * only its foreground process group, and that is put back. Loads the foreign function interface.
 */
import type { Readable } from 'node:stream';
import { ReadStream, WriteStream } from 'node:tty';
import { closeFile, openTerminalFile } from '../files/files.ts';
import { bind } from '../kernel/ffi.ts';
import { giveTerminal, takeTerminal } from '../kernel/libc-process.ts';
import { allProcesses, descriptorsOf, linkOfProc, processStat, readProc, threadsOf } from './process.ts';

const c = {
  tcgetattr: bind('int tcgetattr(int, void*)'),
  tcgetpgrp: bind('int tcgetpgrp(int)'),
  tcflush: bind('int tcflush(int, int)'),
  getpgrp: bind('int getpgrp()'),
};

const LFLAG_OFFSET = 12;
const ICANON = 0o2;
const ECHO = 0o10;
const TCIFLUSH = 0;
/** read(2), by architecture. */
const READ: Readonly<Record<string, string>> = { x64: '0', arm64: '63' };
const DEEPEST = 64;

/** The terminal, for one question. */
export interface Terminal {
  /** A descriptor of it. */
  readonly fd: number;
  readonly input: ReadStream;
  readonly output: WriteStream;
  /** Gives it back; nothing is read from it any more. */
  release(): void;
}

/**
 * Throws away what was typed at the terminal `fd` and not read yet: what the terminal holds, a line that was not ended too, and
 * what `input` has already taken from it.
 */
export function discardInput(fd: number, input: Readable): void {
  c.tcflush(fd, TCIFLUSH);
  for (let piece: unknown = ''; piece !== null && input.readableLength > 0; ) piece = input.read();
}

/**
 * Takes the terminal that controls this process for a question; undefined where that would disturb whoever has it: a program
 * that edits its own lines or draws on the screen, one that waits for a line, somebody who does not descend from this
 * process. What was typed before is thrown away.
 */
export function takeForQuestion(): Terminal | undefined {
  const [fd, inputFd, outputFd] = [openTerminalFile(), openTerminalFile(), openTerminalFile()];
  if (fd === undefined || inputFd === undefined || outputFd === undefined) return undefined;
  const giveBack = take(fd);
  if (giveBack === undefined) {
    for (const one of [fd, inputFd, outputFd]) closeFile(one);
    return undefined;
  }
  const [input, output] = [new ReadStream(inputFd), new WriteStream(outputFd)];
  // What happens to a terminal that goes shows at its end.
  for (const stream of [input, output]) stream.on('error', () => undefined);
  return {
    fd,
    input,
    output,
    release: () => {
      // Whoever reads in the background is stopped by the terminal: first it ends, then the terminal is another's.
      input.destroy();
      output.destroy();
      giveBack();
      closeFile(fd);
    },
  };
}

function take(fd: number): (() => void) | undefined {
  const foreground = c.tcgetpgrp(fd);
  const own = c.getpgrp();
  if (foreground <= 0 || (foreground !== own && !descends(foreground))) return undefined;
  if (!editsLines(fd) || isBeingRead()) return undefined;
  if (foreground !== own && takeTerminal(fd) < 0) return undefined;
  c.tcflush(fd, TCIFLUSH);
  return () => {
    // Whoever took it meanwhile, a shell whose job has ended, keeps it.
    if (foreground !== own && c.tcgetpgrp(fd) === own) giveTerminal(fd, foreground);
  };
}

/** Whether the terminal itself edits lines and shows what is typed. */
function editsLines(fd: number): boolean {
  const settings = Buffer.alloc(256);
  if (c.tcgetattr(fd, settings) < 0) return false;
  const both = ICANON | ECHO;
  return (settings.readUInt32LE(LFLAG_OFFSET) & both) === both;
}

function descends(pid: number): boolean {
  let at = processStat(pid)?.parent;
  for (let depth = 0; at !== undefined && at > 1 && depth < DEEPEST; depth++) {
    if (at === process.pid) return true;
    at = processStat(at)?.parent;
  }
  return false;
}

/** Whether a process of this terminal's session waits for a line of it; of one that cannot be seen, yes. */
function isBeingRead(): boolean {
  const terminal = processStat(process.pid)?.terminal;
  return allProcesses()
    .filter((pid) => pid !== process.pid && processStat(pid)?.terminal === terminal)
    .some((pid) => watches(pid) || threadsOf(pid).some((thread) => reads(pid, thread)));
}

/** Whether it has an epoll of which the terminal is one: it reads what is typed there whatever it does at this moment. */
function watches(pid: number): boolean {
  return descriptorsOf(pid).some((fd) => {
    if (linkOfProc(pid, `fd/${fd}`) !== 'anon_inode:[eventpoll]') return false;
    const watched = readProc(pid, `fdinfo/${fd}`) ?? '';
    return [...watched.matchAll(/^tfd:\s*(\d+)/gm)].some(([, one]) => isTerminal(pid, Number(one)));
  });
}

/** In read(2); what poll(2) and select(2) wait for cannot be seen. */
function reads(pid: number, thread: number): boolean {
  const text = readProc(pid, `task/${thread}/syscall`);
  if (text === undefined) return !isOnWay(pid);
  const [call = '', descriptor] = text.split(' ');
  return call === READ[process.arch] && isTerminal(pid, Number(descriptor));
}

/** Our launcher and the waiter below it (foreground.ts) only wait; they cannot be seen. What is gone reads nothing either. */
function isOnWay(pid: number): boolean {
  const parent = processStat(pid)?.parent ?? process.pid;
  return parent === process.pid || processStat(parent)?.parent === process.pid;
}

function isTerminal(pid: number, fd: number): boolean {
  return /^\/dev\/(tty|pts\/|console)/.test(linkOfProc(pid, `fd/${fd}`) ?? '/dev/tty');
}
