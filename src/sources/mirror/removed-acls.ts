/** Who could see what commits have removed from a source: what an undo makes anew at these paths is for these again, and no more. */
import { readText, saveText } from '../../sys/files/text-files.ts';

/** The newest count. */
const MOST = 10_000;

export class RemovedAcls {
  readonly #file: string;
  #acls: Map<string, readonly string[]> | undefined;

  /** In the directory of a mirror's state. */
  constructor(state: string) {
    this.#file = `${state}/removed.json`;
  }

  of(path: string): readonly string[] | undefined {
    return this.#load().get(path);
  }

  /** Before they are removed. */
  keep(removed: readonly (readonly [path: string, acl: readonly string[]])[]): void {
    if (removed.length === 0) return;
    const acls = this.#load();
    for (const [path, acl] of removed) {
      acls.delete(path);
      acls.set(path, acl);
    }
    this.#acls = new Map([...acls].slice(-MOST));
    saveText(this.#file, JSON.stringify([...this.#acls]));
  }

  #load(): Map<string, readonly string[]> {
    this.#acls ??= new Map(JSON.parse(readText(this.#file) ?? '[]') as [string, readonly string[]][]);
    return this.#acls;
  }
}
