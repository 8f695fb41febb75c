/**
 * The steps of a commit: plain data, each one action on (directory, name) that can be taken back until the
 * commit is through. What taking back needs to know is noted in the step when it was carried out (`how`).
 * Carrying out is in apply/, in which order is decided in plan.ts.
 */
import type { BytePath, Name, ObjectId } from '../sys/bytes.ts';
import { label } from '../sys/bytes.ts';
import { S_IFDIR, S_IFLNK, S_IFREG } from '../sys/stat.ts';
import type { FileAttributes } from './apply/attributes.ts';
import type { Directory, Slot } from './apply/directories.ts';

export type { FileAttributes } from './apply/attributes.ts';
export type { Slot } from './apply/directories.ts';
export { Directory } from './apply/directories.ts';

interface About {
  /** The path in the view that a failure is told about. */
  readonly path: BytePath;
}

/**
 * Moves an entry of the base: to a temporary name because its name is needed (`save`) or because it is deleted
 * or replaced (`aside`), or from its temporary name to where the view has it (`place`).
 */
export interface Move extends About {
  readonly do: 'move';
  readonly why: 'save' | 'aside' | 'place';
  readonly from: Slot;
  readonly to: Slot;
  /** The entry itself, if it is a directory that other steps work in. */
  readonly directory: Directory | undefined;
  /** Where it was, for people. */
  readonly origin?: BytePath;
  /** Its content, changed, is put elsewhere: it is not deleted, as far as people are concerned. */
  readonly superseded?: boolean;
  how?: 'renamed' | 'copied';
}

/** Puts a content object at a name. */
export interface Place extends About {
  readonly do: 'place';
  readonly object: ObjectId;
  readonly at: Slot;
  /** A file of the base is there and is replaced. */
  readonly over: boolean;
  /** Where its original was, if it moved. */
  readonly origin: BytePath | undefined;
  /** A free temporary name in the same directory. */
  readonly spare: Name;
  readonly attributes: FileAttributes;
  /** Those of `attributes` that the object does not have already. */
  readonly adjust: FileAttributes | undefined;
  /** Which file was moved (a copy in the same directory when the store is on another file system), and in which way. */
  how?: { readonly source: 'object' | 'copy'; readonly put: 'renamed' | 'exchanged' | 'aside' };
}

/** Makes a directory, symlink, fifo, socket or device node. */
export interface Make extends About {
  readonly do: 'make';
  readonly type: number;
  readonly at: Slot;
  readonly target: string | undefined;
  readonly rdev: number;
  readonly attributes: FileAttributes;
}

/** Gives a file one more name. */
export interface LinkName extends About {
  readonly do: 'link';
  readonly from: Slot;
  readonly at: Slot;
}

/** Writes content into a file of the base, which keeps its identity: for files with several names or another owner. */
export interface Rewrite extends About {
  readonly do: 'rewrite';
  readonly object: ObjectId;
  readonly at: Slot;
  /** File in the store that keeps the old content until the commit is through. */
  readonly backup: Name;
  readonly attributes: FileAttributes;
  readonly before: FileAttributes;
}

/** Sets attributes. */
export interface Adjust extends About {
  readonly do: 'adjust';
  /** A directory is adjusted wherever it is by then. */
  readonly at: Slot | Directory;
  readonly attributes: FileAttributes;
  readonly before: FileAttributes;
  /** A side effect (a directory's times): nobody minds if the system does not let us. */
  readonly lenient: boolean;
  /** What `describe` says; undefined: nothing. */
  readonly says: 'attributes' | undefined;
}

export type Step = Move | Place | Make | LinkName | Rewrite | Adjust;

const MADE: Readonly<Record<number, string>> = { [S_IFDIR]: 'directory', [S_IFLNK]: 'symlink', [S_IFREG]: 'file' };

/** The step as a line for people; undefined for one that only prepares another or tidies up. */
export function describeStep(step: Step): string | undefined {
  const path = label(step.path);
  switch (step.do) {
    case 'move':
      return describeMove(step, path);
    case 'place':
      return describePlace(step, path);
    case 'make':
      return `create ${MADE[step.type] ?? 'node'} ${path}`;
    case 'link':
      return `link ${path}`;
    case 'rewrite':
      return `rewrite file ${path}`;
    case 'adjust':
      return step.says === undefined ? undefined : `set attributes of ${path}`;
  }
}

function describePlace({ over, origin }: Place, path: string): string {
  if (origin !== undefined) return `rename ${label(origin)} to ${path}, with new content`;
  return `${over ? 'replace' : 'create'} file ${path}`;
}

function describeMove(step: Move, path: string): string | undefined {
  if (step.why === 'save' || step.superseded === true) return undefined;
  return step.why === 'aside' ? `delete ${path}` : `rename ${label(step.origin ?? '')} to ${path}`;
}
