/**
 * What this host offers, by trying it rather than by guessing from versions: for `doctor`, and for the hint that
 * goes with a failure. Nothing is changed; what is mounted vanishes with its namespace.
 */
import { release } from 'node:os';
import { lookAt, readText } from '../sys/files/text-files.ts';
import { findTool, runProcess } from '../sys/process/process.ts';
import { mayMount } from './privilege.ts';

export interface Probe {
  /** What it is about, e.g. `/dev/fuse`. */
  readonly name: string;
  readonly ok: boolean;
  /** Without it there is no view; otherwise something is just less good. */
  readonly required: boolean;
  /** What was found, in a few words. */
  readonly found: string;
  /** How to mend it, where it is not ok. */
  readonly hint: string | undefined;
}

const OLDEST_KERNEL = [5, 11] as const;
/** By package; the first is for namespaces and mounts, the second for little things on the way. */
const UTIL_LINUX = ['setpriv', 'unshare', 'nsenter', 'mount', 'umount', 'mountpoint', 'pivot_root'];
const COREUTILS = ['sh', 'mkdir', 'ln', 'env', 'cat'];
/** Options that came with util-linux 2.36. */
const UNSHARE_OPTIONS = ['--map-current-user', '--keep-caps', '--kill-child'];

/** Its major number is 10, its minor 229, on every Linux (Documentation/admin-guide/devices.txt). */
const FUSE_DEVICE = (10 << 8) | 229;

/** What is found of something that depends on what is missing. */
export const NOT_TRIED = 'not tried, since one before does not hold';

/** What to do about what is missing; also for the failures of `run`. */
export const HINTS = {
  noDevice: "load the kernel module 'fuse'; in a container, add --device /dev/fuse",
  closed: 'open it to this user: chmod 666 /dev/fuse, or a udev rule',
  namespaces: "the host forbids user namespaces; 'yolofs doctor' tells which setting to change",
  incomplete: 'to go on without it, in ~/.config/yolofs/config.toml: [session] incomplete_cage = true',
  env: 'install coreutils 8.31 or newer',
  terminal: 'install Perl; or as root: sysctl -w dev.tty.legacy_tiocsti=0 (Linux 6.2 or newer)',
} as const;

/** Probes everything a view needs; takes some tens of milliseconds. */
export function probeHost(): Probe[] {
  const device = probeFuseDevice();
  const required = [probeKernel(), probeTools(), device, probeUserNamespaces(), probeView(device)];
  return [...required, probeSignals(), probeTerminal()];
}

/** The kernel's version. */
export function probeKernel(version = release()): Probe {
  const [major = 0, minor = 0] = version.split('.').map(Number.parseFloat);
  const [needMajor, needMinor] = OLDEST_KERNEL;
  const ok = major > needMajor || (major === needMajor && minor >= needMinor);
  return result('kernel', { ok, found: version, hint: `Linux ${needMajor}.${needMinor} or newer is needed` });
}

/** The programs that make the namespaces. */
function probeTools(): Probe {
  const missing = [...UTIL_LINUX, ...COREUTILS].filter((name) => findTool(name) === undefined);
  if (missing.length > 0) {
    const hint = 'install util-linux and coreutils';
    return result('util-linux', { ok: false, found: `missing: ${missing.join(', ')}`, hint });
  }
  const { output } = runProcess([findTool('unshare') ?? '', '--help']);
  const unknown = UNSHARE_OPTIONS.filter((option) => !output.includes(option));
  const found = unknown.length > 0 ? `unshare does not know ${unknown.join(', ')}` : version();
  return result('util-linux', { ok: unknown.length === 0, found, hint: 'util-linux 2.36 or newer is needed' });
}

function version(): string {
  return (
    runProcess([findTool('unshare') ?? '', '--version'])
      .output.trim()
      .replace(/^.*util-linux /, '') || 'present'
  );
}

/** The FUSE device: there, and open to this user. */
function probeFuseDevice(): Probe {
  const name = '/dev/fuse';
  const device = lookAt(name);
  if (device?.isCharacterDevice() !== true || device.rdev !== FUSE_DEVICE) {
    const found = device === undefined ? 'no such device' : 'something else than the FUSE device';
    return result(name, { ok: false, found, hint: HINTS.noDevice });
  }
  const opened = runProcess([findTool('sh') ?? '/bin/sh', '-c', `: 4<>${name}`]);
  return result(name, {
    ok: opened.code === 0,
    found: opened.code === 0 ? 'open' : 'closed to this user',
    hint: HINTS.closed,
  });
}

/** User namespaces: an ordinary user mounts in one, and root keeps commands in one. */
function probeUserNamespaces(): Probe {
  const { code, complaint } = runProcess([findTool('unshare') ?? '', '--user', findTool('sh') ?? '', '-c', ':']);
  return result('user namespaces', {
    ok: code === 0,
    found: code === 0 ? 'allowed' : complaint,
    hint: namespaceHint(),
  });
}

/** Settings by which distributions and administrators forbid user namespaces, and what each has to be. */
const SETTINGS: readonly (readonly [setting: string, bad: string, good: string])[] = [
  ['user.max_user_namespaces', '0', '15000'],
  ['kernel.unprivileged_userns_clone', '0', '1'],
  ['kernel.apparmor_restrict_unprivileged_userns', '1', '0'],
];

function namespaceHint(): string {
  const bad = SETTINGS.filter(([setting, value]) => readSetting(setting) === value);
  if (bad.length === 0) return 'in a container, its seccomp profile has to allow unshare(2) and mount(2)';
  return `as root: ${bad.map(([setting, , good]) => `sysctl -w ${setting}=${good}`).join('; ')}`;
}

function readSetting(setting: string): string | undefined {
  return readText(`/proc/sys/${setting.replaceAll('.', '/')}`)?.trim();
}

// The kernel's first message says which FUSE protocol it speaks: two numbers behind a header of 40 bytes.
const MOUNT_AND_LISTEN = `exec 4<>/dev/fuse &&
mount -i -n -t fuse -o fd=4,rootmode=40000,user_id=0,group_id=0 yolofs /dev &&
dd bs=135168 count=1 status=none <&4 | od -An -tu4 -j40 -N8`;

/** A FUSE mount in namespaces of its own, as the view is one; without the device there is no telling. */
function probeView(device: Probe): Probe {
  if (!device.ok) return { ...device, name: 'mount of a view', found: NOT_TRIED, hint: undefined };
  const own = mayMount() ? [] : ['--user', '--map-root-user'];
  const unshare = [findTool('unshare') ?? '', ...own, '--mount', '--propagation', 'private'];
  const { output, complaint } = runProcess([...unshare, findTool('sh') ?? '', '-c', MOUNT_AND_LISTEN]);
  const [major, minor] = output.trim().split(/\s+/);
  const ok = minor !== undefined;
  const found = ok ? `FUSE protocol ${major}.${minor}` : complaint || 'the mount does not answer';
  return result('mount of a view', { ok, found, hint: 'a security module or seccomp profile forbids mount(2)' });
}

/** Whether `env` can give a command the signals back that its launcher ignores (see sys/process/foreground.ts). */
function probeSignals(): Probe {
  const env = findTool('env');
  const ok = env !== undefined && runProcess([env, '--default-signal=INT', 'true']).code === 0;
  const found = ok ? 'a command handles Ctrl-C itself' : "Ctrl-C ends 'run' even if its command goes on";
  return { ...result('signals', { ok, found, hint: HINTS.env }), required: false };
}

/** Whether a command in the view could type into the terminal it was started from. */
function probeTerminal(): Probe {
  const ok = readSetting('dev.tty.legacy_tiocsti') === '0' || findTool('perl') !== undefined;
  const found = ok ? 'takes no input from commands' : 'a command could put characters into the input of its terminal';
  return { ...result('terminal', { ok, found, hint: HINTS.terminal }), required: false };
}

function result(name: string, { ok, found, hint }: { ok: boolean; found: string; hint: string }): Probe {
  return { name, required: true, ok, found, hint: ok ? undefined : hint };
}
