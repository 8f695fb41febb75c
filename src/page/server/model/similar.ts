/** Files that were added and are like a deleted one: who saves a file anew, or moves it by copying, does not tell the view that it goes on. */
import { findShownRenames, type Renames } from '../../../history/diff/text/renames.ts';
import { inSlices } from '../slices.ts';
import { Latest } from '../text/latest.ts';
import type { ModelEntry } from './entry.ts';
import type { Model } from './model.ts';
import { idOf } from './show.ts';

export class SimilarFiles {
  readonly #renames = new Latest<Renames>();

  /**
   * The deleted file that an added one of the project is like, and the other way round. Reads contents, the first time.
   * What will run later is shown whole, whatever it is like.
   */
  async of({ change, group }: ModelEntry, model: Model): Promise<ModelEntry | undefined> {
    const { facts, version } = model;
    const mayBe = group === 'project' && change.type === 'file' && facts !== undefined;
    if (!mayBe || (change.change !== 'added' && change.change !== 'deleted')) return undefined;
    const renames = await this.#renames.of(`${version}`, () => {
      const runLater = new Set(model.notices.map(({ path }) => path));
      const changes = model.of(group).map((entry) => entry.change);
      return inSlices(
        findShownRenames(
          changes.filter(({ path }) => !runLater.has(path)),
          facts,
        ),
      );
    });
    const other = change.change === 'added' ? renames.get(change.path)?.path : continuedBy(change.path, renames);
    return other === undefined ? undefined : model.entries.get(idOf(other));
  }
}

function continuedBy(path: ModelEntry['change']['path'], renames: Renames): typeof path | undefined {
  for (const [to, from] of renames) if (from.path === path) return to;
  return undefined;
}
