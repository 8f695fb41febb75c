/** `diff --tool`: both sides of each file as copies in a directory of their own, shown by the person's `git difftool`. */
import type { PathChange, Side } from '../../history/diff/changes.ts';
import { Facts, typeOf } from '../../history/diff/facts.ts';
import { label } from '../../sys/bytes.ts';
import { copyOpened } from '../../sys/files/copy-in.ts';
import { makeDirectories } from '../../sys/files/hollow.ts';
import { makeTemporaryDirectory, removeTree, writeNewText } from '../../sys/files/text-files.ts';
import { close } from '../../sys/libc.ts';
import { findTool, startProcess } from '../../sys/process/process.ts';
import { S_IFLNK, S_IFREG } from '../../sys/stat.ts';
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
      if (change.type === 'directory') continue;
      const [before, after] = [
        copyOf(change.displaced ? undefined : change.oldSide, { facts, path: `${top}/before${label(change.path)}` }),
        copyOf(change.newSide, { facts, path: `${top}/after${label(change.path)}` }),
      ];
      if (before === undefined || after === undefined) {
        process.stderr.write(`yolofs: not shown: ${label(change.path)} is no file that can be read\n`);
        continue;
      }
      const options = ['difftool', '--no-index', '--no-prompt', ...(tool === undefined ? [] : [`--tool=${tool}`])];
      await run([git, ...options, '--', before, after], top);
    }
  } finally {
    removeTree(top);
  }
}

interface Copying {
  readonly facts: Facts;
  readonly path: string;
}

/** Where the copy is: of a link, as git has it, its target. Undefined where a side is something else, or cannot be read. */
function copyOf(side: Side | undefined, { facts, path }: Copying): string | undefined {
  makeDirectories(path.slice(0, path.lastIndexOf('/')));
  const type = side === undefined ? undefined : typeOf(side.backing);
  if (side === undefined || type === S_IFLNK) {
    const target = side === undefined ? '' : (facts.target(side.backing) ?? '');
    writeNewText(path, Buffer.from(target, 'latin1'), 0o400);
    return path;
  }
  const fd = type === S_IFREG ? facts.open(side.backing) : -1;
  if (fd < 0) return undefined;
  try {
    copyOpened(fd, path);
  } finally {
    close(fd);
  }
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
