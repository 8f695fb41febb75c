/** In the terminal, too, a file that was added and is like a deleted one is shown by what differs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOf } from '../../src/review/pick/items.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { type StagedProject, withProject } from '../history/projects/staged-project.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('');

/** What is shown of each file that is decided as a whole. */
function shown(p: StagedProject, more: { mostLines?: number; notices?: ReadonlyMap<BytePath, unknown> } = {}) {
  const { base, store } = p.view;
  const options = { base, store, project: p.at(''), home: undefined, ...more };
  const units = itemsOf(p.changes(), options).items.flatMap((item) => item.units());
  return units.map(({ what, change, lines }) => [
    what,
    change.change,
    ...lines.filter((line) => /^[-+r] ?/.test(line)),
  ]);
}

test('an added file that is like a deleted one is shown as a rename of it, and decided as a whole', () =>
  withProject({ old: LINES }, (p) => {
    p.write('new', LINES.replace('line 3\n', 'line three\n')).rm('old');
    const [added, deleted] = shown(p);
    assert.deepEqual(added, [
      'whole',
      'added',
      'rename from old',
      'rename to new',
      '--- a/old',
      '+++ b/new',
      '-line 3',
      '+line three',
    ]);
    assert.deepEqual(deleted?.slice(0, 4), ['whole', 'deleted', '--- a/old', '+++ /dev/null']);
  }));

test('what will run later is shown whole, whatever it is like; nothing is read where no line is asked for', () =>
  withProject({ old: LINES }, (p) => {
    p.write('new', LINES.replace('line 3\n', 'line three\n')).rm('old');
    const [added] = shown(p, { notices: new Map([[p.at('new'), 'runs later']]) });
    assert.deepEqual([added?.length, added?.slice(2, 5)], [34, ['--- /dev/null', '+++ b/new', '+line 0']]);
    assert.deepEqual(shown(p, { mostLines: 0 }), [
      ['whole', 'added'],
      ['whole', 'deleted'],
    ]);
  }));
