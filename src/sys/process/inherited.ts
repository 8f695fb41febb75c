/** Keeping descriptors that this process merely inherited away from a child. */
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

// O_CLOEXEC as /proc/self/fdinfo shows it (libc.ts, which has it too, is too heavy for the way to a command).
const O_CLOEXEC = 0o2000000;

/** What one descriptor of a child is made of, as `spawn` takes it. */
export type StdioEntry = 'inherit' | 'ignore' | 'pipe' | number;

/** What `spawn` takes as `stdio`, and what to call when the child has started. */
export interface Stdio {
  readonly stdio: StdioEntry[];
  release(): void;
}

/** stdin, stdout and stderr as they are, and nothing else: see `onlyStdio`. */
export function onlyStandardStdio(): Stdio {
  return onlyStdio(['inherit', 'inherit', 'inherit']);
}

/** What a child inherits when nothing is done about it. */
export function allStdio(): Stdio {
  const all = ['inherit', 'inherit', 'inherit'] as const;
  return { stdio: [...all, ...inheritedDescriptors()], release: () => undefined };
}

/**
 * The given descriptors, and /dev/null in the place of every other one a child would inherit: one that leads to a
 * directory or socket of the host would lead a command out of the view. Node closes its own and the low numbers only,
 * libraries not even their own, and a shell cannot close numbers above 9.
 */
export function onlyStdio(given: readonly StdioEntry[]): Stdio {
  const inherited = inheritedDescriptors().filter((fd) => fd >= given.length);
  if (inherited.length === 0) return { stdio: [...given], release: () => undefined };
  const none = openSync('/dev/null', 'r+');
  const stdio = [...given];
  // 'ignore' leaves a number alone, which is right for those that close themselves.
  for (let fd = given.length; fd <= Math.max(...inherited); fd++) stdio.push(inherited.includes(fd) ? none : 'ignore');
  return { stdio, release: () => closeSync(none) };
}

/** The descriptors above the standard three that a program started from here would have too. */
export function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fd').map(Number).filter(isInherited);
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
