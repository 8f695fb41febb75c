/** Takes mounts of a view on the host away. Loads no foreign function interface: the command line does it, too. */
import { readText } from '../sys/files/text-files.ts';
import { VIEW_TYPE } from '../sys/mounts.ts';
import { findTool, runProcess } from '../sys/process/process.ts';
import { UserError } from '../sys/user-error.ts';
import { mayMount } from './privilege.ts';

/** Takes a mount away; `lazily` also while somebody is in it, for whom it goes on. Throws a UserError when that cannot be. */
export function unmountFromHost(dir: string, lazily: boolean): void {
  const { code, complaint } = runProcess(unmountArgv(dir, lazily));
  if (code === 0) return;
  const isBusy = /busy/i.test(complaint);
  const hint = isBusy ? `end what works there: 'fuser -vm ${dir}' lists it` : undefined;
  throw new UserError(`cannot unmount ${dir}: ${isBusy ? 'it is in use' : complaint}`, hint);
}

/** Where on this host something is mounted that was named `source`. */
export function mountsNamed(source: string): string[] {
  const lines = (readText('/proc/self/mountinfo') ?? '').split('\n');
  return lines.flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const dir = before.split(' ')[4];
    return dir !== undefined && after.startsWith(`${VIEW_TYPE} ${source} `) ? [plain(dir)] : [];
  });
}

/** As root by umount(8). */
export function unmountArgv(dir: string, lazily: boolean): string[] {
  if (!mayMount()) return [neededTool(), '-u', ...(lazily ? ['-z'] : []), '--', dir];
  return [findTool('umount') ?? 'umount', ...(lazily ? ['-l'] : []), dir];
}

/** Throws a UserError where it is not installed. */
export function neededTool(): string {
  const tool = findTool('fusermount3') ?? findTool('fusermount');
  if (tool !== undefined) return tool;
  throw new UserError("'fusermount3' is not installed on this host", "install the package 'fuse3'");
}

function plain(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
