/** `yolofs init`: a commented `.yolofs.toml`, and a `.yolofs/` that git ignores. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CONFIG_FILE, SESSION_DIR } from '../../history/layout.ts';
import { isApart } from '../../history/registry/apart.ts';
import { ensureSession, refuseUnfit } from '../../history/registry/make.ts';
import { CONFIG_TEMPLATE } from '../../rules/config/template.ts';
import { isInsideView } from '../../sandbox/inside.ts';
import { isWritable, lookAt, realPath, writeNewText } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import { notEmpty } from '../look/path-words.ts';
import { refuseUnnamable } from '../session.ts';

export function define(command: Command): void {
  command.argument('[dir]', 'the directory to prepare', '.').action(init);
}

function init(dir: string): void {
  if (isInsideView()) throw new UserError('this shell is inside the view', 'run it in a shell outside the view');
  const path = resolve(notEmpty(dir));
  refuseUnnamable(path);
  const project = realPath(path);
  if (project === undefined || lookAt(project)?.isDirectory() !== true) {
    throw new UserError(`not a directory: ${dir}`);
  }
  refuseUnfit(project);
  const session = ensureSession(project);
  const { config, entry } = session;
  if (isApart(session)) {
    process.stderr.write(`what is staged is kept in ${entry}: ${project} cannot hold it, or be written to\n`);
  }
  if (!isWritable(project)) return;
  const fresh = writeNewText(config, CONFIG_TEMPLATE);
  process.stderr.write(
    fresh
      ? `wrote ${CONFIG_FILE}; ${SESSION_DIR}/ stays out of git. Next: yolofs run -- COMMAND\n`
      : `${CONFIG_FILE} exists and is left as it is\n`,
  );
}
