/** Files of the base that gc takes a name from: what is staged of them must not pass for changed outside. */
import { basePath, type Fingerprint } from '../../../staging/inode.ts';
import type { OpenSession } from '../open-session.ts';
import type { Touched } from './own-changes.ts';

/** What it takes of a session. */
interface Session extends Pick<OpenSession, 'tree' | 'base' | 'ownChanges'> {
  readonly history: Pick<OpenSession['history'], 'isUnmarked' | 'changedSinceMarker'>;
}

export class NamesGone {
  readonly #session: Session;
  /** Whether no state was kept but the base. */
  #wasBlank = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Before: those that are staged are found again by their place in the base, should this process die. */
  begin(prints: readonly Fingerprint[]): void {
    const { tree, ownChanges, history } = this.#session;
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
    const { base, ownChanges, history } = this.#session;
    const isBlank = this.#wasBlank && !history.changedSinceMarker;
    if (!isBlank) ownChanges.note(touched.map(({ print, after }) => ({ print: this.#presented(print), after })));
    // What it was told of and is not sure of.
    base.shed();
    ownChanges.finalise(base);
  }

  readonly #presented = (print: Fingerprint): Fingerprint => ({
    ...print,
    ino: this.#session.base.numberOf(print.dev, print.ino),
  });
}
