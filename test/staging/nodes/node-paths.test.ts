/** What the kernel knows below a path, as rules ask for it. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { openView } from '../session-parts.ts';
import { ViewDriver } from '../view-driver.ts';

test('found() yields what is at and below the paths that are meant, and looks further below those that are not', (t) => {
  const { overlay, dir, close } = openView();
  t.after(close);
  const files = ['a/x/one', 'a/other', 'b/x/two', 'b/x/x/three', 'x'];
  for (const file of files) {
    mkdirSync(`${dir}/${file}`.slice(0, `${dir}/${file}`.lastIndexOf('/')), { recursive: true });
    writeFileSync(`${dir}/${file}`, '');
    assert.ok(new ViewDriver(overlay).resolve(`${dir}/${file}` as BytePath) > 0);
  }
  const meant = [`${dir}/a/x`, `${dir}/b/x/x`];
  const found = overlay.nodePaths.found(
    dir,
    (name) => name === 'x',
    (path) => meant.includes(path),
  );
  const views = [...found].map(({ view }) => view?.slice(dir.length + 1));
  assert.deepEqual(views.sort(), ['a/x', 'a/x/one', 'b/x/x', 'b/x/x/three']);
});
