#!/usr/bin/env node
/**
 * Entry of the `yolofs` program, also as bin/yolofs.cjs. `run`, `hook` and `yolofs-shell` come at each command of an agent, and in the
 * view `grep` may come as often: for them one file is loaded and nothing else. What a person types has all commands in one, and is kept compiled. All are
 * CommonJS, as node's loader for these costs least, and bundles of the same sources.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { LAUNCHED_COMMANDS } from '../daemon/sockets/served-commands.ts';
import { isInsideView } from '../sandbox/inside.ts';
import { loadBundle } from '../sys/process/code-cache.ts';

/** Of the bundle, and of a package that it needs. */
const MISSING: ReadonlySet<string | undefined> = new Set(['ENOENT', 'MODULE_NOT_FOUND']);

const [, program = '', name = ''] = process.argv;
if (LAUNCHED_COMMANDS.includes(name) || program.endsWith('/yolofs-shell')) {
  createRequire(import.meta.url)('../bin/hot.cjs');
} else if (name === 'grep' && isInsideView()) {
  createRequire(import.meta.url)('../bin/grep.cjs');
} else {
  loadProgram();
}

/** What is loaded there says so itself when a part of it is missing; here nothing is loaded yet that could. */
function loadProgram(): void {
  try {
    process.on('exit', loadBundle(fileURLToPath(new URL('../bin/all.cjs', import.meta.url))).keep);
  } catch (error) {
    if (!MISSING.has((error as NodeJS.ErrnoException).code)) throw error;
    process.stderr.write(
      'yolofs: a part of this program is not there: npm may be putting another version in its place\n',
    );
    process.exitCode = 1;
  }
}
