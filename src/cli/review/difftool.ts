/** `diff --tool`: both sides of each file as copies in a directory of their own, shown by the person's `git difftool`. */
import type { PathChange, Side } from '../../history/diff/changes.ts';
import { Facts, typeOf } from '../../history/diff/facts.ts';
import { loadSide } from '../../history/diff/text/load.ts';
import { label } from '../../sys/bytes.ts';
import { makeDirectories } from '../../sys/files/hollow.ts';
import { makeTemporaryDirectory, removeTree, writeNewText } from '../../sys/files/text-files.ts';
import { findTool, startProcess } from '../../sys/process/process.ts';
import { S_IFREG } from '../../sys/stat.ts';
import { UserError } from '../../sys/user-error.ts';
import { isForGuest } from '../look/guest-sight.ts';
import type { Reading } from '../look/read-session.ts';
import { gitEnvironment } from './own-git.ts';

/** One file after the other. Throws a UserError without git, or where git cannot start the tool. */
export async function showInTool(
  changes: Iterable<PathChange>,
  reading: Reading,
  tool: string | undefined,
): Promise<void> {
  if (isForGuest()) throw new UserError('--tool is not possible inside the view', 'it would run outside');
  const git = findTool('git');
  if (git === undefined) throw new UserError('--tool needs git');
  const facts = new Facts(reading.base, reading.store);
  const top = makeTemporaryDirectory('/tmp/yolofs-diff-');
  try {
    for (const change of changes) {
      if (change.type !== 'file' || !isText(change.oldSide, facts) || !isText(change.newSide, facts)) continue;
      const [before, after] = [change.oldSide, change.newSide].map((side, index) =>
        copyOf(side, { facts, name: `${index === 0 ? 'before' : 'after'}${label(change.path)}`, top }),
      );
      const options = ['difftool', '--no-index', '--no-prompt', ...(tool === undefined ? [] : [`--tool=${tool}`])];
      await run([git, ...options, '--', before ?? '', after ?? ''], top);
    }
  } finally {
    removeTree(top);
  }
}

function isText(side: Side | undefined, facts: Facts): boolean {
  if (side === undefined) return true;
  return typeOf(side.backing) === S_IFREG && loadSide(side, facts).kind === 'text';
}

interface Copying {
  readonly facts: Facts;
  readonly name: string;
  readonly top: string;
}

function copyOf(side: Side | undefined, { facts, name, top }: Copying): string {
  const path = `${top}/${name}`;
  makeDirectories(path.slice(0, path.lastIndexOf('/')));
  const content = side === undefined ? undefined : loadSide(side, facts);
  writeNewText(path, content?.kind === 'text' ? content.text : '', 0o400);
  return path;
}

/** What the tool itself ends with git does not tell; 1 says only that the files differ. */
async function run(argv: readonly string[], top: string): Promise<void> {
  const env = { ...gitEnvironment(), GIT_CEILING_DIRECTORIES: top };
  const child = startProcess({ argv, env, stdio: ['inherit', 'inherit', 'inherit'], cwd: top });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code === 0 || code === 1) return;
  throw new UserError("'git difftool' could not show it", "'git difftool --tool-help' lists the tools that git knows");
}
