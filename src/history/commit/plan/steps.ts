/**
 * The steps of a commit: plain data, each one action on (directory, name) that can be taken back. They name what they
 * move by its identity, and every temporary name is decided beforehand, so that the base itself tells which of them
 * were carried out. Carrying out is in apply/, in which order is decided in plan.ts, writing them down in runner/.
 */
import type { Time } from '../../../staging/inode.ts';
import type { BytePath, Name, ObjectId } from '../../../sys/bytes.ts';
import { label } from '../../../sys/bytes.ts';
import { S_IFDIR, S_IFLNK, S_IFREG } from '../../../sys/stat.ts';
import type { FileAttributes } from '../apply/attributes.ts';
import type { Directory, Slot } from '../apply/directories.ts';
import type { Identity, Looks, Seen } from './identity.ts';

export type { FileAttributes } from '../apply/attributes.ts';
export type { Slot } from '../apply/directories.ts';
export { Directory } from '../apply/directories.ts';
export type { Identity, Looks, Seen } from './identity.ts';

interface About {
  /** The path in the view that a failure is told about. */
  readonly path: BytePath;
}

/**
 * Moves an entry of the base: to a temporary name because its name is needed (`save`), to the backups because it is
 * deleted or replaced (`aside`), or from its temporary name to where the view has it (`place`).
 */
export interface Move extends About {
  readonly do: 'move';
  readonly why: 'save' | 'aside' | 'place';
  readonly from: Slot;
  readonly to: Slot;
  readonly id: Identity;
  readonly looks: Looks;
  /** A free name: beside `from` for what cannot get to the backups at once, beside `to` for a copy in the making. */
  readonly spare: Name;
  /** Name in the backups; what is saved has none. */
  readonly kept: Name | undefined;
  /** The entry itself, if it is a directory that other steps work in. */
  readonly directory: Directory | undefined;
  /** Where it was, for people. */
  readonly origin?: BytePath;
  /** Its content, changed, is put elsewhere: it is not deleted, as far as people are concerned. */
  readonly superseded?: boolean;
  /** Of a file with one name that is to go: no step before this one has changed it. */
  readonly seen?: Seen | undefined;
}

/** Puts a content object at a name. */
export interface Place extends About {
  readonly do: 'place';
  readonly object: ObjectId;
  readonly id: Identity;
  readonly size: number;
  readonly at: Slot;
  /** The file of the base that is there and is replaced. */
  readonly over: Identity | undefined;
  /** Of that file, if it has one name: no step before this one has changed it. */
  readonly seen?: Seen | undefined;
  /** Where its base entry was, if it moved. */
  readonly origin: BytePath | undefined;
  /** A free temporary name in the same directory; with `-copy` after it, another. */
  readonly spare: Name;
  /** Name in the backups for what is replaced. */
  readonly kept: Name;
  readonly attributes: FileAttributes;
  /** Those of `attributes` that the object does not have already. */
  readonly adjust: FileAttributes | undefined;
  /** The object's own time, where it gets another: states that say nothing of a file's time show that of its object. */
  readonly own?: Time | undefined;
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
  /** A free temporary name beside `at`. */
  readonly spare: Name;
}

/** Writes content into a file of the base, which keeps its identity: for files with several names or another owner. */
export interface Rewrite extends About {
  readonly do: 'rewrite';
  readonly object: ObjectId;
  readonly at: Slot;
  readonly id: Identity;
  readonly size: number;
  /** Name in the backups for a copy of the old content. */
  readonly kept: Name;
  readonly attributes: FileAttributes;
  readonly before: FileAttributes;
  readonly seen?: Seen | undefined;
}

/** Sets attributes. */
export interface Adjust extends About {
  readonly do: 'adjust';
  /** A directory is adjusted wherever it is by then. */
  readonly at: Slot | Directory;
  /** What is adjusted; undefined: something that the commit itself makes. */
  readonly id: Identity | undefined;
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
  return `${over === undefined ? 'create' : 'replace'} file ${path}`;
}

function describeMove(step: Move, path: string): string | undefined {
  if (step.why === 'save' || step.superseded === true) return undefined;
  return step.why === 'aside' ? `delete ${path}` : `rename ${label(step.origin ?? '')} to ${path}`;
}
