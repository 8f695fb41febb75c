import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'smol-toml';
import { withoutAdded } from '../../../src/agents/install/insertion.ts';
import {
  hasAnyTable,
  hasTable,
  type TomlTable,
  withoutTable,
  withTable,
} from '../../../src/agents/install/toml-table.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';

const FILE = 'config.toml';
const TABLE: TomlTable = {
  parent: 'mcp_servers',
  name: 'yolofs',
  values: { command: '/opt/it\'s "here"\\yolofs', args: ['mcp'] },
};

/** Pieces of a Codex configuration; each may stand once, the plain values first. */
const VALUES = [
  'model = "gpt" # the good one',
  'notify = ["a", "[mcp_servers.yolofs]"]',
  'text = """\n[mcp_servers.x]\n"""',
];
const TABLES = [
  '[mcp_servers.other]\ncommand = "o"',
  '[mcp_servers."yo lo".env]\nA = "1" # why',
  '[profiles.x]\nmodel = "b"',
  '[[hooks.Stop]]\n# a comment\n[[hooks.Stop.hooks]]\ncommand = "x"',
  '[mcp_servers]',
];
const LATER = '[mcp_servers.yolofs.tools.diff]\napproval = "auto"';

const files = fc
  .record({
    pieces: fc.tuple(fc.shuffledSubarray(VALUES), fc.shuffledSubarray(TABLES)).map((both) => both.flat()),
    gap: fc.constantFrom('\n', '\n\n', '\n\n# between\n', '\n  \n'),
    end: fc.constantFrom('', '\n', '\n\n', '\n# the end'),
    newline: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ pieces, gap, end, newline }) =>
    (pieces.join(gap) + (pieces.length > 0 ? end : '')).replaceAll('\n', newline),
  );

test('a table is added behind what there is, and cut out again to the byte', () => {
  fc.assert(
    fc.property(files, (text) => {
      const edited = withTable({ text, file: FILE }, TABLE);
      assert.ok(hasTable({ text: edited.text, file: FILE }, TABLE));
      assert.equal(withoutAdded(edited), text);
    }),
    { numRuns: runs(300) },
  );
});

test('a table is found again in a file that was changed since, and all else stays', () => {
  fc.assert(
    fc.property(files, fc.boolean(), fc.constantFrom('', '\n# mine\n[later]\na = 1\n'), (text, isMore, later) => {
      const { text: ours } = withTable({ text, file: FILE }, TABLE);
      const rest = withoutTable({ text: `${ours}${isMore ? `\n${LATER}\n` : ''}${later}`, file: FILE }, TABLE);
      assert.equal(hasAnyTable({ text: rest, file: FILE }, TABLE), false);
      assert.deepEqual(parse(rest), parse(`${text}\n${later}`));
      for (const comment of [...text.matchAll(/#.*/g), ...later.matchAll(/#.*/g)]) assert.ok(rest.includes(comment[0]));
    }),
    { numRuns: runs(300) },
  );
});
