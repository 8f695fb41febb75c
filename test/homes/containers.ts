/** Containers to try, and what a session in them comes to. */
import { join } from 'node:path';
import { REPOSITORY } from '../support/source-files.ts';

/** By their names in Debian's archive: 11, 13, and what comes next; or nothing but busybox and the libraries of Node. */
export type Suite = 'bullseye' | 'trixie' | 'sid' | 'busybox';

export interface Container {
  /** `nameless`: one without an entry in /etc/passwd, whose HOME the runtime sets to `/`. */
  readonly user: 'root' | 'ordinary' | 'nameless';
  /** The Debian in the container; without it, what this host has. */
  readonly suite?: Suite;
  /** Started by an ordinary user, who is root in it. */
  readonly rootless?: true;
  /** By the commands of README.md in a clone, and the program that they install. */
  readonly isFromClone?: true;
  readonly flags: readonly string[];
  readonly expected: RegExp;
}

const FUSE = '--device=/dev/fuse';
/** No program is there any more where it was. */
const NO_PERL = '--volume=/dev/null:/usr/bin/perl';
/** A person goes without what a host without Perl cannot keep. */
const INCOMPLETE = '--env=INCOMPLETE=1';
/** All but /tmp, /run and what else the runtime keeps in memory. */
const READ_ONLY = '--read-only';
const HOLDS = /^holds$/;
const HOLDS_SHARED = /^holds, with the container's \/proc$/;

const LESS_KEPT = /^without Perl commands in the view keep rights/;

function security(option: string): string {
  return `--security-opt=${option}`;
}

/** Refuses what Docker's profile refuses to who has no CAP_SYS_ADMIN, as far as it matters here. */
const CLOSED = security(`seccomp=${join(REPOSITORY, 'test/homes/no-namespaces.json')}`);

export const CONTAINERS: readonly Container[] = [
  { user: 'root', flags: [], expected: /\/dev\/fuse: no such device$/ },
  { user: 'ordinary', flags: [], expected: /\/dev\/fuse: no such device$/ },
  { user: 'root', flags: [FUSE], expected: HOLDS_SHARED },
  { user: 'ordinary', flags: [FUSE], expected: HOLDS_SHARED },
  { user: 'nameless', flags: [FUSE], expected: /^you have no home directory: / },
  { user: 'nameless', flags: [FUSE, '--env=HOME=/tmp'], expected: HOLDS_SHARED },
  { user: 'ordinary', flags: [FUSE, '--env=HOME='], expected: HOLDS_SHARED },
  { user: 'ordinary', flags: [FUSE, READ_ONLY], expected: HOLDS_SHARED },
  { user: 'root', flags: ['--privileged', READ_ONLY], expected: /read-only/i },
  { user: 'root', flags: [FUSE, security('unmask=ALL')], expected: HOLDS },
  { user: 'ordinary', flags: [FUSE, security('unmask=ALL')], expected: HOLDS },
  { user: 'ordinary', flags: [FUSE, security('seccomp=unconfined')], expected: HOLDS_SHARED },
  { user: 'root', flags: [FUSE, '--cap-add=SYS_ADMIN'], expected: HOLDS },
  { user: 'ordinary', flags: [FUSE, '--cap-add=SYS_ADMIN'], expected: HOLDS_SHARED },
  { user: 'root', flags: ['--privileged'], expected: HOLDS },
  { user: 'ordinary', flags: [FUSE, NO_PERL], expected: LESS_KEPT },
  { user: 'root', flags: ['--privileged', NO_PERL], expected: LESS_KEPT },
  { user: 'ordinary', flags: [FUSE, NO_PERL, INCOMPLETE], expected: /parts of \/proc are covered here/ },
  { user: 'ordinary', flags: [FUSE, NO_PERL, INCOMPLETE, security('unmask=ALL')], expected: HOLDS },
  { user: 'ordinary', suite: 'busybox', flags: [FUSE], expected: LESS_KEPT },
  { user: 'ordinary', suite: 'busybox', flags: [FUSE, INCOMPLETE], expected: /^'mountpoint' is not installed/ },
  { user: 'ordinary', suite: 'bullseye', flags: [FUSE], expected: /glibc 2\.34/ },
  { user: 'root', suite: 'bullseye', flags: ['--privileged'], expected: /glibc 2\.34/ },
  ...(['trixie', 'sid'] as const).flatMap((suite): Container[] => [
    { user: 'ordinary', suite, flags: [FUSE], expected: HOLDS_SHARED },
    { user: 'root', suite, flags: ['--privileged'], expected: HOLDS },
  ]),
  { user: 'root', suite: 'trixie', rootless: true, flags: [FUSE], expected: HOLDS_SHARED },
  { user: 'ordinary', suite: 'trixie', rootless: true, flags: [FUSE], expected: HOLDS_SHARED },
  { user: 'ordinary', isFromClone: true, flags: [FUSE], expected: HOLDS_SHARED },
  ...(['trixie', 'sid'] as const).flatMap((suite): Container[] => [
    { user: 'ordinary', suite, isFromClone: true, flags: [FUSE], expected: HOLDS_SHARED },
    { user: 'root', suite, isFromClone: true, flags: ['--privileged'], expected: HOLDS },
  ]),
  { user: 'ordinary', suite: 'trixie', rootless: true, isFromClone: true, flags: [FUSE], expected: HOLDS_SHARED },
  { user: 'ordinary', flags: [FUSE, CLOSED], expected: /user namespace: Operation not permitted$/ },
];
