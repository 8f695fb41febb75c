/** Has the kernel send what it holds of files in the view, by whichever mount they were written. */
import type { Holder } from '../../sandbox/holder.ts';
import type { Losses } from '../../staging/store/unstored.ts';
import { isWithin, label } from '../../sys/bytes.ts';
import { EINTR, SystemError } from '../../sys/errno.ts';
import { failed, syncfsAsync } from '../../sys/libc.ts';
import { log } from '../../sys/log.ts';
import { renderSize } from '../../sys/text/size.ts';
import { UserError } from '../../sys/user-error.ts';
import { viewHasEnded } from '../failure.ts';
import type { LiveConfig } from '../life/live-config.ts';
import type { Replies } from '../protocol.ts';
import type { SessionFiles } from '../runs/session-files.ts';
import type { Echo } from './echo.ts';
import { invalidate, isAnything } from './invalidate.ts';
import type { ServedView } from './served-view.ts';

/** Of the files that lost something; the daemon's log has more. */
const MOST_TOLD = 3;
const HINT = 'the same command again goes on with what is stored: it is what the view shows now';

/** Resolves to 0 or the first failure, negative. Rejects with a UserError once the view is being ended: the kernel writes back by itself then. */
export async function writeBack(holder: Holder): Promise<number> {
  const result = await writeBackOnce(holder);
  // Told of a process that was killed: a request of its own (for the times of a file) was withdrawn. What it wrote is not
  // lost, as the kernel sends that by itself; now that this is told, the next answer is about that.
  return failed(result) === EINTR ? writeBackOnce(holder) : result;
}

async function writeBackOnce({ roots }: Holder): Promise<number> {
  if (roots === undefined) throw viewHasEnded();
  const fds = roots.second === undefined ? [roots.first] : [roots.first, roots.second];
  const results = await Promise.all(fds.map((fd) => syncfsAsync(fd)));
  return results.find((result) => failed(result) !== undefined) ?? 0;
}

/** A view that is being written to. */
export interface WrittenView extends ServedView {
  readonly echo: Pick<Echo, 'run'>;
  readonly files: Pick<SessionFiles, 'project'>;
}

/**
 * The same; afterwards the view shows what is stored, and nothing else. As many a program does not look at what close(2) says, somebody
 * has to be told of what could not be stored, or was refused for the quota: the caller by what this returns (`telling`), or by the UserError with which it rejects,
 * before the files are committed (`strict`); else it waits for the next that can.
 */
export async function storeAll(
  view: WrittenView,
  mode: 'tolerant' | 'telling' | 'strict',
): Promise<string | undefined> {
  const { holder, worker, notifiers, echo } = view;
  const failure = failed(await writeBack(holder));
  const { forget, errno = failure, quota, ...lost } = await worker.order('unstored', { tell: mode !== 'tolerant' });
  await invalidate(notifiers, forget);
  // Some of it may be what a copy-up has found changed outside: of what is open the kernel has another size until that is made.
  if (isAnything(forget)) echo.run();
  if (mode === 'tolerant') return undefined;
  const limit = quota === undefined ? undefined : usedUp(quota);
  if (errno === undefined) return limit;
  // What the kernel has learned meanwhile is about the same files: nobody needs to hear of it again.
  if (lost.paths.length > 0) await writeBack(holder);
  const { message } = new SystemError('cannot store all that was written in the view', errno);
  log(message + incomplete(lost, view, Number.POSITIVE_INFINITY));
  const told = message + incomplete(lost, view, MOST_TOLD) + (limit === undefined ? '' : `; ${limit}`);
  if (mode === 'strict') throw new UserError(told, HINT);
  return told;
}

/** All that was written is on the disk then, for who reads the session there; what a person should know of it besides. */
export async function flush(view: WrittenView & { readonly config: LiveConfig }): Promise<Replies['flush']> {
  await storeAll(view, 'tolerant');
  return { ...(await view.worker.order('flush', null)), ...view.config.told, ...view.holder.told };
}

/** What a person can do is told, as here deleting a file, which helps on a full disk, frees nothing that a snapshot has. */
function usedUp(quota: number): string {
  return `the quota (${renderSize(quota)}) is used up: 'yolofs gc --max-size SIZE' or a larger one makes room`;
}

function incomplete({ paths, more }: Pick<Losses, 'paths' | 'more'>, { files }: WrittenView, most: number): string {
  if (paths.length === 0) return '';
  const { project } = files;
  const names = paths
    .slice(0, most)
    .map((path) => label(isWithin(path, project) ? path.slice(project.length + 1) : path));
  const left = paths.length - names.length + more;
  return `; incomplete: ${names.join(', ')}${left === 0 ? '' : ` and ${left} more`}`;
}
