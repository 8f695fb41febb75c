/** Emulated machines to try, and what comes of it there. */
import type { System } from './machine/root.ts';

export interface Machine {
  readonly title: string;
  readonly system: System;
  readonly flavour?: RegExp;
  readonly append?: string;
  /** The environment variable that says where its kernel is. */
  readonly kernel?: string;
  /** A file of `jobs/`. */
  readonly job: string;
  readonly minutes: number;
  /** By `USER | WHAT`, as the job says it. */
  readonly expected: Readonly<Record<string, RegExp>>;
}

const HOLDS = /^holds$/;
const REFUSED = /^refused$/;
const RESTRICTED = /^cannot make the view: this system gives user namespaces to programs with an AppArmor profile only/;
const PASSED = /^[1-9]\d* tests, 0 fail, \d+ skipped$/;
const CRASHES = /^old or new each time$/;
const SESSION = { 'ordinary | a session': HOLDS, 'root | a session': HOLDS };
const CLONE = { 'ordinary | from a clone': HOLDS };
const LISTS = {
  ...SESSION,
  'ordinary | the conformance list': PASSED,
  'ordinary | the escape list': PASSED,
  'ordinary | the tests of the sandbox': PASSED,
};

/** Debian's kernel has the modules. */
const FILE_SYSTEMS = {
  'ordinary | vfat': HOLDS,
  'ordinary | vfat: commits cut short': CRASHES,
  'ordinary | exfat': HOLDS,
  'ordinary | exfat: commits cut short': CRASHES,
  'ordinary | 9p': HOLDS,
  'ordinary | 9p: commits cut short': CRASHES,
  'ordinary | 9p: another machine writes a file': /^one two $/,
  'ordinary | 9p, cache=mmap': HOLDS,
  'ordinary | NFS': HOLDS,
  'ordinary | NFS: commits cut short': CRASHES,
  'ordinary | NFS: another machine writes a file': /^one two $/,
  'ordinary | a read-only mount': /^two in the view, one outside$/,
};

/** What `src/sandbox/COPY.md` says was tried, in its order, and what leads there. */
const RESTRICTION = {
  'ordinary | one restriction, before setup': RESTRICTED,
  'ordinary | both restrictions, before setup': RESTRICTED,
  'root | does what the refusal says': /^put .* there/,
  'ordinary | in the view: the copy': REFUSED,
  'ordinary | in the view: a namespace of its own': REFUSED,
  'ordinary | outside: a namespace of its own': REFUSED,
  'ordinary | in the view: the profile by its name, both restrictions': REFUSED,
  'ordinary | outside: a changed copy elsewhere': REFUSED,
  'ordinary | outside: the copy by another Perl': REFUSED,
  'ordinary | outside: LD_PRELOAD': REFUSED,
  'ordinary | outside: PERL5OPT': REFUSED,
  "ordinary | another user: the namespace of a user's holder": REFUSED,
  'ordinary | a changed copy at its place': /another version's$/,
  'root | makes it whole': /^put .* there/,
  'ordinary | a copy where others may write': /others than root may write/,
  'ordinary | both restrictions, after setup': HOLDS,
  'ordinary | from a clone, after setup': HOLDS,
  // The gap of one restriction alone: any program may enter any profile by its name.
  'ordinary | in the view: the profile by its name, one restriction': /^gets it$/,
  'ordinary | outside: the profile by its name, one restriction': /^gets it$/,
  'ordinary | one restriction, after setup': HOLDS,
  'root | setup --remove': /^removed /,
  'ordinary | after it': RESTRICTED,
  'root | both restrictions, without it': HOLDS,
};

const BOOKWORM = { suite: 'bookworm', arch: 'amd64' } as const;
const TRIXIE = { suite: 'trixie', arch: 'amd64' } as const;
const ARM64 = { suite: 'trixie', arch: 'arm64' } as const;
const PAGES_16K = { title: 'arm64, pages of 16 KiB', system: ARM64, flavour: /-arm64-16k$/ };

export const MACHINES: readonly Machine[] = [
  { title: 'Debian 12', system: BOOKWORM, job: 'session.sh', minutes: 60, expected: SESSION },
  { title: 'Debian 12', system: BOOKWORM, job: 'clone.sh', minutes: 60, expected: CLONE },
  { title: 'Debian 13', system: TRIXIE, job: 'session.sh', minutes: 60, expected: SESSION },
  { title: 'Debian 13', system: TRIXIE, job: 'clone.sh', minutes: 60, expected: CLONE },
  {
    title: "Ubuntu's restriction",
    system: TRIXIE,
    kernel: 'YOLOFS_TEST_UBUNTU_KERNEL',
    append: 'apparmor=1 security=apparmor',
    job: 'restriction.sh',
    minutes: 90,
    expected: RESTRICTION,
  },
  { title: 'file systems', system: TRIXIE, job: 'file-systems.sh', minutes: 120, expected: FILE_SYSTEMS },
  { title: 'arm64', system: ARM64, job: 'lists.sh', minutes: 180, expected: LISTS },
  { title: 'arm64', system: ARM64, job: 'clone.sh', minutes: 90, expected: CLONE },
  { ...PAGES_16K, job: 'lists.sh', minutes: 180, expected: LISTS },
  { ...PAGES_16K, job: 'clone.sh', minutes: 90, expected: CLONE },
];
