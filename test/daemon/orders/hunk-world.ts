/** A session without a mount with texts of forty lines, to be changed in the view by hunks. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import type { TestContext } from 'node:test';
import type { TextChange } from '../../../src/history/diff/text/sections.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { CrashWorld } from '../../crash/crash-world.ts';
import { ViewDriver } from '../../staging/view-driver.ts';
import { sectionsIn } from './hunk-keys.ts';

export const NAMES = ['edited', 'replaced', 'moded'] as const;
const LINES = 40;

export async function opened(t: TestContext): Promise<CrashWorld> {
  const world = CrashWorld.make();
  t.after(() => world.close());
  for (const name of NAMES)
    fs.writeFileSync(
      `${world.place.base}/${name}`,
      textOf(name, () => true),
      { mode: 0o644 },
    );
  await world.open();
  return world;
}

export const textOf = (name: string, isOld: (line: number) => boolean): string =>
  Array.from({ length: LINES }, (_, line) => `${name} ${line}${isOld(line) ? '' : ' changed'}\n`).join('');

export const path = ({ place }: CrashWorld, name: string): BytePath => `${place.base}/${name}` as BytePath;

/** In its place, or by another file that is moved there, as editors do. */
export function put(world: CrashWorld, name: string, text: string, how: 'in place' | 'moved there'): void {
  const driver = new ViewDriver(world.live.overlay);
  const [at, other] = [path(world, name), path(world, `${name}.new`)];
  const written = how === 'in place' ? at : other;
  if (how === 'in place') assert.equal(driver.truncate(at, 0), 0);
  else assert.equal(driver.create(other, 0o644), 0);
  driver.write(written, 0, text);
  if (how === 'moved there') assert.equal(driver.rename(other, at), 0);
}

export function shown(world: CrashWorld, name: string): { readonly text: string; readonly mode: number } {
  const image = new ViewDriver(world.live.overlay).image(world.place.base as BytePath).get(name);
  assert.ok(image !== undefined, name);
  return { text: image.content, mode: image.mode & 0o777 };
}

export const base = (world: CrashWorld, name: string): { readonly text: string; readonly mode: number } => ({
  text: fs.readFileSync(path(world, name), 'utf8'),
  mode: fs.statSync(path(world, name)).mode & 0o777,
});

export function changeOf(world: CrashWorld, name: string): TextChange {
  const text = sectionsIn(world).get(name)?.text;
  assert.ok(text !== undefined, name);
  return text;
}

/** The first and the last line of the file, and one in the midst, changed: three hunks. */
export const EDITED = (name: string): string => textOf(name, (line) => ![2, 20, 37].includes(line));
