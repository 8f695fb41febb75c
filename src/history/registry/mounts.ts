/**
 * The directories of the view that lie in the session's entry of the registry: those of sources. Whoever reads the base of a session
 * has them first, with a daemon or without one.
 *
 *     ENTRY/sources/mounts.json      [{"at": "/sources", "dir": ".../sources/root/sources"}]
 *     ENTRY/sources/root/...         what is at these paths
 */
import { HostTree } from '../../staging/host-tree.ts';
import { toBytePath } from '../../sys/bytes.ts';
import { readText, saveText } from '../../sys/files/text-files.ts';
import { type Mounted, setMounts } from '../../sys/mounts.ts';
import type { Layout } from '../layout.ts';

/** Writes down what counts from now on for whoever opens the session; its directory has to be there. */
export function saveMounts(layout: Layout, mounts: readonly Mounted[]): void {
  const text = JSON.stringify(mounts);
  if (readText(fileOf(layout)) !== text) saveText(fileOf(layout), text);
}

/** Has this thread go by the session's mounts. */
export function takeMounts(layout: Layout): void {
  const text = readText(fileOf(layout));
  setMounts(text === undefined ? [] : (JSON.parse(text) as readonly Mounted[]));
}

/** The base of a session, for reading beside the view. */
export function openBase(layout: Layout): HostTree {
  takeMounts(layout);
  return new HostTree({ hidden: [toBytePath(layout.dir)], empty: [] });
}

function fileOf({ sources }: Layout): string {
  return `${sources}/mounts.json`;
}
