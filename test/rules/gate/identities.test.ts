/** What rules for paths say of a file by its other names, and how it is looked for. */
import assert from 'node:assert/strict';
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { Identities } from '../../../src/rules/identities.ts';
import { Rules } from '../../../src/rules/rules.ts';
import type { Overlay } from '../../../src/staging/overlay.ts';
import type { BytePath, Name, NodeId } from '../../../src/sys/bytes.ts';
import { openView, type TestView } from '../../staging/session-parts.ts';
import { ViewDriver } from '../../staging/view-driver.ts';
import { rulesOf } from '../naive.ts';

const CLOSED = ['home/.ssh/id', 'home/.ssh/none', 'home/.aws/key', 'home/.aws/none', 'home/deep'];

/** The same overlay, noting each name that is looked up. */
function noting(overlay: Overlay, looked: Name[]): Overlay {
  return new Proxy(overlay, {
    get: (_, key) => {
      const value: unknown = Reflect.get(overlay, key, overlay);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (key === 'lookup') looked.push(given[1] as Name);
        return value.apply(overlay, given);
      };
    },
  });
}

function opened(): { readonly view: TestView; readonly identities: Identities; readonly looked: Name[] } {
  const view = openView({ watched: false });
  for (const dir of ['home/.ssh', 'home/deep/er', 'project']) mkdirSync(`${view.dir}/${dir}`, { recursive: true });
  for (const file of ['home/.ssh/id', 'home/deep/er/file', 'home/open']) {
    writeFileSync(`${view.dir}/${file}`, '');
    linkSync(`${view.dir}/${file}`, `${view.dir}/project/${file.split('/').at(-1)}`);
  }
  const looked: Name[] = [];
  const { overlay, base, dir } = view;
  const nothing = (): void => undefined;
  const identities = new Identities({
    fs: noting(overlay, looked),
    nodePaths: overlay.nodePaths,
    base,
    project: `${dir}/project`,
    onFull: nothing,
    onClosed: nothing,
  });
  const rules = CLOSED.flatMap((path) => rulesOf(`${dir}/${path}`, { state: 'deny', layer: 'user' }));
  identities.setRules(new Rules(rules));
  return { view, identities, looked };
}

test('a file is denied under another name by a rule for its path, or for a directory above it, and nothing stays held', (t) => {
  const { view, identities } = opened();
  t.after(() => view.close());
  const driver = new ViewDriver(view.overlay);
  const nodes = ['id', 'file', 'open'].map(
    (name) => driver.resolve(`${view.dir}/project/${name}` as BytePath) as NodeId,
  );
  const before = view.overlay.liveInodes;
  assert.deepEqual(
    nodes.map((node) => identities.stateOf(node)),
    ['deny', 'deny', undefined],
  );
  assert.equal(view.overlay.liveInodes, before);
});

test('directories that many rules lead through are looked up once, and nothing a second time', (t) => {
  const { view, identities, looked } = opened();
  t.after(() => view.close());
  const node = new ViewDriver(view.overlay).resolve(`${view.dir}/project/open` as BytePath) as NodeId;
  identities.stateOf(node);
  // Of what is not there nothing is held: `.aws` is asked for twice.
  const names = ['home', '.ssh', 'id', 'none', '.aws', '.aws', 'deep', 'er', 'file'];
  assert.deepEqual(looked.slice(looked.indexOf('home' as Name)), names);
  const first = looked.length;
  identities.stateOf(node);
  assert.equal(looked.length, first);
});
