/** Keeping descriptors that this process merely inherited away from a child. */
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

// O_CLOEXEC as /proc/self/fdinfo shows it (libc.ts, which has it too, is too heavy for the way to a command).
const O_CLOEXEC = 0o2000000;

/** What `spawn` takes as `stdio`, and what to call when the child has started. */
export interface Stdio {
  readonly stdio: 'inherit' | Array<'inherit' | 'ignore' | number>;
  release(): void;
}

/**
 * stdin, stdout and stderr as they are, and /dev/null in the place of every other descriptor a child would inherit:
 * one that leads to a directory or socket of the host would lead a command out of the view. Node closes its own and the low numbers only,
 * and a shell cannot close numbers above 9.
 */
export function onlyStandardStdio(): Stdio {
  const inherited = readdirSync('/proc/self/fd').map(Number).filter(isInherited);
  if (inherited.length === 0) return { stdio: 'inherit', release: () => undefined };
  const none = openSync('/dev/null', 'r+');
  const stdio: Array<'inherit' | 'ignore' | number> = ['inherit', 'inherit', 'inherit'];
  // 'ignore' leaves a number alone, which is right for those that close themselves.
  for (let fd = 3; fd <= Math.max(...inherited); fd++) stdio.push(inherited.includes(fd) ? none : 'ignore');
  return { stdio, release: () => closeSync(none) };
}

function isInherited(fd: number): boolean {
  if (fd <= 2) return false;
  const flags = /^flags:\s*([0-7]+)/m.exec(fdInfo(fd))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
}

/** Empty for the descriptor that read the listing, which is closed by now. */
function fdInfo(fd: number): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
