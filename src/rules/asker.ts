/** The door between the gate, which finds that a person has to be asked, and whoever asks. */
import type { Caller } from '../fuse/filesystem.ts';
import type { BytePath } from '../sys/bytes.ts';
import type { Access, State } from './states.ts';

/** Which rule decided. */
export interface Decider {
  readonly state: State;
  /** As written: an absolute path or a glob. */
  readonly pattern: string;
  /** Where it is from: `default`, `user`, `project`, or a rule of the running session that is in no file. */
  readonly layer: 'default' | 'user' | 'project' | 'session';
  /** `FILE:LINE` of a rule in a file. */
  readonly place?: string;
}

/** The system call, as a person would name it. */
export type GatedOp =
  | 'open'
  | 'create'
  | 'mkdir'
  | 'symlink'
  | 'mknod'
  | 'unlink'
  | 'rmdir'
  | 'rename'
  | 'link'
  | 'list'
  | 'attributes'
  | 'truncate'
  | 'write'
  | 'read';

/** One access that a rule says to ask about. Holds only during the call, as its caller does. */
export interface Question {
  /** What is accessed, in the view: for a change of a directory's names the name that is made or removed. */
  readonly path: BytePath;
  readonly access: Access;
  readonly op: GatedOp;
  readonly rule: Decider;
  readonly caller: Caller;
}

/**
 * `pass` and `refuse` decide; `later`: the request is put off (the gate answers LATER), and the same request comes again
 * when it is resumed, and asks the same question again.
 */
export type Verdict = 'pass' | 'refuse' | 'later';

/** Called on the FUSE thread, so it must not wait. */
export interface Asker {
  ask(question: Question): Verdict;
}
