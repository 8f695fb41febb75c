/** Schemas of what shows changes and generations. */
import { anyOf, COUNT, listOf, mapOf, oneOf, record, SWITCH, TEXT, TIME } from './schema.ts';

const CHANGE = oneOf('added', 'modified', 'deleted', 'renamed', 'metadata');
const THEIRS = oneOf('modified', 'deleted', 'appeared', 'replaced');

const NOTICE = record({ path: TEXT, kind: TEXT, why: TEXT });

const REFUSED = record({
  ...{ outcome: TEXT, access: oneOf('read', 'write'), op: TEXT, path: TEXT, state: TEXT, pattern: TEXT, times: COUNT },
  ...{ 'by?': TEXT, 'always?': TEXT },
});

const REQUEST = record({
  ...{ id: COUNT, message: TEXT, generation: COUNT, changes: COUNT, time: TIME },
  ...{ state: oneOf('pending', 'committed', 'rejected', 'stale'), 'reason?': TEXT, 'movedOn?': SWITCH },
});

const SOURCE = record({
  ...{ name: TEXT, at: TEXT, files: COUNT, 'asOf?': TIME, 'stale?': oneOf(true), 'leftOut?': COUNT },
  'down?': record({ since: TIME, why: TEXT }),
});

export const STATUS = record({
  generation: COUNT,
  'notices?': listOf(NOTICE),
  'refused?': listOf(REFUSED),
  'requests?': listOf(REQUEST),
  'sources?': listOf(SOURCE),
  'conflicts?': listOf(record({ path: TEXT, conflict: THEIRS })),
  changes: listOf(
    record({
      ...{ path: TEXT, change: CHANGE, type: oneOf('file', 'directory', 'symlink', 'other'), 'from?': TEXT },
      'conflict?': THEIRS,
    }),
  ),
});

const HUNK = record({
  ...{ key: TEXT, oldStart: COUNT, oldLines: COUNT, newStart: COUNT, newLines: COUNT },
  lines: listOf(TEXT),
});

/** The last two with `--hunks`. */
export const DIFF = listOf(
  record({
    ...{ path: TEXT, 'from?': TEXT, change: CHANGE, added: COUNT, removed: COUNT, binary: SWITCH },
    ...{ 'hunks?': listOf(HUNK), 'sections?': mapOf(TEXT) },
  }),
);

export const LOG = listOf(
  record({
    ...{ generation: COUNT, kind: oneOf('snapshot', 'travel'), name: TEXT, 'target?': COUNT, live: SWITCH, time: TIME },
    ...{ 'command?': TEXT, 'kept?': oneOf(false), 'ended?': oneOf('commit', 'abort', 'undo') },
  }),
);

export const AUDIT = listOf(
  record({
    ...{ time: TIME, generation: COUNT, tag: TEXT, what: TEXT, live: SWITCH },
    ...{ run: COUNT, 'command?': TEXT, pid: COUNT, 'process?': TEXT },
    ...{ 'path?': TEXT, 'from?': TEXT, 'name?': TEXT, 'target?': COUNT, 'changes?': COUNT, 'commit?': COUNT },
    ...{ 'generations?': listOf(listOf(COUNT)), 'fields?': listOf(TEXT) },
    // What a rule refused or asked about, and a rule that changed.
    ...{ 'outcome?': TEXT, 'access?': TEXT, 'op?': TEXT, 'state?': TEXT, 'pattern?': TEXT, 'times?': COUNT },
    ...{ 'by?': TEXT, 'always?': TEXT, 'layer?': TEXT, 'before?': TEXT, 'after?': TEXT },
  }),
);

export const TRAVEL = record({
  ...{ generation: COUNT, target: COUNT, name: TEXT, changes: COUNT, from: COUNT, snapshot: SWITCH },
});

/** Of `commit --dry-run`. */
export const PLAN = record({
  ...{ notices: listOf(NOTICE), steps: listOf(TEXT), changes: COUNT, along: listOf(TEXT), generation: COUNT },
});

export const UNDO = anyOf(
  record({ commit: COUNT, 'by?': COUNT, changes: COUNT }),
  record({ abort: oneOf(true), changes: COUNT }),
);
