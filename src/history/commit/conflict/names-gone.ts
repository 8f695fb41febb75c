/** Files of the base that gc takes a name from: what is staged of them must not pass for changed outside. */
import type { BaseTree } from '../../../staging/base-tree.ts';
import { basePath, type Fingerprint } from '../../../staging/inode.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { SessionHistory } from '../../timeline/session-history.ts';
import type { OwnChanges, Touched } from './own-changes.ts';

export interface NamesGoneParts {
  readonly tree: OverrideTree;
  readonly base: BaseTree;
  readonly ownChanges: OwnChanges;
  readonly history: Pick<SessionHistory, 'isUnmarked' | 'changedSinceMarker'>;
}

export class NamesGone {
  readonly #parts: NamesGoneParts;
  /** Whether no state was kept but the base. */
  #wasBlank = false;

  constructor(parts: NamesGoneParts) {
    this.#parts = parts;
  }

  /** Before: those that are staged are found again by their place in the base, should this process die. */
  begin(prints: readonly Fingerprint[]): void {
    const { tree, ownChanges, history } = this.#parts;
    // Reads the journal: if that fails, nothing has gone yet.
    this.#wasBlank = history.isUnmarked && !history.changedSinceMarker;
    const found = prints.map(this.#presented).flatMap((print) => {
      const inode = tree.linked.get(`${print.dev}:${print.ino}`);
      const path = inode?.staged === undefined ? undefined : basePath(inode);
      return path === undefined ? [] : [{ path, print }];
    });
    ownChanges.begin(found);
  }

  /** After, whatever came of it. Where no state is kept but the base, nothing is compared with what was before. */
  done(touched: readonly Touched[]): void {
    const { base, ownChanges, history } = this.#parts;
    const isBlank = this.#wasBlank && !history.changedSinceMarker;
    if (!isBlank) ownChanges.note(touched.map(({ print, after }) => ({ print: this.#presented(print), after })));
    // What it was told of and is not sure of.
    base.shed();
    ownChanges.finalise(base);
  }

  readonly #presented = (print: Fingerprint): Fingerprint => ({
    ...print,
    ino: this.#parts.base.numberOf(print.dev, print.ino),
  });
}
