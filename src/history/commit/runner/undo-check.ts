/**
 * Before a commit is taken back: every place that it touched must be what it left there. What somebody changed since
 * is a conflict, and then nothing is changed. A file that was written to by a name that went with its directory, where
 * the backups are on another file system and no other name is known, cannot be looked at: that is a conflict, too.
 *
 * What a commit made (a directory, symlink, node) is known by its type, target and birth time, not by its number; a copy
 * in another file system passes for unchanged while nothing below it has an mtime after the commit. After a reboot device
 * numbers are not compared.
 */
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { label } from '../../../sys/bytes.ts';
import { SystemError } from '../../../sys/errno.ts';
import { appendTo } from '../../../sys/grouped.ts';
import { type Limits, limitsOf } from '../../../sys/host/file-systems.ts';
import * as libc from '../../../sys/libc.ts';
import { decodeStatx, isDirectory, isRegular, S_IFDIR, S_IFMT, STATX_SIZE, type Stat } from '../../../sys/stat.ts';
import { listNames, openToList } from '../apply/list-names.ts';
import { besideOf } from '../apply/move-step.ts';
import { replacedBy } from '../apply/place-step.ts';
import { isLinked, isMade } from '../apply/run-step.ts';
import { holds, isInCopy, isOneOf, openSpot, statAt } from '../apply/spot.ts';
import { keptAt, objectAt, type StepContext, slotOf } from '../apply/step-context.ts';
import type { Adjust, FileAttributes, Identity, Looks, Make, Move, Place, Rewrite, Slot, Step } from '../plan/steps.ts';
import { Directory } from '../plan/steps.ts';
import type { CommitRunner } from './commit-runner.ts';

/** One place that is not as the commit left it. */
export interface UndoConflict {
  readonly path: BytePath;
  /** Both sides, for people: what the commit left, and what is there now. */
  readonly reason: string;
}

type Wanted = Partial<Looks>;

/** What stands in the way of taking the steps back. Throws SystemError when that cannot be told. */
export function checkUndo(runner: CommitRunner): UndoConflict[] {
  return new UndoCheck(runner).run();
}

class UndoCheck {
  readonly #runner: CommitRunner;
  readonly #conflicts: UndoConflict[] = [];
  /** What files look like after the commit, by identity. */
  readonly #wanted = new Map<string, Wanted>();
  /** Names that the commit gave to something. */
  readonly #taken = new Map<Directory, Set<Name>>();
  /** The same by where these directories are: around them, and by name. */
  readonly #takenIn = new Map<Directory, Map<Name, Set<Name>>>();
  /** Files that have their place checked by another step. */
  readonly #moved = new Set<string>();
  /** Where the names are that files have lost, by identity. */
  readonly #lost = new Map<string, Slot[]>();

  constructor(runner: CommitRunner) {
    this.#runner = runner;
  }

  run(): UndoConflict[] {
    for (const step of this.#runner.steps) this.#prepare(step);
    for (const [{ parent, name }, names] of this.#taken)
      if (parent !== undefined) addAll(this.#takenIn, { dir: parent, name }, names);
    for (const step of this.#runner.steps) this.#check(step);
    return this.#conflicts;
  }

  #prepare(step: Step): void {
    if (step.do === 'move' && step.why === 'place') {
      // What it was before the commit; what other steps, perhaps earlier ones, have changed of it counts.
      this.#wanted.set(key(step.id), { ...step.looks, ...this.#wanted.get(key(step.id)) });
      this.#moved.add(key(step.id));
      this.#take(step.to);
    } else if (step.do === 'place' || step.do === 'make' || step.do === 'link') this.#take(step.at);
    if (step.do === 'move' && step.kept !== undefined && step.why === 'aside') {
      this.#lose(step.id, keptAt(this.#runner.context, step.kept), besideOf(step));
    }
    if (step.do === 'place' && step.over !== undefined) this.#lose(step.over, keptAt(this.#runner.context, step.kept));
    if (step.do === 'rewrite') this.#want(step.id, { ...looksOf(step.attributes), size: step.size });
    if (step.do === 'adjust' && step.id !== undefined) {
      const { mtime, ...lasting } = looksOf(step.attributes);
      this.#want(step.id, step.at instanceof Directory ? lasting : present({ mtime, ...lasting }));
    }
  }

  #check(step: Step): void {
    switch (step.do) {
      case 'move':
        this.#checkMove(step);
        return;
      case 'place':
        this.#checkPlace(step);
        return;
      case 'make':
        this.#checkMake(step);
        return;
      case 'link':
        if (!isLinked(step, this.#runner.context)) this.#refuse(step.path, 'a further name', this.#now(step.at));
        return;
      case 'rewrite':
        this.#checkRewrite(step);
        return;
      case 'adjust':
        this.#checkAdjust(step);
        return;
    }
  }

  #checkMove(step: Move): void {
    const { context } = this.#runner;
    if (step.why !== 'place' && !this.#taken.get(step.from.dir)?.has(step.from.name) && statAt(context, step.from)) {
      this.#refuse(step.path, 'nothing', this.#now(step.from));
    }
    if (step.why === 'aside') {
      const places = [keptAt(context, step.kept as Name), besideOf(step)];
      if (!isInCopy(context, step.from.dir) && !places.some((place) => statAt(context, place)))
        this.#refuse(step.path, 'its original in .yolofs', 'not there');
    }
    if (step.why !== 'place') return;
    const copy = context.notes.noted(step, 'new');
    const ids = [step.id, copy];
    const wanted = this.#wanted.get(key(step.id)) ?? step.looks;
    if (!this.#isAs(step.to, ids, wanted)) this.#refuse(step.path, 'what was renamed', this.#now(step.to));
    else if (copy !== undefined && this.#isYounger(step.to)) this.#refuse(step.path, 'a copy', 'changed');
  }

  #checkPlace(step: Place): void {
    const { context } = this.#runner;
    const copy = context.notes.noted(step, 'new');
    const wanted = { ...looksOf(step.attributes), size: step.size };
    if (!this.#isAs(step.at, [step.id, copy], wanted)) {
      this.#refuse(step.path, `a file of ${step.size} bytes`, this.#now(step.at));
    }
    if (copy !== undefined && statAt(context, objectAt(context, step.object)) === undefined) {
      this.#refuse(step.path, 'its content in .yolofs', 'not there');
    }
    if (step.over === undefined || statAt(context, keptAt(context, step.kept)) !== undefined) return;
    if (replacedBy(step, context) === undefined) this.#refuse(step.path, 'its original in .yolofs', 'not there');
  }

  #checkMake(step: Make): void {
    const { context } = this.#runner;
    if (!isMade(step, context)) this.#refuse(step.path, 'what was created', this.#now(step.at));
    else if (step.type === S_IFDIR) this.#checkListing(step);
  }

  /** A directory that is to go must have nothing in it that the commit did not put there. */
  #checkListing(step: Make): void {
    const at = openSpot(this.#runner.context, step.at);
    const fd = typeof at === 'number' ? -at : openToList(at.dirfd, at.name);
    const names = fd < 0 ? [] : listNames(fd);
    if (fd >= 0) libc.close(fd);
    if (typeof names === 'number') throw new SystemError(`cannot list ${label(step.path)}`, names);
    const taken = this.#takenIn.get(step.at.dir)?.get(step.at.name);
    const stranger = names.find((name) => taken?.has(name) !== true);
    if (stranger !== undefined) this.#refuse(step.path, 'a new directory', `with ${label(stranger)} in it`);
  }

  #checkRewrite(step: Rewrite): void {
    const { context } = this.#runner;
    if (statAt(context, keptAt(context, step.kept)) === undefined) {
      this.#refuse(step.path, 'its old content in .yolofs', 'not there');
    }
    if (this.#moved.has(key(step.id))) return;
    const wanted = this.#wanted.get(key(step.id)) ?? {};
    // The name that it was written by may have gone, while it has others; gone to another file system, it is another file.
    const at = isBelow(step.at.dir, context.backups) && !holds(context, step.at, [step.id]) ? [] : [step.at];
    const places = [...at, ...(this.#lost.get(key(step.id)) ?? [])];
    if (!places.some((place) => this.#isAs(place, [step.id], wanted))) {
      this.#refuse(step.path, 'rewritten content', this.#now(step.at));
    }
  }

  #checkAdjust(step: Adjust): void {
    const { id, at, lenient } = step;
    if (id === undefined || lenient || this.#moved.has(key(id))) return;
    if (at instanceof Directory) {
      const { mode, uid, gid } = looksOf(step.attributes);
      if (step.says === undefined) return;
      if (!this.#isAs(slotOf(at), [id], { ...present({ mode, uid, gid }) })) {
        this.#refuse(step.path, 'other attributes', this.#now(slotOf(at)));
      }
    } else if (statAt(this.#runner.context, at) !== undefined && !this.#isAs(at, [id], this.#looksAfter(step, id))) {
      this.#refuse(step.path, 'other attributes', this.#now(at));
    }
  }

  /** Where no content was committed nobody may have written any since: taking it back gives the file its old mtime. */
  #looksAfter({ before }: Adjust, id: Identity): Wanted {
    const wanted = this.#wanted.get(key(id)) ?? {};
    return wanted.size === undefined ? { ...present({ mtime: before.mtime }), ...wanted } : wanted;
  }

  #isAs(slot: Slot, ids: readonly (Identity | undefined)[], wanted: Wanted): boolean {
    const { context } = this.#runner;
    const stat = statAt(context, slot);
    if (stat === undefined) return false;
    if (!isOneOf(context, stat, ids) && !isInCopy(context, slot.dir)) return false;
    if (isAlike(stat, wanted)) return true;
    const limits = limitsAt(context, slot);
    return limits !== undefined && isAlikeWithin(limits, stat, wanted);
  }

  /** Whether anything below was written to after the commit. */
  #isYounger(slot: Slot): boolean {
    const { context, log } = this.#runner;
    const at = openSpot(context, slot);
    return typeof at === 'object' && isYounger(at, log.writtenAt);
  }

  #now(slot: Slot): string {
    const stat = statAt(this.#runner.context, slot);
    if (stat === undefined) return 'nothing';
    if (isDirectory(stat.mode)) return 'a directory';
    if (!isRegular(stat.mode)) return 'something else';
    return `a file of ${stat.size} bytes, written ${new Date(stat.mtimeSec * 1000).toISOString()}`;
  }

  #take({ dir, name }: Slot): void {
    const names = this.#taken.get(dir) ?? new Set();
    this.#taken.set(dir, names.add(name));
  }

  #lose(id: Identity, ...names: readonly Slot[]): void {
    for (const name of names) appendTo(this.#lost, key(id), name);
  }

  #want(id: Identity, looks: Wanted): void {
    this.#wanted.set(key(id), { ...this.#wanted.get(key(id)), ...looks });
  }

  #refuse(path: BytePath, left: string, now: string): void {
    this.#conflicts.push({ path, reason: `the commit left ${left}, now there is ${now}` });
  }
}

function isBelow(directory: Directory, top: Directory): boolean {
  for (let at: Directory | undefined = directory; at !== undefined; at = at.parent) if (at === top) return true;
  return false;
}

function addAll(all: Map<Directory, Map<Name, Set<Name>>>, { dir, name }: Slot, names: ReadonlySet<Name>): void {
  const here = all.get(dir) ?? new Map<Name, Set<Name>>();
  all.set(dir, here.set(name, new Set([...(here.get(name) ?? []), ...names])));
}

function key({ dev, ino }: Identity): string {
  return `${dev}:${ino}`;
}

function looksOf({ mode, uid, gid, mtime }: FileAttributes): Wanted {
  return present({ mode, uid, gid, mtime });
}

function present(looks: { readonly [K in keyof Looks]?: Looks[K] | undefined }): Wanted {
  return Object.fromEntries(Object.entries(looks).filter(([, value]) => value !== undefined));
}

/** An owner that this user could not give, and set-id bits that went with it, do not count. */
function isAlike(stat: Stat, { size, mtime, mode, uid, gid }: Wanted): boolean {
  const isFile = isRegular(stat.mode);
  if (isFile && size !== undefined && stat.size !== size) return false;
  if (isFile && mtime !== undefined && (stat.mtimeSec !== mtime.sec || stat.mtimeNsec !== mtime.nsec)) return false;
  if (mode !== undefined && (stat.mode & S_IFMT) !== 0o120000 && ((stat.mode ^ mode) & 0o777) !== 0) return false;
  const isOwner = (uid === undefined || uid === stat.uid) && (gid === undefined || gid === stat.gid);
  return isOwner || process.geteuid?.() !== 0;
}

/** As `isAlike`, where the file system keeps less than it was given. */
function isAlikeWithin({ attributes, timeStep }: Limits, stat: Stat, { mtime, mode, uid, gid, size }: Wanted): boolean {
  const kept = { ...present({ size }), ...(attributes ? present({ mode, uid, gid }) : {}) };
  if (!isAlike(stat, kept)) return false;
  if (mtime === undefined || !isRegular(stat.mode)) return true;
  return Math.abs((stat.mtimeSec - mtime.sec) * 1e9 + stat.mtimeNsec - mtime.nsec) <= timeStep;
}

function limitsAt(context: StepContext, slot: Slot): Limits | undefined {
  const at = openSpot(context, slot);
  return typeof at === 'number' ? undefined : limitsOf(`/proc/self/fd/${at.dirfd}`);
}

function isYounger(at: { readonly dirfd: number; readonly name: string }, since: number): boolean {
  const statx = Buffer.alloc(STATX_SIZE);
  if (libc.statxInto(at.dirfd, at.name, statx) < 0) return true;
  const stat = decodeStatx(statx);
  if (stat.mtimeSec > since) return true;
  if (!isDirectory(stat.mode)) return false;
  const fd = openToList(at.dirfd, at.name);
  if (fd < 0) return true;
  const names = listNames(fd);
  const younger = typeof names === 'number' || names.some((name) => isYounger({ dirfd: fd, name }, since));
  libc.close(fd);
  return younger;
}
