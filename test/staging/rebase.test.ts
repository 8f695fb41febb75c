import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import type { BytePath, NodeId } from '../../src/sys/bytes.ts';
import { openView } from './session-parts.ts';
import { ViewDriver } from './view-driver.ts';

const FILES = 100;

test('rebase() asks the base about what was committed, not about all that the kernel knows', () => {
  const view = openView();
  try {
    fs.mkdirSync(view.dir, { recursive: true });
    const paths = Array.from({ length: FILES }, (_, i) => `${view.dir}/f${i}` as BytePath);
    for (const path of paths) fs.writeFileSync(path, 'x');
    const driver = new ViewDriver(view.overlay);
    const nodes = paths.map((path) => driver.resolve(path) as NodeId);
    driver.write(paths[0] as BytePath, 0, 'y');
    // What a commit does to the base.
    fs.writeFileSync(paths[0] as BytePath, 'y');
    let asked = 0;
    const statPath = view.base.statPath.bind(view.base);
    view.base.statPath = (path) => {
      asked += 1;
      return statPath(path);
    };
    view.overlay.treeSwitch.rebase();
    // That file, and the directories above it.
    assert.ok(asked <= view.dir.split('/').length, `${asked} calls`);
    assert.deepEqual(
      paths.map((path) => driver.resolve(path)),
      nodes,
    );
  } finally {
    view.close();
  }
});
