import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import test from 'node:test';

const MODULE = new URL('../../src/sys/process/inherited.js', import.meta.url).href;

/** Where the descriptors above 2 of a grandchild lead to, when the child between was given one to /etc at number 40. */
function descriptorsOfGrandchild(stdio: string): string[] {
  const etc = openSync('/etc', 'r');
  const child = `
    import { spawnSync } from 'node:child_process';
    import { onlyStandardStdio } from ${JSON.stringify(MODULE)};
    const list = 'for fd in /proc/self/fd/*; do readlink "$fd"; done';
    const { stdio } = ${stdio};
    if (Array.isArray(stdio)) stdio[1] = 'pipe';
    process.stdout.write(spawnSync('sh', ['-c', list], { stdio, encoding: 'utf8' }).stdout);`;
  try {
    const result = spawnSync(process.execPath, ['--input-type=module', '-e', child], {
      // Beyond the first gap, where Node itself stops closing what it inherits.
      stdio: ['ignore', 'pipe', 'inherit', ...Array<'ignore'>(37).fill('ignore'), etc],
      encoding: 'utf8',
    });
    assert.equal(result.status, 0);
    return result.stdout.split('\n').filter((line) => line.startsWith('/') && line !== '/dev/null');
  } finally {
    closeSync(etc);
  }
}

test('onlyStandardStdio() keeps an inherited directory of the host from a child', () => {
  assert.ok(
    descriptorsOfGrandchild("{ stdio: ['ignore', 'pipe', 'inherit'] }").includes('/etc'),
    'Node alone leaks it',
  );
  assert.ok(!descriptorsOfGrandchild('onlyStandardStdio()').includes('/etc'));
});
