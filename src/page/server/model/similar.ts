/** Files that were added and are like a deleted one: who saves a file anew, or moves it by copying, does not tell the view that it goes on. */
import type { PathChange } from '../../../history/diff/changes.ts';
import { loadSide } from '../../../history/diff/text/load.ts';
import { findShownRenames, type Renames } from '../../../history/diff/text/renames.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { inSlices } from '../slices.ts';
import { Latest } from '../text/latest.ts';
import type { ModelEntry } from './entry.ts';
import type { Model } from './model.ts';
import { idOf } from './show.ts';

export interface Similar {
  /** The other one. */
  readonly entry: ModelEntry;
  /** They have lines to be compared. */
  readonly isText: boolean;
}

export class SimilarFiles {
  readonly #renames = new Latest<Renames>();

  /**
   * The deleted file that an added one of the project is like, and the other way round. Reads contents, the first time.
   * What will run later is shown whole, whatever it is like.
   */
  async of({ change, group }: ModelEntry, model: Model): Promise<Similar | undefined> {
    const { facts } = model;
    const mayBe = group === 'project' && change.type === 'file' && facts !== undefined;
    if (!mayBe || (change.change !== 'added' && change.change !== 'deleted')) return undefined;
    const renames = await this.#renames.of(`${model.version}`, () => inSlices(findShownRenames(shown(model), facts)));
    const other = change.change === 'added' ? renames.get(change.path)?.path : continuedBy(change.path, renames);
    const entry = other === undefined ? undefined : model.entries.get(idOf(other));
    const side = change.oldSide ?? entry?.change.oldSide;
    return entry && side && { entry, isText: loadSide(side, facts).kind === 'text' };
  }
}

/** Of the project, without what will run later. */
function shown(model: Model): PathChange[] {
  const later = new Set(model.notices.map(({ path }) => path));
  return model.of('project').flatMap(({ change }) => (later.has(change.path) ? [] : [change]));
}

function continuedBy(path: BytePath, renames: Renames): BytePath | undefined {
  for (const [to, from] of renames) if (from.path === path) return to;
  return undefined;
}
