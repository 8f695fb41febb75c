/**
 * What this host offers, by trying it rather than by guessing from versions: for `doctor`, and for the hint that
 * goes with a failure. Nothing is changed; what is mounted vanishes with its namespace.
 */
import { release } from 'node:os';
import { lookAt } from '../sys/files/text-files.ts';
import { homeDirectory } from '../sys/host/home.ts';
import { cLibraryVersion, isOldKernel, isOldLibrary, OLDEST_KERNEL, OLDEST_LIBRARY } from '../sys/host/needs.ts';
import { findTool, type Outcome, runProcess } from '../sys/process/process.ts';
import { UserError } from '../sys/user-error.ts';
import { holderPerl, trialOf } from './holder/holder-launch.ts';
import { mayMount } from './privilege.ts';
import { HINTS, readSetting, refusalOf } from './refusals.ts';

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

/** By package; the first is for namespaces and mounts, the second for little things on the way. */
const UTIL_LINUX = ['setpriv', 'unshare', 'nsenter', 'mount', 'umount', 'mountpoint', 'pivot_root'];
const COREUTILS = ['sh', 'mkdir', 'ln', 'env', 'cat'];
/** Options that came with util-linux 2.36. */
const UNSHARE_OPTIONS = ['--map-current-user', '--keep-caps', '--kill-child'];

/** Its major number is 10, its minor 229, on every Linux (Documentation/admin-guide/devices.txt). */
const FUSE_DEVICE = (10 << 8) | 229;

/** What is found of something that depends on what is missing. */
export const NOT_TRIED = 'not tried, since one before does not hold';

/** Probes everything a view needs; takes some tens of milliseconds. */
export function probeHost(): Probe[] {
  const device = probeFuseDevice();
  const first = [probeKernel(), probeLibrary(), probeHome(), probeTools(), device];
  return [...first, ...probeNamespaces(device), probeSignals(), probeTerminal()];
}

/** The kernel's version. */
export function probeKernel(version = release()): Probe {
  const hint = `Linux ${OLDEST_KERNEL} or newer is needed`;
  return result('kernel', { ok: !isOldKernel(version), found: version, hint });
}

/** The C library that Node runs with. */
function probeLibrary(version = cLibraryVersion()): Probe {
  const found = version === undefined ? 'not the GNU one; not tried with others' : `glibc ${version}`;
  return result('C library', { ok: !isOldLibrary(version), found, hint: `glibc ${OLDEST_LIBRARY} or newer is needed` });
}

function probeHome(): Probe {
  const name = 'home directory';
  try {
    return result(name, { ok: true, found: homeDirectory(), hint: '' });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return result(name, { ok: false, found: error.message, hint: error.hint ?? '' });
  }
}

/** The programs that make the namespaces: Perl alone, or many. */
function probeTools(): Probe {
  if (holderPerl() !== undefined) return result('programs', { ok: true, found: 'Perl', hint: '' });
  const missing = [...UTIL_LINUX, ...COREUTILS].filter((name) => findTool(name) === undefined);
  if (missing.length > 0) {
    const hint = 'install Perl, or util-linux and coreutils';
    return result('programs', { ok: false, found: `missing: ${missing.join(', ')}`, hint });
  }
  const { output } = runProcess([findTool('unshare') ?? '', '--help']);
  const unknown = UNSHARE_OPTIONS.filter((option) => !output.includes(option));
  const found = unknown.length > 0 ? `unshare does not know ${unknown.join(', ')}` : version();
  return result('programs', { ok: unknown.length === 0, found, hint: 'util-linux 2.36 or newer is needed' });
}

function version(): string {
  const { output } = runProcess([findTool('unshare') ?? '', '--version']);
  return output.trim().replace(/^.*(?=util-linux )/, '') || 'util-linux';
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

/** What the holder is let do: user namespaces, in which an ordinary user mounts and root keeps commands, and a mount. */
function probeNamespaces(device: Probe): Probe[] {
  const trial = trialOf(mayMount());
  if (trial === undefined) return [probeUserNamespaces(), probeView(device)];
  const { output, complaint } = runProcess(trial);
  const failure = /^error (.*)$/m.exec(output)?.[1] ?? (complaint || 'the holder ended');
  const protocol = /^protocol (.*)$/m.exec(output)?.[1];
  const hasNamespaces = /^namespaces /m.test(output);
  // The device is looked for when the namespaces are there.
  const namespaces =
    hasNamespaces || failure.startsWith('/dev/fuse') ? rowOfNamespaces() : refused('user namespaces', failure);
  if (!device.ok || !namespaces.ok) return [namespaces, { ...result('mount of a view', NOT), hint: undefined }];
  if (protocol === undefined) return [namespaces, refused('mount of a view', failure)];
  return [namespaces, result('mount of a view', { ok: true, found: `FUSE protocol ${protocol}`, hint: '' })];
}

const NOT = { ok: false, found: NOT_TRIED, hint: '' };

function rowOfNamespaces(): Probe {
  return result('user namespaces', { ok: true, found: 'allowed', hint: '' });
}

function refused(name: string, why: string): Probe {
  const { what = why, hint = HINTS.mount } = refusalOf(why);
  return result(name, { ok: false, found: what, hint });
}

/** As probeNamespaces(), without Perl. */
function probeUserNamespaces(): Probe {
  const { code, complaint } = runTool('unshare', ['--user', findTool('sh') ?? '', '-c', ':']);
  return code === 0 ? rowOfNamespaces() : refused('user namespaces', complaint);
}

function runTool(name: string, words: readonly string[]): Outcome {
  const tool = findTool(name);
  return tool === undefined ? { code: 127, output: '', complaint: `no ${name}` } : runProcess([tool, ...words]);
}

// The kernel's first message says which FUSE protocol it speaks: two numbers behind a header of 40 bytes.
const MOUNT_AND_LISTEN = `exec 4<>/dev/fuse &&
mount -i -n -t fuse -o fd=4,rootmode=40000,user_id=0,group_id=0 yolofs /dev &&
dd bs=135168 count=1 status=none <&4 | od -An -tu4 -j40 -N8`;

/** A FUSE mount in namespaces of its own, as the view is one; without the device there is no telling. */
function probeView(device: Probe): Probe {
  if (!device.ok) return { ...device, name: 'mount of a view', found: NOT_TRIED, hint: undefined };
  const own = mayMount() ? [] : ['--user', '--map-root-user'];
  const words = [...own, '--mount', '--propagation', 'private', findTool('sh') ?? '', '-c', MOUNT_AND_LISTEN];
  const { output, complaint } = runTool('unshare', words);
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
