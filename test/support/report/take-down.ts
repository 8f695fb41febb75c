/**
 * The end of a test's session: it is stopped, and what it has left behind or complained about is a failure. A test that
 * failed leaves what is needed to look into it below `/var/tmp/failed-yolofs-tests`, and a script that repeats it.
 */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { SEED } from '../../random/seed.ts';
import { leftovers } from '../leaks.ts';
import type { Session, SessionOptions } from '../session.ts';

/** Where failed tests leave what they have. */
export const FAILED = '/var/tmp/failed-yolofs-tests';

/** Ends the session; returns what it left behind or complained about. */
export async function takeDown(made: Session, options: SessionOptions): Promise<string[]> {
  const problems: string[] = [];
  await made.stop().catch((error: Error) => problems.push(error.message));
  await options.onStopped?.();
  problems.push(...(await leftovers(made.root)));
  const log = made.log();
  if (options.noisy !== true && /error|warning|exception|\.js:\d+/i.test(log))
    problems.push(`daemon.log:\n${log.slice(-4000)}`);
  return problems;
}

/** Whether the test has failed so far; the types of Node 20 do not know it. */
export function hasFailed(t: TestContext): boolean {
  return (t as TestContext & { readonly passed?: boolean }).passed === false;
}

/** Keeps logs, journal, rules and, where there is one, the trace of a session whose test failed; returns where. */
export function keepFailed(t: TestContext, made: Session): string {
  const directory = join(FAILED, `${t.name.replace(/[^\w]+/g, '-').slice(0, 60)}-${basename(made.root).slice(-6)}`);
  mkdirSync(directory, { recursive: true });
  const { log, journal } = made.layout;
  for (const file of [log, journal, join(made.root, 'trace'), join(made.project, '.yolofs.toml')])
    if (existsSync(file)) copyFileSync(file, join(directory, basename(file)));
  writeFileSync(join(directory, 'repro.sh'), reproduction(t.name), { mode: 0o755 });
  return directory;
}

/** What says of a run which account and how many cases it takes. */
const RUN = ['YOLOFS_TEST_USER', 'YOLOFS_TEST_QUICK', 'YOLOFS_TEST_LONG', 'YOLOFS_MODEL_RUNS'];

function reproduction(title: string): string {
  const file = relative(process.cwd(), process.argv[1] ?? '');
  // How many cases there are is part of some titles.
  const run = RUN.filter((name) => process.env[name] !== undefined).map((name) => `${name}='${process.env[name]}' `);
  const pattern = `^${title.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$`.replaceAll("'", `'\\''`);
  return `#!/bin/sh
# Repeats the test that failed, with a trace of the kernel's requests; the session's directory stays.
cd '${process.cwd()}' && npm run -s build &&
${run.join('')}YOLOFS_TEST_SEED=${SEED} YOLOFS_TEST_KEEP=1 YOLOFS_TEST_TRACE=1 \\
  node --test --test-name-pattern='${pattern}' '${file}'
`;
}

/** What makes the daemon of a session write a trace: `YOLOFS_TEST_TRACE=1`, as `repro.sh` has it. */
export function tracing(root: string): Record<string, string> {
  if (process.env.YOLOFS_TEST_TRACE !== '1') return {};
  return { YOLOFS_TRACE: 'fuse', YOLOFS_TRACE_FILE: join(root, 'trace') };
}
