/**
 * The view's own /tmp: a directory of the session that lives as long as it does, or memory, where it has a limit. What leads to the
 * project or to the home directory, should one of them lie below /tmp, stays visible, and staged like everything else.
 */
import { totalmem } from 'node:os';
import type { Layout } from '../../history/layout.ts';
import type { PrivateTmp } from '../../sandbox/holder.ts';
import { uniqueName } from '../../sys/crypto-lazy.ts';
import { ensureDirectory } from '../../sys/files/files.ts';
import { renameDirectory } from '../../sys/files/plain-directory.ts';
import { lookAt, realPath } from '../../sys/files/text-files.ts';
import { homeDirectory } from '../../sys/host/home.ts';
import { needTool, PLAIN_ENVIRONMENT, startProcess } from '../../sys/process/process.ts';

/** Makes the directory; `limit`: bytes that may be in it. Undefined when /tmp itself is the project or missing: then it is staged as a whole. */
export function preparePrivateTmp(layout: Layout, limit: number | undefined): PrivateTmp | undefined {
  const at = realPath('/tmp');
  if (at === undefined || at === '/' || at === layout.project) return undefined;
  ensureDirectory(layout.tmp, 0o1777);
  const homes = [layout.project, realPath(homeDirectory())];
  // Whoever set the limit, perhaps a project: half of the memory is what the kernel gives without one.
  const size = limit && Math.min(limit, Math.floor(totalmem() / 2));
  return { dir: layout.tmp, at, size, keep: [...new Set(homes.flatMap((path) => firstBelow(at, path)))] };
}

/**
 * Empties it, when nothing of the view runs any more. It is moved aside and removed by a program of its own, which goes down step by
 * step and follows no link: whoever waits for the end does not wait for that, however much there is.
 */
export function clearPrivateTmp({ tmp }: Layout): void {
  const aside = `${tmp}.${uniqueName()}`;
  if (lookAt(tmp)?.isDirectory() !== true || !renameDirectory(tmp, aside)) return;
  const argv = [needTool('rm'), '-rf', '--', aside];
  startProcess({ argv, env: PLAIN_ENVIRONMENT, stdio: ['ignore', 'ignore', 'ignore'], detached: true }).unref();
}

/** The first component below `dir` on the way to `path`; none when it does not lie below. */
export function firstBelow(dir: string, path: string | undefined): string[] {
  if (path === undefined || !path.startsWith(`${dir}/`)) return [];
  return path.slice(dir.length + 1).split('/', 1);
}
