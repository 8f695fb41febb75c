/** A program that goes on in the view while a test changes files on the host, and what it has written so far. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { become } from '../../support/accounts.ts';
import { CLEAN_ENV } from '../../support/exec.ts';
import { BUILT, PROGRAM, type Session } from '../../support/session.ts';

const TIMEOUT_MS = 20_000;

export interface Running {
  /** Resolves as soon as what was written since the last call matches all of these; rejects with it when it does not in time. */
  until(...patterns: RegExp[]): Promise<void>;
}

/** Starts a program in the view; it ends with the session. */
export function start(t: TestContext, s: Session, argv: readonly string[], env: Record<string, string> = {}): Running {
  const words = [...become(s.account), PROGRAM, 'run', '--quiet', '--no-snapshot', '--', ...argv];
  const child = spawn(words[0] ?? '', words.slice(1), {
    cwd: s.project,
    env: { ...CLEAN_ENV, HOME: s.home, YOLOFS_TEST_ROOT: s.root, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let changed = (): void => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      changed();
    });
  }
  t.after(() => child.kill('SIGKILL'));
  const until = (...patterns: RegExp[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new assert.AssertionError({ message: `not seen: ${patterns.join(', ')}`, actual: text }));
      }, TIMEOUT_MS);
      changed = () => {
        if (!patterns.every((pattern) => pattern.test(text))) return;
        clearTimeout(timer);
        resolve();
        text = '';
        changed = () => undefined;
      };
      changed();
    });
  return { until };
}

/** The listener (listener-main.ts) on files and directories, once it listens. */
export async function listen(t: TestContext, s: Session, paths: readonly string[]): Promise<Running> {
  const running = start(t, s, [process.execPath, join(BUILT, 'test/daemon/view/listener-main.js'), ...paths]);
  await running.until(/^ready$/m);
  return running;
}
