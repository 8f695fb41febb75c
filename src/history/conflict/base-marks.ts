/** The marks that places of the base would get now. */
import type { Fingerprint } from '../../staging/inode.ts';
import { fingerprintOf } from '../../staging/inode.ts';
import type { Mark, Marks } from '../../staging/marks.ts';
import { markOfDirectory, markOfFile, markOfTree } from '../../staging/marks.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { join } from '../../sys/bytes.ts';
import type { Stat } from '../../sys/stat.ts';
import { isDirectory } from '../../sys/stat.ts';
import type { Facts } from '../compare/facts.ts';
import type { OwnTouches } from './own-touches.ts';

export interface BaseMarksOptions {
  readonly facts: Facts;
  /** What is in these is not part of the directory around it. */
  readonly marks: Pick<Marks, 'get'>;
  /** What a file counts as; default: what it is. */
  readonly asOf?: (print: Fingerprint) => Fingerprint;
}

/** The marks of today, and those from before we touched anything, where we have. */
export function stages(options: BaseMarksOptions, touches: OwnTouches | undefined): readonly BaseMarks[] {
  const asIs = new BaseMarks(options);
  if (touches === undefined || touches.isEmpty) return [asIs];
  return [asIs, new BaseMarks({ ...options, asOf: touches.before.bind(touches) })];
}

export class BaseMarks {
  readonly #options: BaseMarksOptions;

  constructor(options: BaseMarksOptions) {
    this.#options = options;
  }

  /** The mark of what is at `path`; of a directory that moved only which one it is, of a deleted one all that is in it. */
  of(path: BytePath, stat: Stat, directory: 'moved' | 'deleted'): Mark {
    const print = fingerprintOf(stat);
    if (!isDirectory(stat.mode)) return markOfFile(stat.mode, this.#options.asOf?.(print) ?? print);
    const own = markOfDirectory(stat.ino);
    return directory === 'moved' ? own : markOfTree(own, this.#entries(path));
  }

  *#entries(dir: BytePath): Generator<readonly [Name, Mark]> {
    const { facts, marks } = this.#options;
    for (const { name } of facts.list(dir) ?? []) {
      const path = join(dir, name);
      const stat = marks.get(path) === undefined ? facts.at(dir, name) : undefined;
      if (stat !== undefined) yield [name, this.of(path, stat, 'deleted')];
    }
  }
}
