/**
 * `grep` and `rg` of a just-bash session. grep is ours. rg is just-bash's, with the files that may match brought in bulk
 * before it starts, since it reads one after the other.
 */
import type { Command, ResolvedCommandContext } from 'just-bash';
import type { Formula } from '../formula.ts';
import { runGrep } from '../grep/grep.ts';
import { GrepFiles, type Mounts } from './grep-files.ts';

type JustBash = typeof import('just-bash');
type Result = Awaited<ReturnType<Command['execute']>>;

/** The commands that replace just-bash's own. */
export function commandsFor(bash: JustBash, mounts: Mounts): Command[] {
  const grep = (name: string, flags: readonly string[]): Command =>
    bash.defineCommand(name, (args, context) => grepIn(bash, mounts, { args: [...flags, ...args], context }));
  return [
    grep('grep', []),
    grep('egrep', ['-E']),
    grep('fgrep', ['-F']),
    bash.defineCommand('rg', async (args, context) => {
      await bringFor(args, mounts, context);
      return context.origCommand?.(args) ?? { stdout: '', stderr: 'rg: not found\n', exitCode: 127 };
    }),
  ];
}

interface Call {
  readonly args: readonly string[];
  readonly context: ResolvedCommandContext;
}

async function grepIn(bash: JustBash, mounts: Mounts, { args, context }: Call): Promise<Result> {
  const stdin = Buffer.from(context.stdin as unknown as string, 'latin1');
  const files = new GrepFiles(context.fs, mounts, { cwd: context.cwd, stdin });
  await files.learn(args.filter((arg) => !arg.startsWith('-')));
  const out: Uint8Array[] = [];
  const errors: string[] = [];
  const words = args.map((arg) => Buffer.from(arg).toString('latin1'));
  const exitCode = await runGrep(words, files, {
    out: (bytes) => void out.push(Buffer.from(bytes)),
    err: (line) => void errors.push(`${Buffer.from(line, 'latin1').toString('utf8')}\n`),
    drained: () => Promise.resolve(),
  });
  const stdout = bash.unsafeBytesFromLatin1(Buffer.concat(out).toString('latin1'));
  return { ...bash.bytesOutput(stdout), stderr: errors.join(''), exitCode };
}

/** What a pattern without any special character must be found by; everything else may be anywhere. */
const PLAIN = /^[\w \-/:;,='"@#%&<>~]+$/;
/** Options after which files without a match matter, too, or the pattern is not the first word. */
const WIDE = /^-(-|[^-]*[vcefLUg0-9])/;

async function bringFor(args: readonly string[], mounts: Mounts, { cwd }: ResolvedCommandContext): Promise<void> {
  const [pattern = '', ...operands] = args.filter((arg) => !arg.startsWith('-'));
  const isPlain = PLAIN.test(pattern) && !args.some((arg) => WIDE.test(arg));
  const formula: Formula = isPlain ? { kind: 'literal', text: pattern, fold: true } : { kind: 'all' };
  for (const [at, files] of mounts) {
    const scopes = (operands.length > 0 ? operands : ['.']).map((operand) => files.resolvePath(cwd, operand));
    const meant = scopes.flatMap((scope) => {
      if (scope === '/' || at === scope || at.startsWith(`${scope}/`)) return [...files.tree.files('')];
      return scope.startsWith(`${at}/`) ? [...files.tree.files(scope.slice(at.length + 1))] : [];
    });
    if (meant.length === 0) continue;
    const may = await files.candidates(
      formula,
      meant.map(({ path }) => path),
    );
    // Whether a read fails is for rg to find out.
    await files.contents.readMany(may === undefined ? meant : meant.filter(({ path }) => may.has(path)));
  }
}
