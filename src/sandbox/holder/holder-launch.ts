/** The words and the environment that start the holder: one Perl program, or the shell's with the host's tools. */
import { release } from 'node:os';
import { basename, dirname } from 'node:path';
import { O_DIRECTORY, O_NOFOLLOW } from '../../sys/libc.ts';
import { findTool, needTool, PLAIN_ENVIRONMENT } from '../../sys/process/process.ts';
import { GUEST_SOCKET } from '../inside.ts';
import { COPY, copyState, HOLDER_FILE, needsCopy } from '../installed-copy.ts';
import { PROC_PROBED } from '../kernel-files.ts';
import { mayBeUserZero } from '../privilege.ts';
import { ANCHOR, LOOPBACK_UP, STAGE1, STAGE2, STAGE3 } from './holder-script.ts';
import type { HolderOptions, PlacesInView } from './options.ts';
import { IS_KNOWN_MACHINE } from './perl-common.ts';

export interface Launch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether its init carries out the lines of echo-script.ts. */
  readonly echoes: boolean;
}

/** The environment variables that stage 1 of holder-script.ts expects, all of them. */
interface HolderEnvironment {
  /** Absolute paths of the host's tools. */
  readonly SH: string;
  readonly MOUNT: string;
  readonly UMOUNT: string;
  readonly MOUNTPOINT: string;
  readonly UNSHARE: string;
  readonly NSENTER: string;
  readonly PIVOT_ROOT: string;
  readonly MKDIR: string;
  readonly LN: string;
  readonly ENV: string;
  readonly CAT: string;
  /** Mount point of the view, and the same as /proc/self/mountinfo writes it. */
  readonly VIEW: string;
  readonly VIEW_ESCAPED: string;
  /** Host directory where a second mount of the same tree is made, and the view's directory that it covers; empty: none. */
  readonly FAST: string;
  readonly FAST_AT: string;
  /** FUSE mount options after the descriptor. */
  readonly FUSE_OPTIONS: string;
  /** Host directory that becomes the view's `TMP_AT`; empty: no private one. */
  readonly TMP: string;
  readonly TMP_AT: string;
  /** Host directory that holds the `own` ones; empty: there are none. */
  readonly OWN: string;
  /** Mount options of /dev/shm. */
  readonly SHM_OPTIONS: string;
  /** Socket on the host, and where in the view's /dev it is mounted. */
  readonly GUEST: string;
  readonly GUEST_AT: string;
  /** `yes`: commands get a user namespace of their own, below the one that owns the mounts. */
  readonly NESTED: 'yes' | 'no';
  /** `yes`: commands can be user 0 of the host, so the kernel's settings are covered. */
  readonly MASKED: 'yes' | 'no';
  /** Files of /proc that nothing in the view may be able to open for writing. */
  readonly PROBED: string;
  /** Empty where the host has none. */
  readonly PERL: string;
  /** `yes`: the session has a network of its own; empty: the host's. */
  readonly OWN_NETWORK: string;
  /** Names of protections that are left out, with spaces around (protections.ts). */
  readonly WITHOUT: string;
  readonly LOOPBACK_UP: string;
  readonly ANCHOR: string;
  readonly STAGE2: string;
  readonly STAGE3: string;
}

/** Of setrlimit(2). */
const RLIMIT_DATA = 2;

const PAGE = 4096;

/** The Perl that runs the holder and knows its system calls; undefined where the shell and the host's tools do it. */
export function holderPerl(): string | undefined {
  return IS_KNOWN_MACHINE && hasMountSetattr(release()) ? findTool('perl') : undefined;
}

/** The words that start the holder's program, without its own; undefined where there is no Perl for it. */
function holderWords(nested: boolean): string[] | undefined {
  const perl = holderPerl();
  if (perl === undefined) return undefined;
  return needsCopy(nested) && copyState().isFit ? [COPY] : [perl, '-T', HOLDER_FILE];
}

/** What the holder's program is started with to say what this host lets it do. */
export function trialOf(nested: boolean): string[] | undefined {
  const settings = ['trial=yes', `nested=${nested ? 'yes' : 'no'}`, `fuse_options=${fuseOptions()}`, 'without='];
  const words = holderWords(nested);
  return words && [...words, ...settings];
}

/** `nested`: as in privilege.ts, commands get a user namespace of their own below the one that owns the mounts. */
export function launchOf(options: HolderOptions, nested: boolean): Launch {
  const program = holderWords(nested);
  if (program === undefined) {
    const argv = [...launcher(nested), needTool('sh'), '-c', STAGE1, 'yolofs-holder', ...words(options)];
    return { argv, env: { ...PLAIN_ENVIRONMENT, ...environment(options, nested) }, echoes: false };
  }
  const argv = [...program, ...programSettings(options, nested), '--', ...words(options)];
  return { argv, env: PLAIN_ENVIRONMENT, echoes: true };
}

/** mount_setattr(2) came with Linux 5.12. */
function hasMountSetattr(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 12);
}

function words(options: HolderOptions): string[] {
  const keep = (options.tmp?.keep ?? []).map((name) => `keep:${name}`);
  return [...keep, ...placeWords(options)];
}

/** What is mounted into the view, as the holder's words. */
export function placeWords({ direct, own }: PlacesInView): string[] {
  return [...direct.map((path) => `direct:${path}`), ...own.map(({ dir, at }) => `own:${basename(dir)}:${at}`)];
}

/** What holds the `own` directories. */
export function ownPlace({ own }: Pick<PlacesInView, 'own'>): string {
  return own[0] === undefined ? '' : dirname(own[0].dir);
}

/** What limits the memory of a process limits what all of them share, too. */
function sharedMemory({ cage: { limits } }: HolderOptions): string {
  const memory = limits.find(({ resource }) => resource === RLIMIT_DATA);
  return memory === undefined ? 'mode=1777' : `mode=1777,size=${memory.most}`;
}

/** As many files as pages: an empty one takes memory, too. */
function tmpOptions({ tmp }: HolderOptions): string {
  return tmp?.size === undefined ? '' : `mode=1777,size=${tmp.size},nr_inodes=${Math.ceil(tmp.size / PAGE)}`;
}

/** What the holder checks before commands may enter, unless a person goes without. */
function probed({ cage: { incomplete } }: HolderOptions): string {
  return incomplete ? '' : PROC_PROBED;
}

function fuseOptions(): string {
  const ids = `user_id=${process.geteuid?.() ?? 0},group_id=${process.getegid?.() ?? 0}`;
  return `default_permissions,allow_other,rootmode=40000,${ids}`;
}

function programSettings(options: HolderOptions, nested: boolean): string[] {
  const { without, ownNetwork } = options.cage;
  return [
    'trial=no',
    `o_directory=${O_DIRECTORY}`,
    `o_nofollow=${O_NOFOLLOW}`,
    `view=${options.mount}`,
    `fast=${options.fast?.mount ?? ''}`,
    `fast_at=${options.fast?.at ?? ''}`,
    `fuse_options=${fuseOptions()}`,
    `tmp=${options.tmp?.dir ?? ''}`,
    `tmp_at=${options.tmp?.at ?? '/tmp'}`,
    `tmp_options=${tmpOptions(options)}`,
    `own=${ownPlace(options)}`,
    `shm_options=${sharedMemory(options)}`,
    `guest=${options.guestSocket}`,
    `guest_at=${GUEST_SOCKET}`,
    `nested=${nested ? 'yes' : 'no'}`,
    `masked=${mayBeUserZero(nested) ? 'yes' : 'no'}`,
    `probed=${probed(options)}`,
    `own_network=${ownNetwork ? 'yes' : ''}`,
    `without= ${[...without].join(' ')} `,
  ];
}

function launcher(nested: boolean): string[] {
  const userNamespace = nested ? [] : ['--user', '--map-current-user', '--keep-caps'];
  return [
    ...[needTool('setpriv'), '--no-new-privs', '--'],
    ...[needTool('unshare'), ...userNamespace, '--mount', '--propagation', 'slave', '--'],
    ...[needTool('setpriv'), '--pdeathsig', 'KILL', '--'],
  ];
}

function environment(options: HolderOptions, nested: boolean): Readonly<Record<string, string>> {
  const { without, ownNetwork } = options.cage;
  const flags = without.has('nosuid') ? '' : ',nosuid,nodev';
  const variables: HolderEnvironment = {
    SH: needTool('sh'),
    MOUNT: needTool('mount'),
    UMOUNT: needTool('umount'),
    MOUNTPOINT: needTool('mountpoint'),
    UNSHARE: needTool('unshare'),
    NSENTER: needTool('nsenter'),
    PIVOT_ROOT: needTool('pivot_root'),
    MKDIR: needTool('mkdir'),
    LN: needTool('ln'),
    ENV: needTool('env'),
    CAT: needTool('cat'),
    VIEW: options.mount,
    VIEW_ESCAPED: escapeMountPoint(options.mount),
    FAST: options.fast?.mount ?? '',
    FAST_AT: options.fast?.at ?? '',
    FUSE_OPTIONS: `${fuseOptions()}${flags}`,
    TMP: options.tmp?.dir ?? '',
    TMP_AT: options.tmp?.at ?? '/tmp',
    OWN: ownPlace(options),
    SHM_OPTIONS: sharedMemory(options),
    GUEST: options.guestSocket,
    GUEST_AT: GUEST_SOCKET,
    NESTED: nested ? 'yes' : 'no',
    MASKED: mayBeUserZero(nested) ? 'yes' : 'no',
    PROBED: probed(options),
    PERL: findTool('perl') ?? '',
    OWN_NETWORK: ownNetwork ? 'yes' : '',
    WITHOUT: ` ${[...without].join(' ')} `,
    LOOPBACK_UP,
    ANCHOR,
    STAGE2,
    STAGE3,
  };
  return { ...variables };
}

/** As show_mountinfo() of the kernel writes it (fs/proc_namespace.c). */
export function escapeMountPoint(path: string): string {
  return path.replace(/[ \t\n\\]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
