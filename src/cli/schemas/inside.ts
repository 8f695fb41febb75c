/** Schemas of what tells of the store, the rules, the sources, the host and the daemon itself. */
import { anyOf, COUNT, listOf, mapOf, NUMBER, oneOf, record, SWITCH, TEXT } from './schema.ts';

const OCCUPIED = record({ bytes: COUNT, 'files?': COUNT, 'apparent?': COUNT });

export const DU = record({
  ...{ content: OCCUPIED, journal: OCCUPIED, tree: OCCUPIED, commits: OCCUPIED, tmp: OCCUPIED, total: OCCUPIED },
  ...{ 'present?': OCCUPIED, 'unnamed?': OCCUPIED },
  generations: listOf(record({ generation: COUNT, bytes: COUNT, files: COUNT, apparent: COUNT })),
});

export const GC = record({
  generations: listOf(record({ from: COUNT, to: COUNT })),
  ...{ commits: listOf(COUNT), objects: COUNT, bytes: COUNT, left: COUNT, dryRun: SWITCH },
});

const RULE = record({ pattern: TEXT, state: TEXT, from: TEXT, 'place?': TEXT });

export const RULES = listOf(RULE);

export const EXPLAINED = record({
  ...{ path: TEXT, state: TEXT, read: TEXT, write: TEXT, rule: RULE, 'ignored?': RULE },
});

const SOURCE = {
  ...{ name: TEXT, kind: TEXT, at: TEXT, 'url?': TEXT, 'dir?': TEXT, as: listOf(TEXT), open: SWITCH },
};

export const SOURCES = listOf(record(SOURCE));

export const CHECKED = listOf(
  anyOf(
    record({ ...SOURCE, ok: oneOf(true), files: COUNT, writable: SWITCH, searchable: SWITCH }),
    record({ ...SOURCE, ok: oneOf(false), why: TEXT }),
  ),
);

export const PROBES = listOf(
  record({ name: TEXT, ok: SWITCH, required: SWITCH, found: TEXT, 'hint?': TEXT, 'detail?': TEXT }),
);

export const DEBUG_STATS = record({
  requests: listOf(
    record({
      ...{ op: TEXT, total: COUNT, 'requests?': COUNT, 'received?': COUNT, 'sent?': COUNT, 'answered?': COUNT },
      ...{ 'microseconds?': NUMBER, 'slowest?': NUMBER },
    }),
  ),
  ...{ isMeasuring: SWITCH, nodes: COUNT, 'trace?': record({ file: TEXT, lines: COUNT, 'stopped?': TEXT }) },
  process: record({ pid: COUNT, rss: COUNT, heap: COUNT, uptime: NUMBER }),
});

const UNDERWAY = listOf(record({ what: TEXT, age: NUMBER }));

export const DEBUG_PENDING = record({
  ...{ clients: UNDERWAY, orders: UNDERWAY },
  waiting: anyOf(
    { type: 'null' },
    listOf(record({ op: TEXT, node: COUNT, 'path?': TEXT, pid: COUNT, age: NUMBER, for: TEXT })),
  ),
});

const REQUEST = record({
  ...{ id: COUNT, message: TEXT, generation: COUNT, changes: COUNT, time: TEXT, state: TEXT, 'reason?': TEXT },
});

/** Of each line that `watch --json` prints; paths are bytes, a code unit each. */
export const WATCHED = anyOf(
  record({
    question: record({
      ...{ id: COUNT, path: TEXT, label: TEXT, access: oneOf('read', 'write'), op: TEXT, pid: COUNT, process: TEXT },
      ...{ command: TEXT, run: COUNT, seconds: NUMBER },
      rule: record({ state: TEXT, pattern: TEXT, layer: TEXT, 'place?': TEXT }),
    }),
  }),
  record({
    closed: record({ id: COUNT, how: oneOf('allowed', 'denied', 'withdrawn'), 'by?': TEXT, 'always?': TEXT }),
  }),
  record({ request: REQUEST }),
  record({ settled: record({ id: COUNT, state: TEXT, 'reason?': TEXT }) }),
  record({ answered: record({ id: COUNT, accepted: SWITCH }) }),
  record({ decided: mapOf({}) }),
  record({ refused: record({ id: COUNT, why: TEXT }) }),
);
