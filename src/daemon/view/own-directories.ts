/** Directories that agents have of their own in this session: what they write there, nobody outside reads. */
import { createHash } from 'node:crypto';
import type { Layout } from '../../history/layout.ts';
import type { OwnDirectory } from '../../sandbox/holder.ts';
import { isWithin, toBytePath } from '../../sys/bytes.ts';
import { ensureDirectory } from '../../sys/files/files.ts';
import { realPath } from '../../sys/files/text-files.ts';

/** Makes them. One that is missing on the host is left out, as there is nothing in the view that it could cover. */
export function prepareOwn(paths: readonly string[], layout: Layout): OwnDirectory[] {
  if (paths.length > 0) ensureDirectory(layout.own, 0o700);
  return paths.flatMap((path) => {
    const at = realPath(path);
    if (at === undefined || isWithin(toBytePath(layout.dir), toBytePath(at))) return [];
    const dir = `${layout.own}/${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
    ensureDirectory(dir, 0o700);
    return [{ dir, at }];
  });
}
