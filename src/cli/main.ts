#!/usr/bin/env node
/**
 * Entry of the `yolofs` program, also as bin/yolofs.cjs. `run`, `hook` and `yolofs-shell` come at each command of an agent, and `grep` may
 * come as often: for them one file is loaded and nothing else, a CommonJS one, as node's loader for these costs least. All bundles are made
 * of the same sources.
 */
import { createRequire } from 'node:module';
import { LAUNCHED_COMMANDS } from '../daemon/sockets/served-commands.ts';

const [, program = '', name = ''] = process.argv;
if (LAUNCHED_COMMANDS.includes(name) || program.endsWith('/yolofs-shell')) {
  createRequire(import.meta.url)('../bin/hot.cjs');
} else if (name === 'grep') {
  createRequire(import.meta.url)('../bin/grep.cjs');
} else {
  // What is loaded there says so itself when a part of it is missing; here nothing is loaded yet that could.
  import(new URL('../cli/all.js', import.meta.url).href).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write(
      'yolofs: a part of this program is not there: npm may be putting another version in its place\n',
    );
    process.exitCode = 1;
  });
}
