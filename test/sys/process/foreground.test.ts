import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { exec } from '../../support/exec.ts';
import { has } from '../../support/need.ts';
import { BUILT } from '../../support/session.ts';

const MAIN = [process.execPath, join(BUILT, 'test/sys/process/foreground-main.js')];
/** Says that it is ready, and at each signal which; ends half a second after an INT, and at a TERM. */
const TALKER =
  'trap "echo INT; sleep 0.5; exit 7" INT; trap "echo TERM; exit 9" TERM; echo ready; while :; do sleep 0.1; done';

describe('startForeground()', () => {
  test('passes on stdin, stdout, stderr, arguments and exit code', async () => {
    const result = await exec([...MAIN, 'sh', '-c', 'cat; echo "$1|$2" >&2; exit 5', 'sh', "a 'b", ''], {
      input: 'in\n',
    });
    assert.deepEqual(result, { code: 0, stdout: 'in\n', stderr: "a 'b|\nexit 5\n" });
  });

  test('turns death by signal n into 128 + n without a word of its own', async () => {
    for (const [signal, code] of [
      ['KILL', 137],
      ['TERM', 143],
      ['INT', 130],
      ['SEGV', 139],
    ] as const) {
      const result = await exec([...MAIN, 'sh', '-c', `ulimit -c 0; kill -${signal} $$`]);
      assert.deepEqual(result, { code: 0, stdout: '', stderr: `exit ${code}\n` });
    }
  });

  test('is 127 for a program that does not exist and 126 for one that cannot be executed', async (t) => {
    const dir = mkdtempSync('/var/tmp/yolofs-foreground-');
    t.after(() => rmSync(dir, { recursive: true }));
    const plain = join(dir, 'plain');
    writeFileSync(plain, 'text');
    chmodSync(plain, 0o644);
    assert.match((await exec([...MAIN, 'no-such-program'])).stderr, /^.*no-such-program.*\nexit 127\n$/);
    assert.match((await exec([...MAIN, plain])).stderr, /^.*plain.*\nexit 126\n$/);
  });

  test('runs a program whose path looks like an assignment or an option', async (t) => {
    const dir = mkdtempSync('/var/tmp/yolofs-foreground-');
    t.after(() => rmSync(dir, { recursive: true }));
    for (const name of ['a=b', '-x']) {
      writeFileSync(join(dir, name), '#!/bin/sh\necho "it is $1"\n', { mode: 0o755 });
      const env = { PATH: `${dir}:/usr/bin:/bin` };
      const path = name.startsWith('-') ? name : join(dir, name);
      assert.equal((await exec([...MAIN, path, 'me'], { env })).stdout, 'it is me\n');
    }
  });

  test('passes SIGTERM on to the program alone, once, and waits for its end', async () => {
    const { stdout, stderr } = await signalled('SIGTERM');
    assert.deepEqual({ stdout, stderr }, { stdout: 'ready\nTERM\n', stderr: 'exit 9\n' });
  });

  test('leaves a Ctrl-C to the program, which may go on', async (t) => {
    if (!has(t, ['script'])) return;
    const words = [...MAIN, 'sh', '-c', `'${TALKER}'`].join(' ');
    const keys = '(sleep 1; printf "\\003"; sleep 1.5)';
    const result = await exec(['sh', '-c', `${keys} | script --quiet --command "$1" /dev/null`, 'sh', words]);
    assert.equal(result.stdout.replaceAll('\r', '').replaceAll('^C', ''), 'ready\nINT\nexit 7\n');
  });
});

/** Runs the talker and sends one signal to the process that waits for it. */
async function signalled(signal: NodeJS.Signals): Promise<{ stdout: string; stderr: string }> {
  let pid = 0;
  const running = exec([...MAIN, 'sh', '-c', TALKER], {
    onStart: (started) => {
      pid = started;
    },
    onStdout: async (piece) => {
      if (!piece.toString().includes('ready')) return;
      await sleep(50);
      process.kill(pid, signal);
    },
  });
  return running;
}
