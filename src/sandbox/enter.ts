/** How a command gets into the view: an argv that any program can start with its own stdin, stdout and stderr. */
import { needTool } from '../sys/process/process.ts';
import type { Cage } from './cage.ts';
import { ENTER_SCRIPT } from './enter-script.ts';
import { isNamed, secretVariables } from './environment/secret-variables.ts';
import { temporaryVariables } from './environment/temporary-variables.ts';
import { VIEW_VARIABLE } from './inside.ts';

/** Where to, as the daemon's `enter` reply says. */
export interface EnterTarget {
  /** A process inside the view's namespaces. */
  readonly holder: number;
  /** The process whose user namespace the command belongs in; the holder itself where that is enough. */
  readonly anchor: number;
  readonly cage: Cage;
}

/** What the processes between a run and its command are called. */
const WAITER = 'yolofs-waiter';

// Runs outside, as nothing in the view is to be asked: what enter-script.ts says of descriptors 0, 1 and 2.
const ONLY_HARMLESS = `for fd in 0 1 2; do
  at=/proc/$$/fd/$fd
  if [ ! -e "$at" ] || [ -f "$at" ] || [ -p "$at" ] || [ -S "$at" ] || [ -t "$fd" ]; then continue; fi
  case $(stat -L -c %t:%T "$at") in 1:3 | 1:5 | 1:7 | 1:8 | 1:9 | 5:0) [ ! -c "$at" ] || continue ;; esac
  echo "yolofs: run: descriptor $fd is a directory or a device, which would lead out of the view" >&2
  exit 1
done
exec "$@"`;

// Runs in the view, with no more rights than the command itself.
const IN_VIEW = `cd -- "$1" 2>/dev/null || {
  printf 'yolofs: run: %s: no such directory in the view\\n' "$1" >&2
  exit 1
}
shift
exec "$@"`;

/**
 * The words that run `command` in the view at the directory `cwd`. Their own process waits for the command and passes on
 * its exit code, a death by signal as the same death.
 */
export function enterArgv(target: EnterTarget, cwd: string, command: readonly string[]): string[] {
  const { holder, anchor, cage } = target;
  if (cage.perl === undefined) return enterWithoutPerl(target, cwd, command);
  const settings = [`holder=${holder}`, `anchor=${anchor}`, ...cage.settings];
  return [cage.perl, '-T', '-e', ENTER_SCRIPT, '--', ...settings, '--', cwd, ...command];
}

/** As `startForeground` wants it. */
export interface WayIn {
  readonly launcher: (command: readonly string[]) => readonly string[];
  readonly waits?: string;
}

/**
 * How a program gets into the view in the foreground: Perl is its waiter, too. `endsAll`: its end, and that of this process, is the
 * end of all that it has started; not without Perl.
 */
export function wayIn({ cage, ...target }: EnterTarget, cwd: string, endsAll = false): WayIn {
  const settings = [...cage.settings, `foreground=${WAITER}`, ...(endsAll ? ['ends=1'] : [])];
  const launcher: WayIn['launcher'] = (words) => enterArgv({ ...target, cage: { ...cage, settings } }, cwd, words);
  return cage.perl === undefined ? { launcher } : { launcher, waits: WAITER };
}

/**
 * nsenter joins the user namespace last when it has more rights than there (root) and first when it has fewer; either
 * way the command ends up with no right over mounts.
 */
function enterWithoutPerl({ holder, anchor, cage }: EnterTarget, cwd: string, command: readonly string[]): string[] {
  const namespaces = ['--mount', '--pid', '--ipc', `--user=/proc/${anchor}/ns/user`];
  const network = cage.hasOwnNetwork ? ['--net'] : [];
  return [
    ...[needTool('sh'), '-c', ONLY_HARMLESS, 'sh'],
    ...[needTool('setpriv'), '--no-new-privs', '--'],
    ...[needTool('nsenter'), '--target', String(holder), ...namespaces, ...network, '--preserve-credentials', '--'],
    ...['/bin/sh', '-c', IN_VIEW, 'sh', cwd, ...command],
  ];
}

export interface ViewEnvironment {
  readonly env: NodeJS.ProcessEnv;
  /** Variables of the caller's that hold secrets, or lead to sockets or temporary files outside, and are not in it. */
  readonly withheld: readonly string[];
}

/**
 * The command's environment: the caller's, without what would lead it back to the session from inside or to sockets and temporary files
 * outside, and without secrets; `needs` are those that this command needs. `project`: the session's.
 */
export function viewEnvironment(
  caller: NodeJS.ProcessEnv,
  { cage, project }: { readonly cage: Cage; readonly project: string },
  needs: readonly string[],
): ViewEnvironment {
  const { YOLOFS_SESSION: _session, ...rest } = caller;
  const passes = [...cage.passedVariables, ...needs];
  const isHidden = (name: string): boolean => rest[name] !== undefined && !passes.some((one) => isNamed(name, one));
  const hidden = cage.hiddenVariables.filter(isHidden);
  const withheld = [...hidden, ...temporaryVariables(rest, project, passes), ...secretVariables(rest, passes)];
  for (const name of withheld) delete rest[name];
  const kept = cage.perl === undefined ? rest : quietPerl(rest);
  return { env: { ...kept, ...FOR_FAKEROOT, [VIEW_VARIABLE]: '1' }, withheld };
}

/**
 * fakeroot(1) tries a chown(2) and takes EPERM for a yes. In a user namespace that maps one user the kernel says EINVAL, and the build
 * of a Debian package would end there. With this it does not try.
 */
const FOR_FAKEROOT = { FAKEROOTDONTTRYCHOWN: '1' };

/** Perl would complain about a locale that the host lacks. The script gives the command its own value back. */
function quietPerl({ PERL_BADLANG, ...rest }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = PERL_BADLANG === undefined ? {} : { YOLOFS_PERL_BADLANG: PERL_BADLANG };
  return { ...rest, ...kept, PERL_BADLANG: '0' };
}
