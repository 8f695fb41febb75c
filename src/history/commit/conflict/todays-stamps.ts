/** The stamps that places of the base would get now. */

import type { BaseStamp, BaseStamps } from '../../../staging/base-stamps.ts';
import { stampOfDirectory, stampOfFile, stampOfTree } from '../../../staging/base-stamps.ts';
import type { Fingerprint } from '../../../staging/inode.ts';
import { fingerprintOf } from '../../../staging/inode.ts';
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { join } from '../../../sys/bytes.ts';
import type { Stat } from '../../../sys/stat.ts';
import { isDirectory } from '../../../sys/stat.ts';
import type { Facts } from '../../diff/facts.ts';
import type { OwnChanges } from './own-changes.ts';

export interface TodaysStampsOptions {
  readonly facts: Facts;
  /** What is in these is not part of the directory around it. */
  readonly stamps: Pick<BaseStamps, 'get'>;
  /** What a file counts as; default: what it is. */
  readonly asOf?: (print: Fingerprint) => Fingerprint;
}

/** The stamps of today, and those from before we touched anything, where we have. */
export function stages(options: TodaysStampsOptions, ownChanges: OwnChanges | undefined): readonly TodaysStamps[] {
  const asIs = new TodaysStamps(options);
  if (ownChanges === undefined || ownChanges.isEmpty) return [asIs];
  return [asIs, new TodaysStamps({ ...options, asOf: ownChanges.before.bind(ownChanges) })];
}

export class TodaysStamps {
  readonly #options: TodaysStampsOptions;

  constructor(options: TodaysStampsOptions) {
    this.#options = options;
  }

  /** The stamp of what is at `path`; of a directory that moved only which one it is, of a deleted one all that is in it. */
  of(path: BytePath, stat: Stat, directory: 'moved' | 'deleted'): BaseStamp {
    const print = fingerprintOf(stat);
    if (!isDirectory(stat.mode)) return stampOfFile(stat.mode, this.#options.asOf?.(print) ?? print);
    return directory === 'moved' ? stampOfDirectory(stat.ino) : this.#ofTree(path, stat);
  }

  /** From what is deepest upward, without recursion: a path has up to two thousand directories. */
  #ofTree(path: BytePath, { ino }: Stat): BaseStamp {
    let dir = this.#open({ path, ino });
    for (;;) {
      const name = dir.left.pop();
      if (name !== undefined) {
        dir = this.#enter(dir, name) ?? dir;
        continue;
      }
      const stamp = stampOfTree(stampOfDirectory(dir.ino), dir.entries);
      if (dir.around === undefined) return stamp;
      dir.around.entries.push([dir.around.entered, stamp]);
      dir = dir.around;
    }
  }

  /** The stamp of an entry is noted; that of a directory once all in it has one: then the directory is returned. */
  #enter(around: OpenDirectory, name: Name): OpenDirectory | undefined {
    const path = join(around.path, name);
    const stat = this.#options.stamps.get(path) === undefined ? this.#options.facts.at(around.path, name) : undefined;
    if (stat === undefined) return undefined;
    if (!isDirectory(stat.mode)) {
      around.entries.push([name, this.of(path, stat, 'deleted')]);
      return undefined;
    }
    around.entered = name;
    return this.#open({ path, ino: stat.ino, around });
  }

  #open(dir: Pick<OpenDirectory, 'path' | 'ino' | 'around'>): OpenDirectory {
    const left = (this.#options.facts.list(dir.path) ?? []).map(({ name }) => name);
    return { ...dir, left, entries: [], entered: '' as Name };
  }
}

/** A directory whose entries are being stamped. */
interface OpenDirectory {
  readonly path: BytePath;
  readonly ino: number;
  readonly around?: OpenDirectory;
  /** Entries without a stamp so far. */
  readonly left: Name[];
  readonly entries: (readonly [Name, BaseStamp])[];
  /** The entry that is being stamped, if it is a directory. */
  entered: Name;
}
