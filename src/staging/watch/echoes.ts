/**
 * What somebody changed outside is made in the view as well, by a process of ours there (sandbox/echo-script.ts): so the kernel's own size and
 * time of a file that is open or watched follow, which under write-back nothing else brings about, and inotify(7) tells. Here is what is to be
 * made, and the answer to the requests that come of it. They change nothing, and are recorded nowhere.
 *
 *     note() ─▶ take() ─▶ … the init makes system calls, which end here … ─▶ close()
 *
 * A file that has changed goes on under its node meanwhile (`Resolver.awaited`) and is `stale`: whoever writes to it writes to what it was.
 */
import type { AttrChange, AttrReply, Entry } from '../../fuse/filesystem.ts';
import type { BytePath, Ino, Name, NodeId } from '../../sys/bytes.ts';
import { join } from '../../sys/bytes.ts';
import { EIO, ENOENT, EPERM, type Errno, OK } from '../../sys/errno.ts';
import { S_IFREG, type Stat } from '../../sys/stat.ts';
import { isAsSeen, noteSeen, seenTime, timeSet } from '../copy-up/seen-version.ts';
import type { Core } from '../core.ts';
import { Inode, viewPath } from '../inode.ts';
import { type Invalidation, reread } from '../invalidation.ts';
import type { Place } from '../override-tree.ts';
import { presentOwner } from '../owner.ts';
import { isSameOne } from '../resolver.ts';
import type { Happened } from './base-watch.ts';

/** Names that wait at most: beyond it files get new nodes, as where nobody can make the calls. */
const MOST_NOTED = 20_000;
/** System calls that are asked for at once. */
const MOST_STEPS = 256;
/** Of what is made to be removed at once: whoever watches a directory hears of a name that is gone. */
const PASSING = 2 ** 47;

/** What is noted of a name. */
interface Note {
  readonly what: Happened;
  /** What had the name before, and lost it. */
  readonly old: Inode | undefined;
}

/** System calls to be made of one name, by the words of sandbox/echo-script.ts. */
export interface EchoStep {
  readonly how: Happened | 'unlink' | 'rmdir' | 'passing';
  readonly path: BytePath;
  /** Of what is born: S_IFMT bits. Of what was written: its mtime, and what the kernel takes for its size if it has another now, else -1. */
  readonly more: readonly number[];
}

/** What is being made of a name. */
interface Expected {
  /** What has the name until it is removed. */
  old: Inode | undefined;
  /** Whether the kernel has been told so. */
  isShown: boolean;
  /** What becomes of the name then: made; made and removed; or just looked at. */
  next: 'born' | 'passing' | 'there';
  /** Seconds and nanoseconds that its file is to have. */
  readonly mtime: readonly number[];
}

export class Echoes {
  readonly #core: Core;
  readonly #noted = new Map<Inode, Map<Name, Note>>();
  #count = 0;
  /** What the init is asked to make just now. */
  readonly #expected = new Map<Inode, Map<Name, Expected>>();
  /** Files of which the kernel's size or time is to follow by that. */
  readonly #following = new Set<Inode>();
  /** Of these, that did follow, to what the file is no more. */
  readonly #outrun = new Set<Inode>();
  #init = 0;

  constructor(core: Core) {
    this.#core = core;
  }

  /** The process that makes what is noted; 0: there is none. */
  get init(): number {
    return this.#init;
  }

  /** From now on this process makes what is noted. */
  offer(init: number): void {
    this.#init = init;
  }

  /** Whether something is noted. */
  get areNoted(): boolean {
    return this.#count > 0;
  }

  /** Something happened to a name, which stood for `old` if it does not any more; false: nobody will make it in the view. */
  note(dir: Inode, name: Name, what: Happened, old?: Inode): boolean {
    if (this.#init === 0 || this.#count >= MOST_NOTED) return false;
    const names = this.#noted.get(dir) ?? new Map<Name, Note>();
    if (names.size === 0) this.#noted.set(dir, names);
    const before = names.get(name);
    if (before === undefined) this.#count += 1;
    // What is new was not there to be changed, for who watches.
    const isStillNew = before?.what === 'born' && what !== 'gone';
    names.set(name, { what: isStillNew ? 'born' : what, old: before?.old ?? old });
    return true;
  }

  /**
   * What is to be made now, when the kernel was told what it has to forget; `watched`: the inode numbers of which some process in the
   * view wants to hear.
   */
  take(watched: ReadonlySet<number>): readonly EchoStep[] {
    const steps: EchoStep[] = [];
    for (const [dir, names] of this.#noted) {
      for (const [name, note] of names) {
        if (steps.length >= MOST_STEPS) return steps;
        names.delete(name);
        this.#count -= 1;
        steps.push(...this.#steps({ dir, name }, note, watched));
      }
      this.#noted.delete(dir);
    }
    return steps;
  }

  /** What a name stands for to the init, which is about to remove it or to make it; undefined: for what it stands for to all. */
  lookup(parent: NodeId, name: Name): Entry | Errno | undefined {
    const expected = this.#expects(parent, name);
    if (expected?.old === undefined) return expected === undefined || expected.next === 'there' ? undefined : ENOENT;
    expected.isShown = true;
    return this.#entry(expected.old);
  }

  /** The init removes a name: OK if it was to. */
  remove(parent: NodeId, name: Name): Errno {
    const expected = this.#expects(parent, name);
    if (expected?.old === undefined || !expected.isShown) return EPERM;
    expected.old = undefined;
    return OK;
  }

  /** The init makes a name: 'born': it is to be what is there; an entry: it is to be this, which it will remove. */
  make(parent: NodeId, name: Name): 'born' | Entry | Errno {
    const expected = this.#expects(parent, name);
    if (expected === undefined || expected.next === 'there') return EPERM;
    const { next } = expected;
    expected.next = 'there';
    if (next === 'born') return 'born';
    expected.old = new Inode(S_IFREG, PASSING as Ino, undefined);
    expected.isShown = true;
    return this.#entry(expected.old);
  }

  /** Whether the init is to open a file by a name, or to set its attributes. */
  mayTouch(parent: NodeId, name: Name): boolean {
    return this.#expects(parent, name) !== undefined;
  }

  /** Whether it was asked to set this time; any other is what the kernel had to write back while it was at it. */
  mayDate(parent: NodeId, name: Name, mtime: AttrChange['mtime']): boolean {
    const [sec, nsec] = this.#expects(parent, name)?.mtime ?? [];
    return typeof mtime === 'object' && mtime.sec === sec && mtime.nsec === nsec;
  }

  /**
   * The init set the time or the size of a file: what the kernel takes for them is what the base has. EPERM: somebody has changed it in the
   * view, to which the kernel must not be told anything else. (A truncation brings a time along only where the kernel has another size than
   * it is asked for: somebody has written what we do not know yet.)
   */
  followed(nodeId: NodeId, { size, mtime }: AttrChange): AttrReply | Errno {
    const inode = this.#core.layers.table.get(nodeId);
    if (inode === undefined || inode.staged !== undefined || inode.parent?.base === undefined) return EPERM;
    // A copy is ready for what is about to be written.
    if (this.#core.layers.files.pinned(inode) !== undefined) return EPERM;
    if (size === undefined ? typeof mtime !== 'object' : mtime !== undefined || size !== inode.seenSize) return EPERM;
    // It was forgotten meanwhile and found anew, with the size and the time that it has now: no older ones may be set.
    const isAnew = !this.#core.resolver.awaited.has(inode);
    if (isAnew && (typeof mtime !== 'object' || timeSet(mtime) !== inode.seenMtime)) return EPERM;
    const stat = this.#core.base.stat(inode.parent.base, inode.name);
    if (typeof stat === 'number' || !isSameOne(inode, stat)) return EIO;
    // What has happened since it was asked for: of that the kernel may have older pages, and it is asked for once more.
    this.#core.base.catchUp();
    if (size !== undefined) inode.seenSize = stat.size;
    else if (typeof mtime === 'object') inode.seenMtime = timeSet(mtime);
    if (isAsSeen(inode, stat) && !this.#isNoted(inode)) {
      noteSeen(inode, stat);
      this.#following.delete(inode);
      this.#core.resolver.awaited.delete(inode);
    } else if (size === undefined && inode.seenMtime !== seenTime(stat)) this.#outrun.add(inode);
    return { stat: presentOwner(this.#core.layers.owner, stat), attrValid: 0 };
  }

  /** What the kernel must forget of files of which somebody has changed something meanwhile, and not the content: they cannot follow. */
  overtaken(): Invalidation[] {
    const { resolver, layers } = this.#core;
    const staged = [...resolver.awaited].filter(
      (inode) => inode.staged !== undefined && resolver.awaited.delete(inode),
    );
    return staged.flatMap((inode) => reread(inode, layers, resolver));
  }

  /**
   * The init has made all, or is not waited for any more: what the kernel must forget of files that could not follow. What has changed
   * again since it followed is noted anew, as the event may be on its way: write(2) sets the times first, and tells of it at its end.
   */
  close(): Invalidation[] {
    this.#expected.clear();
    const { resolver } = this.#core;
    const left = [...this.#following].filter(
      (inode) => resolver.awaited.has(inode) && !this.#isNoted(inode) && !this.#noteAgain(inode),
    );
    this.#following.clear();
    this.#outrun.clear();
    return left.flatMap((inode) => {
      const places = resolver.placesOf(inode).filter(({ dir }) => dir.nodeId !== 0);
      const gone = inode.nodeId;
      resolver.forgetChanged(inode);
      const entries = places.map(({ dir, name }): Invalidation => {
        // Who has it open, too, is to hear of it at once.
        this.note(dir, name, 'born', inode);
        return { kind: 'entry', parent: dir.nodeId, name, ...(gone !== 0 && { gone }) };
      });
      // What went out of use meanwhile the kernel has been told of.
      return gone === 0 ? entries : [...entries, { kind: 'inode', nodeId: gone }];
    });
  }

  #noteAgain(inode: Inode): boolean {
    const places = this.#outrun.has(inode) ? this.#core.resolver.placesOf(inode) : [];
    return places.some(({ dir, name }) => dir.nodeId !== 0 && this.note(dir, name, 'written'));
  }

  #isNoted(inode: Inode): boolean {
    return this.#core.resolver.placesOf(inode).some(({ dir, name }) => this.#noted.get(dir)?.has(name));
  }

  /** What has no name any more, as the init sees it: nobody else asks for it by this one. */
  #entry(inode: Inode): Entry {
    const { table, owner } = this.#core.layers;
    const { uid, gid } = owner;
    const known = this.#core.statOf(inode);
    const stat = typeof known === 'number' ? this.#core.statOf(new Inode(inode.type, inode.ino, undefined)) : known;
    const forNow = { inodeGeneration: 0, entryValid: 0, attrValid: 0 };
    return { ...forNow, nodeId: table.ref(inode), stat: { ...(stat as Stat), uid, gid } };
  }

  #expects(parent: NodeId, name: Name): Expected | undefined {
    const dir = this.#core.layers.table.get(parent);
    return dir && this.#expected.get(dir)?.get(name);
  }

  #steps(at: Place, { what, old }: Note, watched: ReadonlySet<number>): EchoStep[] {
    const dir = viewPath(at.dir);
    if (dir === undefined || (at.dir.base !== undefined && this.#core.base.hides(at.dir.base, at.name))) return [];
    const path = join(dir, at.name);
    const removed = old !== undefined && old.nodeId !== 0 && isHeard(at, old, watched) ? old : undefined;
    const step = this.#step(at, { what, path, wasThere: removed !== undefined }, watched);
    const steps: EchoStep[] = step === undefined ? [] : [step];
    // It follows first, and who watches hears of its attributes all the same.
    if (what === 'touched' && step?.how === 'written') steps.push({ how: 'touched', path, more: [] });
    if (removed !== undefined) steps.unshift({ how: removed.children ? 'rmdir' : 'unlink', path, more: [] });
    if (steps.length === 0) return [];
    const names = this.#expected.get(at.dir) ?? new Map<Name, Expected>();
    const next = step?.how === 'born' || step?.how === 'passing' ? step.how : 'there';
    this.#expected.set(at.dir, names.set(at.name, { old: removed, isShown: false, next, mtime: step?.more ?? [] }));
    return steps;
  }

  #step(
    at: Place,
    { what, path, wasThere }: { what: Happened; path: BytePath; wasThere: boolean },
    watched: ReadonlySet<number>,
  ): EchoStep | undefined {
    const { base, resolver } = this.#core;
    const known = at.dir.children?.get(at.name);
    const isListed = watched.has(at.dir.ino);
    if (!isListed && !(known && (resolver.awaited.has(known) || watched.has(known.ino)))) return undefined;
    const child = resolver.child(at);
    if (typeof child === 'number') return isListed && !wasThere ? { how: 'passing', path, more: [] } : undefined;
    const stat = child.staged === undefined && at.dir.base !== undefined ? base.stat(at.dir.base, at.name) : undefined;
    if (resolver.awaited.has(child)) {
      if (child.nodeId !== 0 && typeof stat === 'object') {
        this.#following.add(child);
        return written(path, child, stat);
      }
      resolver.awaited.delete(child);
    }
    if (!isHeard(at, child, watched)) return undefined;
    if (!isListed && wasThere) return undefined;
    if (isListed && (what === 'born' || wasThere)) return { how: 'born', path, more: [child.type] };
    if (child.type !== S_IFREG) return undefined;
    return what === 'touched' || typeof stat !== 'object'
      ? { how: 'touched', path, more: [] }
      : written(path, child, stat);
  }
}

/** Whether somebody hears of what happens to a file that has, or had, this name. */
function isHeard({ dir }: Place, inode: Inode, watched: ReadonlySet<number>): boolean {
  return watched.has(dir.ino) || watched.has(inode.ino);
}

function written(path: BytePath, inode: Inode, { mtimeSec, mtimeNsec, size }: Stat): EchoStep {
  return { how: 'written', path, more: [mtimeSec, mtimeNsec, size === inode.seenSize ? -1 : inode.seenSize] };
}
