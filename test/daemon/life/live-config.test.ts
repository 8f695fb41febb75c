/** `LiveConfig`: an edit of the settings counts with the next question, however the editor or the person has put the file there. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { LiveConfig } from '../../../src/daemon/life/live-config.ts';
import { loadConfig } from '../../../src/rules/config/config.ts';
import { layoutOf } from '../../history/registry/layouts.ts';

interface Home {
  readonly at: string;
  readonly file: string;
  /** What the settings say of /data by now. */
  state(): string | undefined;
  /** How often new settings were passed on. */
  changes(): number;
}

/** A home with a user's file as `arrange` makes it, and the settings of a project in it. */
function withHome(t: TestContext, arrange: (home: string, file: string) => void): Home {
  const at = mkdtempSync('/var/tmp/yolofs-live-config-');
  const before = process.env.HOME;
  process.env.HOME = at;
  const file = join(at, '.config/yolofs/config.toml');
  for (const directory of [join(at, '.config/yolofs'), join(at, 'project')]) mkdirSync(directory, { recursive: true });
  arrange(at, file);
  const layout = layoutOf(join(at, 'project'));
  let changes = 0;
  const live = new LiveConfig(layout, loadConfig(layout), () => (changes += 1));
  t.after(() => {
    live.stop();
    process.env.HOME = before;
    rmSync(at, { recursive: true });
  });
  const state = (): string | undefined =>
    live.current.rules.find(({ decider }) => decider.pattern === '/data')?.decider.state;
  return { at, file, state, changes: () => changes };
}

function rule(state: string): string {
  return `default_rules = false\n[rules]\n"/data" = "${state}"\n`;
}

test('an edit of the file that the settings are a link to counts, in place or by a new file', (t) => {
  const home = withHome(t, (at, file) => {
    mkdirSync(join(at, 'dotfiles'));
    writeFileSync(join(at, 'dotfiles/yolofs.toml'), rule('allow'));
    symlinkSync('../../dotfiles/yolofs.toml', file);
  });
  const target = join(home.at, 'dotfiles/yolofs.toml');
  assert.equal(home.state(), 'allow');
  writeFileSync(target, `# longer\n${rule('deny')}`);
  assert.equal(home.state(), 'deny');
  writeFileSync(`${target}.new`, rule('ask'));
  renameSync(`${target}.new`, target);
  assert.equal(home.state(), 'ask');
  assert.equal(home.changes(), 2);
});

test('settings that become a link elsewhere, lead nowhere, or are a file again, count as they are then', (t) => {
  const home = withHome(t, (at, file) => {
    writeFileSync(join(at, 'one'), rule('deny'));
    symlinkSync(join(at, 'one'), file);
  });
  assert.equal(home.state(), 'deny');
  writeFileSync(join(home.at, 'two'), rule('ask'));
  symlinkSync(join(home.at, 'two'), `${home.file}.new`);
  renameSync(`${home.file}.new`, home.file);
  assert.equal(home.state(), 'ask');
  rmSync(join(home.at, 'two'));
  assert.equal(home.state(), undefined, 'a missing file is an empty one');
  rmSync(home.file);
  writeFileSync(home.file, rule('allow'));
  assert.equal(home.state(), 'allow');
});
