/**
 * Why a name is looked up. The kernel sends the same LOOKUP for open(2) and for mkdir(2), and a model that makes whatever
 * is asked for would have mkdir fail with EEXIST. The caller sleeps in its system call meanwhile, and
 * /proc/TID/syscall says in which (proc(5)).
 */
import { O_CREAT } from '../../sys/libc.ts';
import { readProc } from '../../sys/process/process.ts';

/** Numbers of the calls that make a name, by architecture: linux/arch/x86/entry/syscalls/syscall_64.tbl, asm-generic/unistd.h. */
const MAKING: Readonly<Record<string, ReadonlySet<number>>> = {
  // mkdir, mkdirat, rename, renameat, renameat2, link, linkat, symlink, symlinkat, mknod, mknodat, creat, bind
  x64: new Set([83, 258, 82, 264, 316, 86, 265, 88, 266, 133, 259, 85, 49]),
  arm64: new Set([34, 38, 276, 37, 36, 33, 200]),
};
/** open(2) calls, and which argument has the flags. */
const OPENING: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  x64: { 2: 1, 257: 2 },
  arm64: { 56: 2 },
};

/** Whether the thread that asks for a name wants to have what is there, and not to make it. */
export function wouldRead(pid: number): boolean {
  return isReading(readProc(pid, 'syscall') ?? '');
}

/** The same of the text of /proc/TID/syscall; what cannot be told counts as reading. */
export function isReading(text: string): boolean {
  const [call = '', ...args] = text.split(' ');
  const number = Number.parseInt(call, 10);
  if (MAKING[process.arch]?.has(number)) return false;
  const flags = OPENING[process.arch]?.[number];
  return flags === undefined || (Number(args[flags] ?? 0) & O_CREAT) === 0;
}
