/**
 * A directory tree of this machine as a source: no server, so the tests' oracle, and the shortest example of an adapter.
 *
 *     /a/tree/.acl.json          {"guide": ["public"], "internal/billing.md": ["billing"]}: the nearest entry above counts
 *     /a/tree/guide/oauth.md     a file; one that is a named pipe has a length that nobody knows before it was read
 */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { EACCES, EIO, EISDIR, ENOENT, type Errno } from '../../../sys/errno.ts';
import { lookUp, putFile, readTarget, readWhole, removeAt, type Walked, walk } from '../../../sys/files/walk.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { SourceConfig } from '../../config.ts';
import {
  type Change,
  type Entry,
  type Listing,
  maySee,
  type Outcome,
  type Principal,
  PUBLIC,
  type Read,
  type Source,
  SourceError,
  type SourceFault,
} from '../../source.ts';

const ACL_FILE = '.acl.json';
const PERMISSIONS = 0o7777;

const EVERYBODY = [PUBLIC];
const NOBODY: readonly string[] = [];

/** Which groups may see what is at and below a path; `` is the root. */
type Acls = Readonly<Record<string, readonly string[]>>;

/** Opens the directory that a table names. Throws a UserError where it names none. */
export function openMemory({ name, dir, open }: SourceConfig): Source {
  if (dir === undefined) throw new UserError(`source '${name}' names no directory`);
  return new MemorySource(dir, open);
}

class MemorySource implements Source {
  readonly #root: string;
  readonly #isOpen: boolean;

  constructor(root: string, isOpen: boolean) {
    this.#root = root;
    this.#isOpen = isOpen;
  }

  async tree(principal: Principal, known: string | undefined, signal: AbortSignal): Promise<Listing | 'unchanged'> {
    return this.#asked(signal, async () => {
      const acls = await this.#acls(signal);
      const entries: Entry[] = [];
      for await (const one of walk(this.#root, signal)) {
        const acl = this.#aclOf(acls, one.path);
        if (one.path !== ACL_FILE && maySee(principal, acl)) entries.push(entryOf(one, acl));
      }
      entries.sort((a, b) => (a.path < b.path ? -1 : 1));
      const hash = createHash('sha256');
      for (const entry of entries) hash.update(JSON.stringify(entry));
      const version = hash.digest('hex');
      return version === known ? 'unchanged' : { version, entries };
    });
  }

  readMany(entries: readonly Entry[], principal: Principal, signal: AbortSignal): Promise<Read[]> {
    return Promise.all(entries.map((entry) => this.#read(entry, principal, signal)));
  }

  async commit(changes: readonly Change[], principal: Principal, signal: AbortSignal): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const change of changes) {
      signal.throwIfAborted();
      outcomes.push(await this.#apply(change, principal));
    }
    return outcomes;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #read(entry: Entry, principal: Principal, signal: AbortSignal): Promise<Read> {
    try {
      const path = `${this.#root}/${entry.path}`;
      const acls = await this.#acls(signal);
      if (!maySee(principal, this.#aclOf(acls, entry.path))) return { errno: ENOENT, cause: 'it is not there' };
      const stats = await lookUp(path);
      if (stats.isSymbolicLink()) return { content: Buffer.from(await readTarget(path)), rev: revOf(stats) };
      return { content: await readWhole(path, signal), rev: revOf(stats) };
    } catch (error) {
      signal.throwIfAborted();
      return faultOf(error);
    }
  }

  async #apply(change: Change, principal: Principal): Promise<Outcome> {
    const path = `${this.#root}/${change.path}`;
    try {
      const acls = await this.#acls(new AbortController().signal);
      const isSeen = maySee(principal, this.#aclOf(acls, change.path));
      const now = await lookUp(path).then(revOf, () => undefined);
      // Of what somebody else keeps at this path nothing is said, not even its revision.
      if (!isSeen)
        return { kind: 'failed', fault: { errno: EACCES, cause: `nobody of these groups sees ${change.path}` } };
      if (now !== change.base) return { kind: 'conflict', rev: now };
      if (change.kind === 'remove') {
        await removeAt(path);
        return { kind: 'done', rev: undefined };
      }
      await putFile(path, change.content);
      return { kind: 'done', rev: revOf(await lookUp(path)) };
    } catch (error) {
      return { kind: 'failed', fault: faultOf(error) };
    }
  }

  async #acls(signal: AbortSignal): Promise<Acls> {
    const bytes = await readWhole(`${this.#root}/${ACL_FILE}`, signal).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return bytes === undefined ? {} : (JSON.parse(bytes.toString('utf8')) as Acls);
  }

  #aclOf(acls: Acls, path: string): readonly string[] {
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const groups = acls[at];
      if (groups !== undefined) return groups;
      if (at === '') return this.#isOpen ? EVERYBODY : NOBODY;
    }
  }

  async #asked<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const { errno, cause } = faultOf(error);
      throw new SourceError(errno, cause);
    }
  }
}

function entryOf({ path, stats }: Walked, acl: readonly string[]): Entry {
  const kind = stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : 'file';
  const size = kind === 'directory' ? 0 : stats.isFIFO() ? undefined : stats.size;
  return { path, kind, size, mtime: Math.floor(stats.mtimeMs), rev: revOf(stats), acl };
}

/** Of a pipe what it says is not known, so that it counts as the same as long as it is there. */
function revOf(stats: Stats): string {
  if (stats.isDirectory()) return 'directory';
  if (stats.isFIFO()) return `pipe ${stats.ino}`;
  return `${stats.ino} ${stats.mtimeMs} ${stats.size} ${stats.mode & PERMISSIONS}`;
}

const ERRNOS: Readonly<Record<string, Errno>> = { ENOENT, EACCES, EISDIR };

function faultOf(error: unknown): SourceFault {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined) return { errno: EIO, cause: `${ACL_FILE} makes no sense` };
  return { errno: ERRNOS[code] ?? EIO, cause: `${syscall ?? 'a call'} failed: ${code}` };
}
