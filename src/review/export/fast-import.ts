/** Steps in the language of `git fast-import`: whole contents, by names. Nothing of a repository is read for it. */

import { type Facts, typeOf } from '../../history/diff/facts.ts';
import type { PathChange, Side } from '../../history/diff/path-change.ts';
import { attributesOf } from '../../history/diff/side-attributes.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { describeErrno, type Errno, SystemError } from '../../sys/errno.ts';
import { close, pread } from '../../sys/libc.ts';
import { S_IFLNK } from '../../sys/stat.ts';

const CHUNK = 1 << 20;
const EXECUTE = 0o100;

export interface CommitHead {
  readonly ref: string;
  /** `Name <address>`, as git writes it. */
  readonly who: string;
  readonly seconds: number;
  readonly message: string;
  /** The commit that it comes after; undefined: the one before it on `ref`, or none. */
  readonly from: string | undefined;
}

interface Context {
  readonly facts: Facts;
  readonly project: BytePath;
}

/** One commit. Throws a SystemError where a content cannot be read. */
export function* commitPieces(
  head: CommitHead,
  changes: readonly PathChange[],
  context: Context,
): Generator<Buffer, void> {
  const { ref, who, seconds, message, from } = head;
  const text = Buffer.from(`${message}\n`);
  yield Buffer.from(`commit ${ref}\ncommitter ${who} ${seconds} +0000\ndata ${text.length}\n`);
  yield text;
  if (from !== undefined) yield Buffer.from(`from ${from}\n`);
  for (const { path, from: was, newSide } of changes) {
    if (was !== undefined) yield line(`D ${nameOf(was, context)}`);
    if (newSide === undefined) yield line(`D ${nameOf(path, context)}`);
  }
  for (const { path, newSide } of changes) if (newSide !== undefined) yield* filePieces(path, newSide, context);
  yield line('');
}

function* filePieces(path: BytePath, side: Side, context: Context): Generator<Buffer, void> {
  const { facts } = context;
  const isLink = typeOf(side.backing) === S_IFLNK;
  const mode = isLink ? '120000' : ((attributesOf(side, facts).mode ?? 0) & EXECUTE) === 0 ? '100644' : '100755';
  yield line(`M ${mode} inline ${nameOf(path, context)}`);
  if (isLink) {
    const target = Buffer.from(facts.target(side.backing) ?? '', 'latin1');
    yield line(`data ${target.length}`);
    yield target;
  } else yield* contentPieces(path, side, facts);
  yield line('');
}

/** As long as it was said to be, or it is an error. */
function* contentPieces(path: BytePath, { backing }: Side, facts: Facts): Generator<Buffer, void> {
  const size = facts.size(backing) ?? 0;
  const fd = facts.open(backing);
  if (fd < 0) throw new SystemError(`cannot read ${path}: ${describeErrno(-fd as Errno)}`, -fd as Errno);
  try {
    yield line(`data ${size}`);
    for (let at = 0; at < size; ) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK, size - at));
      const got = pread(fd, chunk, chunk.length, at);
      // What is missing would be taken from the commands that follow.
      if (got <= 0) throw new SystemError(`cannot read all of ${path}`, 5 as Errno);
      yield chunk.subarray(0, got);
      at += got;
    }
  } finally {
    close(fd);
  }
}

/** Below the project, quoted wherever fast-import might take it for something else. */
function nameOf(path: BytePath, { project }: Context): string {
  const name = path.slice(project === '/' ? 1 : project.length + 1);
  if (/^[\w.][\w./-]*$/.test(name)) return name;
  const octal = (c: string): string => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `"${name.replace(/[^\w./ -]/g, octal)}"`;
}

function line(text: string): Buffer {
  return Buffer.from(`${text}\n`, 'latin1');
}
