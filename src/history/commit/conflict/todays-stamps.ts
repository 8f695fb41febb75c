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
    const own = stampOfDirectory(stat.ino);
    return directory === 'moved' ? own : stampOfTree(own, this.#entries(path));
  }

  *#entries(dir: BytePath): Generator<readonly [Name, BaseStamp]> {
    const { facts, stamps } = this.#options;
    for (const { name } of facts.list(dir) ?? []) {
      const path = join(dir, name);
      const stat = stamps.get(path) === undefined ? facts.at(dir, name) : undefined;
      if (stat !== undefined) yield [name, this.of(path, stat, 'deleted')];
    }
  }
}
