/**
 * Tries each protection of the cage from inside: one command in the view tries what must fail, and leaves in the view's
 * own /tmp, which is a directory of the session outside, the names of what was refused.
 */
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Layout } from '../../history/layout.ts';
import { findPerl } from '../../sandbox/cage.ts';
import type { Probe } from '../../sandbox/probe.ts';
import { readForeign } from '../../sys/files/text-files.ts';
import { linkOfProc } from '../../sys/process/process.ts';
import { runInView } from '../run/launch.ts';

interface Try {
  readonly name: string;
  readonly detail: string;
  /** Succeeds when the protection holds. `$connect NAME` is what connects to sockets, see below. */
  readonly script: string;
  /** What is true where it does not hold, and is promised by nothing. */
  readonly open?: string;
  /** What it takes besides namespaces; without it the protection is not there, and a view is possible all the same. */
  readonly needs?: string;
}

const PERL = 'install Perl: it gives up rights between two steps that no other tool can be put between';
const LANDLOCK = 'it takes Perl, and Linux 6.12 or newer with Landlock; network = "none" hides them, too';

const REFUSED = 7;
// `+NAME` is an abstract socket: no word of a command can begin with a zero byte.
const CONNECT = `require('node:net').connect(process.argv[1].replace(/^\\+/, '\\0'))
  .on('connect', () => process.exit(0)).on('error', () => process.exit(${REFUSED}))`;

const TRIES: readonly Try[] = [
  {
    name: 'processes',
    detail: 'outside can be neither signalled nor looked into',
    script: '! readlink /proc/1/root && test "$(readlink /proc/self/ns/pid)" != "$3"',
  },
  {
    name: 'process list',
    detail: 'has none of the processes outside',
    script: "! cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -q daemon/[m]ain",
    open: 'has the processes outside: some of /proc is covered here, so the view has no /proc of its own',
    needs:
      'in a container: --security-opt systempaths=unconfined (docker), unmask=ALL (podman); a unit: no ProtectKernelTunables=',
  },
  {
    name: 'mounts',
    detail: 'of the view cannot be changed',
    script: '! umount /proc && ! umount -l /tmp && ! mount -t tmpfs none /mnt && ! unshare -Urm umount /sys',
  },
  {
    name: 'kernel settings',
    detail: 'and control groups are not writable',
    script: '! test -w /proc/sys/kernel/core_pattern && ! test -w /proc/sysrq-trigger && ! test -w /sys/fs/cgroup',
  },
  {
    name: 'devices',
    detail: 'are the usual few, and none can be made',
    script: '! test -e /dev/fuse && ! test -e /dev/mem && ! mknod disk b 7 0',
  },
  {
    name: 'privileges',
    detail: 'cannot be gained through setuid programs',
    script: "grep -q '^NoNewPrivs:.*1$' /proc/self/status",
  },
  {
    name: 'host sockets',
    detail: 'in the file system cannot be connected to',
    script: `connect "$1"; test $? = ${REFUSED}`,
  },
  {
    name: 'capabilities',
    detail: 'are none, or those over files as root',
    script: `case $(sed -n 's/^CapBnd:[[:space:]]*//p' /proc/self/status) in
      0000000000000000 | 00000000880405fb) ;; *) false ;; esac`,
    needs: PERL,
  },
  {
    name: 'system calls',
    detail: 'that reach the kernel itself or type into a terminal are refused',
    script: "grep -q '^Seccomp:.*2$' /proc/self/status && ! unshare -UrC true",
    needs: PERL,
  },
  {
    name: 'abstract sockets',
    detail: 'of the host cannot be connected to',
    script: `connect "+$2"; test $? = ${REFUSED}`,
    open: 'of the host can be connected to, as its network can',
    needs: LANDLOCK,
  },
];

/** Tries them all in the view of `session`. */
export async function probeCage(session: Layout): Promise<Probe[]> {
  const [path, abstract] = [join(session.project, 'socket'), `yolofs-doctor-${process.pid}`];
  const servers = [await listen(path), await listen(`\0${abstract}`)];
  const tries = TRIES.map(({ name, script }) => `if (${script}) >/dev/null 2>&1; then echo '${name}'; fi`);
  const connect = `connect() { '${process.execPath}' -e '${CONNECT.replaceAll("'", '"')}' "$1"; }`;
  const text = `exec >/tmp/held; ${connect}\n${tries.join('\n')}`;
  const program = ['/bin/sh', '-c', text, 'sh', path, abstract, linkOfProc(process.pid, 'ns/pid') ?? ''];
  const { tmp } = await runInView(session, { program, text: 'doctor', snapshot: undefined, cwd: session.project });
  for (const server of servers) server.close();
  const held = tmp && readForeign(join(tmp, 'held'))?.toString().split('\n');
  return TRIES.map((each) => resultOf(each, held?.includes(each.name) === true));
}

function resultOf({ name, detail, needs, open }: Try, ok: boolean): Probe {
  const found = ok ? detail : (open ?? `does not hold: ${detail}`);
  // Where Perl is, it is something else.
  const hint = ok || (needs === PERL && findPerl() !== undefined) ? undefined : needs;
  return { name, ok, required: needs === undefined, found, hint };
}

function listen(at: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.end());
    server.once('error', reject);
    server.listen(at, () => resolve(server));
  });
}
