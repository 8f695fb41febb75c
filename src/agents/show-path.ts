/** Paths as people want to read them: relative to where they stand when in the project, absolute anywhere else. */
import { relative } from 'node:path';
import type { FileType } from '../daemon/protocol.ts';
import { type BytePath, isWithin, label, toBytePath } from '../sys/bytes.ts';

/** From where paths are looked at. */
export interface Viewpoint {
  readonly project: BytePath;
  readonly cwd: BytePath;
}

/** The directory `cwd` (text) as a viewpoint on the project at `project` (text). */
export function viewpointOf(project: string, cwd = process.cwd()): Viewpoint {
  return { project: toBytePath(project), cwd: toBytePath(cwd) };
}

/** Whether a change lies where nobody expects one: outside of the project. */
export function isOutside(path: BytePath, from: Viewpoint): boolean {
  return !isWithin(path, from.project);
}

/** Printable text for a path; a directory ends in `/`. */
export function showPath(path: BytePath, from: Viewpoint, type: FileType = 'file'): string {
  const shown = isOutside(path, from) || isOutside(from.cwd, from) ? path : seenFrom(from.cwd, path);
  return label(type === 'directory' && shown !== '/' ? `${shown}/` : shown);
}

/** `relative` of node:path, which takes its time, is left for what lies further up. */
function seenFrom(cwd: BytePath, path: BytePath): string {
  if (cwd !== '/' && path.length > cwd.length && isWithin(path, cwd)) return path.slice(cwd.length + 1);
  return relative(cwd, path) || '.';
}
