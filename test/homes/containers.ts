/** Containers to try, and what a session in them comes to. */
import { join } from 'node:path';
import { REPOSITORY } from '../support/source-files.ts';

export interface Container {
  /** `nameless`: one without an entry in /etc/passwd, whose HOME the runtime sets to `/`. */
  readonly user: 'root' | 'ordinary' | 'nameless';
  readonly flags: readonly string[];
  readonly expected: RegExp;
}

const FUSE = '--device=/dev/fuse';
const HOLDS = /^holds$/;
const HOLDS_SHARED = /^holds, with the container's \/proc$/;

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
  { user: 'root', flags: [FUSE, security('unmask=ALL')], expected: HOLDS },
  { user: 'ordinary', flags: [FUSE, security('unmask=ALL')], expected: HOLDS },
  { user: 'ordinary', flags: [FUSE, security('seccomp=unconfined')], expected: HOLDS_SHARED },
  { user: 'root', flags: [FUSE, '--cap-add=SYS_ADMIN'], expected: HOLDS },
  { user: 'ordinary', flags: [FUSE, '--cap-add=SYS_ADMIN'], expected: HOLDS_SHARED },
  { user: 'root', flags: ['--privileged'], expected: HOLDS },
  { user: 'ordinary', flags: [FUSE, CLOSED], expected: /user namespace: Operation not permitted$/ },
];
