/** The names of mounts on the host. */
import { basename } from 'node:path';
import type { Layout } from '../../history/layout.ts';

/** By what the mounts of a session are named, so that what a killed daemon has left is found. */
export function sourceOf({ entry }: Pick<Layout, 'entry'>): string {
  return `yolofs:${basename(entry)}`;
}
