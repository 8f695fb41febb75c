/** Why a step of making a view is refused, by what the kernel says of this host and this process, and what mends it. */
import { fileURLToPath } from 'node:url';
import { lookAt, readText } from '../sys/files/text-files.ts';
import { COPY, copyState, isRestricted } from './installed-copy.ts';

/** What to do about what is missing; also for the failures of `run`. */
export const HINTS = {
  noDevice: "load the kernel module 'fuse'; in a container, add --device /dev/fuse",
  closed: 'open it to this user: chmod 666 /dev/fuse, or a udev rule',
  incomplete: 'to go on without it, in ~/.config/yolofs/config.toml: [session] incomplete_cage = true',
  env: 'install coreutils 8.31 or newer',
  terminal: 'install Perl; or as root: sysctl -w dev.tty.legacy_tiocsti=0 (Linux 6.2 or newer)',
  apparmor: 'in a container: --security-opt apparmor=unconfined; elsewhere the profile has to allow userns and mount',
  seccomp: 'the seccomp profile of the container forbids it: --security-opt seccomp=unconfined, or one that allows it',
  service: 'a seccomp filter forbids it, as RestrictNamespaces= and SystemCallFilter= of a systemd unit do',
  trace: 'a security module may forbid pidfd_getfd(2); kernel.yama.ptrace_scope has to be below 3',
  covered:
    'install Perl; or uncover it: --security-opt unmask=ALL (podman), --security-opt systempaths=unconfined (Docker)',
  mount: 'a container, or the systemd unit this runs in, forbids it',
} as const;

/** What is known of this host; a test tells it. */
export interface Facts {
  /** A setting of the kernel; undefined where it does not exist. */
  readonly setting: (name: string) => string | undefined;
  readonly isRoot: boolean;
  /** The AppArmor profile that confines this process. */
  readonly profile: string | undefined;
  readonly hasSeccompFilter: boolean;
  readonly isInContainer: boolean;
  /** Ubuntu's restriction; why root's copy of the holder does not help. */
  readonly restricted: string | undefined;
}

export interface Refusal {
  /** What it is, where the words of the step do not say it. */
  readonly what?: string;
  readonly hint: string | undefined;
}

/** Settings by which distributions and administrators forbid user namespaces, and what each has to be. */
const SETTINGS: readonly (readonly [setting: string, bad: string, good: string, alsoRoot: boolean])[] = [
  ['user.max_user_namespaces', '0', '15000', true],
  ['kernel.unprivileged_userns_clone', '0', '1', false],
];

/** As mount(8) says it: with Perl that /proc would be passed on. */
const PROC_WITHOUT_PERL = /^\/proc: mount: /;
const COVERED: Refusal = {
  what: 'parts of /proc are covered here, as in containers, and a view that is made without Perl needs a whole one',
  hint: HINTS.covered,
};

/** Of a step that has failed, `why` as the holder reports it. Undefined hint: nothing is known of it. */
export function refusalOf(why: string, facts: Facts = factsOfHost()): Refusal {
  if (/^\/dev\/fuse.*(denied|permitted)/i.test(why)) return { hint: HINTS.closed };
  if (why.startsWith('/dev/fuse')) return { hint: HINTS.noDevice };
  if (PROC_WITHOUT_PERL.test(why)) return COVERED;
  if (why.startsWith('kernel settings')) return { hint: HINTS.incomplete };
  if (why.startsWith('pidfd_getfd')) {
    const isTraced = facts.setting('kernel.yama.ptrace_scope') !== '3';
    return isTraced && facts.hasSeccompFilter ? seccompRefusal(facts) : { hint: HINTS.trace };
  }
  const isNamespace = /unshare failed|write failed|user namespace|setgroups|[ug]id_map/.test(why);
  if (isNamespace) return namespaceRefusal(why, facts);
  return /^(mount|\/proc|pid namespace|pivot_root)/.test(why) && /denied|permitted/.test(why)
    ? mountRefusal(why, facts)
    : { hint: undefined };
}

function namespaceRefusal(why: string, facts: Facts): Refusal {
  const bad = SETTINGS.filter(
    ([setting, value, , alsoRoot]) => (alsoRoot || !facts.isRoot) && facts.setting(setting) === value,
  );
  if (bad.length > 0)
    return { hint: `as root: ${bad.map(([setting, , good]) => `sysctl -w ${setting}=${good}`).join('; ')}` };
  const isDenied = /denied/.test(why);
  if (facts.profile !== undefined && isDenied) return profileRefusal(facts.profile);
  const isAtStart = !/write failed|setgroups|[ug]id_map/.test(why);
  if (facts.hasSeccompFilter && isAtStart) return seccompRefusal(facts);
  if (facts.restricted !== undefined) return restrictionRefusal(facts.restricted, facts);
  if (facts.profile !== undefined) return profileRefusal(facts.profile);
  return {
    hint: 'the host forbids user namespaces; in a container, its seccomp and AppArmor profiles have to allow them',
  };
}

function mountRefusal(why: string, facts: Facts): Refusal {
  if (facts.profile !== undefined && /denied/.test(why)) return profileRefusal(facts.profile);
  if (facts.restricted !== undefined && /denied/.test(why)) return restrictionRefusal(facts.restricted, facts);
  if (facts.hasSeccompFilter) return seccompRefusal(facts);
  return facts.profile === undefined ? { hint: HINTS.mount } : profileRefusal(facts.profile);
}

function profileRefusal(profile: string): Refusal {
  return { what: `the AppArmor profile '${profile}', which this runs under, forbids it`, hint: HINTS.apparmor };
}

function seccompRefusal({ isInContainer }: Facts): Refusal {
  return { hint: isInContainer ? HINTS.seccomp : HINTS.service };
}

/** It is the host's; in a container nobody can load a profile. */
function restrictionRefusal(why: string, { isInContainer }: Facts): Refusal {
  const what = 'this system gives user namespaces to programs with an AppArmor profile only (as Ubuntu does)';
  if (isInContainer) {
    return { what, hint: "as root of the container's host: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0" };
  }
  const means = `it gives one to ${COPY}, a program of root's which commands in the view cannot use`;
  return { what: why === 'absent' ? what : `${what}, and ${why}`, hint: `once: '${setupCommand()}'; ${means}` };
}

/** Root's PATH does not lead to what is installed below a home. */
export function setupCommand(): string {
  const [node, program] = [process.execPath, fileURLToPath(new URL('../bin/yolofs.cjs', import.meta.url))];
  return /^\/usr\//.test(node) && /^\/usr\//.test(program)
    ? 'sudo yolofs setup'
    : `sudo ${quoted(node)} ${quoted(program)} setup`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function factsOfHost(): Facts {
  return {
    setting: readSetting,
    isRoot: process.geteuid?.() === 0,
    profile: ownProfile(),
    hasSeccompFilter: /^Seccomp:\s*2$/m.test(readText('/proc/self/status') ?? ''),
    isInContainer: isInContainer(),
    restricted: isRestricted() ? copyState().why : undefined,
  };
}

export function readSetting(setting: string): string | undefined {
  return readText(`/proc/sys/${setting.replaceAll('.', '/')}`)?.trim();
}

function isInContainer(): boolean {
  if (['/.dockerenv', '/run/.containerenv'].some((path) => lookAt(path) !== undefined)) return true;
  // Of other runtimes the root directory shows it.
  return / \/ \/ .* - overlay /.test(readText('/proc/self/mountinfo') ?? '');
}

/** `name (mode)`; of a profile that forbids nothing it is the name alone, or the mode says so. */
function ownProfile(): string | undefined {
  const text = readIfAny('/proc/self/attr/apparmor/current') ?? readIfAny('/proc/self/attr/current') ?? '';
  return /^(\S.*) \(enforce\)$/.exec(text.trim())?.[1];
}

/** Security modules other than AppArmor refuse to answer. */
function readIfAny(path: string): string | undefined {
  try {
    return readText(path);
  } catch (error) {
    if ((error as { errno?: unknown }).errno !== undefined) return undefined;
    throw error;
  }
}
