/** Where the mirrors of a session lie. */
import { createHash } from 'node:crypto';
import type { Layout } from '../../history/layout.ts';
import { saveMounts, takeMounts } from '../../history/registry/mounts.ts';
import type { SourceConfig } from '../../sources/config.ts';
import { toBytePath } from '../../sys/bytes.ts';
import { makeDirectories } from '../../sys/files/hollow.ts';
import { makePrivateDirectories } from '../../sys/files/plain-directory.ts';
import { lookAt, namesIn, readText, realPath, removeTree, saveText } from '../../sys/files/text-files.ts';
import { pendingIn } from './commit-sources.ts';
import type { Kept } from './messages.ts';

/** Makes the directories that the view has and the host has not, and takes away what another configuration has left. */
export function makeMirrors(layout: Layout, configs: readonly SourceConfig[]): readonly Kept[] {
  if (configs.length === 0 && lookAt(layout.sources) === undefined) return [];
  makePrivateDirectories(`${layout.sources}/state`);
  const own = realPath(layout.sources) ?? layout.sources;
  const unsettled = new Set(pendingIn(layout).map(({ name }) => name));
  const kept = configs.map((config) => ({
    config,
    root: `${own}/root${config.at}`,
    state: `${own}/state/${keyOf(config)}`,
    isUnsettled: unsettled.has(config.name),
  }));
  for (const name of namesIn(`${own}/state`)) {
    const state = `${own}/state/${name}`;
    if (kept.some((one) => one.state === state)) continue;
    const root = readText(`${state}/root`);
    if (root?.startsWith(`${own}/root/`)) removeTree(root);
    removeTree(state);
  }
  for (const { root, state } of kept) {
    makeDirectories(root);
    makeDirectories(state);
    if (readText(`${state}/root`) !== root) saveText(`${state}/root`, root);
  }
  const tops = [...new Set(configs.map(({ at }) => topOf(at)))];
  saveMounts(
    layout,
    tops.map((at) => ({ at: toBytePath(at), dir: toBytePath(`${own}/root${at}`) })),
  );
  takeMounts(layout);
  return kept;
}

/** Who reads what: another principal has another mirror. */
function keyOf({ token: _, cache: __, pointers: ___, ...config }: SourceConfig): string {
  return `${config.name}-${createHash('sha256').update(JSON.stringify(config)).digest('hex').slice(0, 16)}`;
}

/** The first directory on the way that the host does not have; that of the source itself if it has them all. */
function topOf(at: string): string {
  const names = at.slice(1).split('/');
  for (let i = 1; i < names.length; i++) {
    const path = `/${names.slice(0, i).join('/')}`;
    if (lookAt(path) === undefined) return path;
  }
  return at;
}
