import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'jsonc-parser';
import { withoutAdded } from '../../../src/agents/install/insertion.ts';
import { hasOwn, isInstalled, withoutOwn, withTemplate } from '../../../src/agents/install/json-merge.ts';
import { isObject } from '../../../src/agents/install/json-tree.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { configurations, targets } from './configurations.ts';

const FILE = 'settings.json';

test('install adds what the template says, leaves all else and its comments, and uninstall gives the bytes back', () => {
  fc.assert(
    fc.property(configurations, targets, ({ text, value, comments }, { template }) => {
      if ('version' in template && 'version' in value) return;
      const edited = withTemplate({ text, file: FILE }, template);
      assert.ok(isInstalled({ text: edited.text, file: FILE }, template));
      assert.equal(withTemplate({ text: edited.text, file: FILE }, template).text, edited.text, 'twice is once');
      assert.equal(withoutAdded(edited), text, 'only additions');
      for (const comment of comments) assert.equal(edited.text.split(comment).length, 2, comment);
      assert.deepEqual(withoutOurs(parse(edited.text)), clean(value));
    }),
    { numRuns: runs(400) },
  );
});

test('uninstall removes only what is ours from a file that was changed since', () => {
  fc.assert(
    fc.property(configurations, targets, fc.boolean(), ({ text, value, comments }, { template }, early) => {
      const more = { zzz: { later: [1, { two: 3 }] } };
      const first = early ? withTemplate({ text, file: FILE }, more).text : text;
      const ours = withTemplate({ text: first, file: FILE }, template).text;
      const changed = early ? ours : withTemplate({ text: ours, file: FILE }, more).text;
      const rest = withoutOwn({ text: changed, file: FILE });
      assert.equal(hasOwn({ text: rest, file: FILE }), false);
      for (const comment of comments) assert.equal(rest.split(comment).length, 2, comment);
      const errors: unknown[] = [];
      const said = parse(rest, errors as [], { allowTrailingComma: true }) as Record<string, unknown>;
      assert.deepEqual(errors, []);
      const { version: _version, ...left } = said;
      assert.deepEqual(clean(left), clean({ ...value, ...more }));
    }),
    { numRuns: runs(400) },
  );
});

/** The value without what a template brings. */
function withoutOurs(value: unknown): unknown {
  const { version: _version, ...rest } = parse(withoutOwn({ text: JSON.stringify(value), file: FILE })) as Record<
    string,
    unknown
  >;
  return clean(rest);
}

/** Empty containers below the keys we write to may go with what is ours. */
function clean(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key, one]) => !(['hooks', 'mcp', 'mcpServers'].includes(key) && isEmpty(one))),
  );
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isEmpty);
}
