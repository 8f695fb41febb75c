/** The rules of src/README.md that a machine can check. Each failure says rule, reason and fix. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, test } from 'node:test';
import { REPOSITORY, type SourceFile, sourceFiles } from './support/source-files.ts';

/** A file imports its own folder and folders on lower floors. */
const FLOORS: Readonly<Record<string, number>> = {
  sys: 0,
  fuse: 1,
  sandbox: 1,
  staging: 2,
  history: 3,
  rules: 4,
  sources: 5,
  daemon: 6,
  agents: 7,
  review: 7,
  page: 8,
  cli: 9,
  embed: 10,
};

const LONGEST_FILE = 300;
const LONGEST_TABLE = 400;
/** Files that are one table each. */
const TABLES = new Set(['src/fuse/codec/abi.ts', 'src/fuse/ops.ts']);

const MOST_FILES = 15;
/** Folders that hold more, and how many at most. Their numbers only ever fall. */
const LARGER_FOLDERS: Readonly<Record<string, number>> = {
  // One file a command.
  'src/cli/commands': 32,
  'src/rules': 18,
  'src/staging': 28,
  'test/agents/real': 17,
  'test/conformance': 16,
  'test/crash': 24,
  'test/escape': 17,
  'test/fuse': 18,
  'test/model/history': 19,
  'test/support': 18,
};

interface Ban {
  readonly rule: string;
  readonly pattern: RegExp;
  readonly reason: string;
  readonly fix: string;
  /** Where it is fine. */
  readonly except?: (path: string) => boolean;
}

const BANS: readonly Ban[] = [
  {
    rule: 'only main ends the process',
    pattern: /\bprocess\.exit\(/g,
    reason: 'a process that ends anywhere leaves runs, mounts and files half done',
    fix: 'throw, or return; src/cli/run-program.ts turns errors into exit codes',
    except: (path) => path === 'src/cli/own-process.ts',
  },
  {
    rule: 'no console',
    pattern: /\bconsole\.\w+\(/g,
    reason: "stdout belongs to the command's data and to nothing else",
    fix: 'src/cli writes to process.stdout and process.stderr; lower floors use sys/trace.ts or throw',
  },
  {
    rule: 'network access only in sources/',
    pattern: /\bfetch\(/g,
    reason: 'a sandbox that talks to the network must do it in one place that can be read',
    fix: 'move it to src/sources/',
    except: (path) => path.startsWith('src/sources/') || path.startsWith('src/page/client/'),
  },
  {
    rule: 'no bare catch',
    pattern: /\bcatch\s*\{/g,
    reason: 'it swallows defects together with the failure that was expected',
    fix: 'catch (error), handle the code that is expected, rethrow the rest',
  },
  {
    rule: 'no decisions on message text',
    pattern: /\.message\.(?:includes|startsWith|endsWith|match|indexOf)\(/g,
    reason: 'messages are for people and change',
    fix: 'compare error.code, an errno, or the class',
  },
  {
    rule: 'named exports only',
    pattern: /\bexport default\b/g,
    reason: 'a thing has one name, in all files',
    fix: 'export it by name',
  },
  {
    rule: 'no enum, no namespace',
    pattern: /^\s*(?:export\s+)?(?:const\s+)?(?:enum|namespace)\s+\w+\s*\{/gm,
    reason: 'the sources must stay plain JavaScript once the types are erased',
    fix: 'a union of literals, or constants',
  },
  {
    rule: '#private members',
    pattern: /^\s*(?:private|protected|public)\s+(?:static\s+|readonly\s+|async\s+)*(?!constructor)[\w#]+\s*[(:=?;]/gm,
    reason: 'the keyword hides nothing at run time',
    fix: 'use #name; leave public unsaid',
  },
  {
    rule: 'one seed for all random tests',
    pattern: /from 'fast-check'/g,
    reason: 'npm test does the same every time',
    fix: 'import it from test/random/fast-check.ts',
    except: (path) => path === 'test/random/fast-check.ts',
  },
  {
    rule: 'no switched-off types',
    pattern: /@ts-(?:ignore|nocheck|expect-error)/g,
    reason: 'the compiler is the first reviewer',
    fix: 'give it the right type',
  },
];

/** What an exception looks like; the reason is mandatory. */
const OPT_OUT = /\/\/ architecture: \S+ \S+/;

describe('architecture', () => {
  const sources = sourceFiles('src');
  const tests = [...sourceFiles('test'), ...(existsSync(join(REPOSITORY, 'bench')) ? sourceFiles('bench') : [])];

  test('sources are found at all', () => {
    assert.ok(sources.length > 30, `only ${sources.length} files below src`);
    const folders = new Set(sources.map(folderOf));
    for (const folder of folders) assert.ok(folder in FLOORS, `src/${folder} has no floor: add it to FLOORS`);
  });

  test('a file imports its own folder and lower floors', () => {
    const problems = sources.flatMap((file) =>
      relativeImports(file)
        .filter((target) => !mayImport(folderOf(file), target))
        .map((target) => `${file.path} imports ${target}`),
    );
    report(problems, {
      reason: 'arrows that point down keep each floor testable without those above',
      fix: 'declare an interface below and implement it above, or move the code',
    });
  });

  test('only sys/ touches files and processes', () => {
    const pattern = /^import (?!type )[^;]*from 'node:(?:fs|fs\/promises|child_process)'|import\('node:(?:fs|child_)/gm;
    const problems = sources
      .filter((file) => folderOf(file) !== 'sys')
      .flatMap((file) => hits(file, file.code, pattern));
    report(problems, {
      reason: 'one folder knows the operating system',
      fix: 'add a small function to a file in src/sys',
    });
  });

  test('only `yolofs mcp` loads the MCP library', () => {
    const server = 'src/agents/mcp/server.ts';
    const isAllowed = (path: string): boolean => path === server || path === 'src/cli/commands/mcp.ts';
    const pattern = /(?:from|import\() ?'(?:zod|@modelcontextprotocol|[^']*\/mcp\/server\.ts)/g;
    report(
      sources.filter((file) => !isAllowed(file.path)).flatMap((file) => hits(file, file.code, pattern)),
      { reason: 'it costs more than all the rest of a start', fix: `ask for it in ${server}` },
    );
    assert.ok(sources.some((file) => file.path === server && pattern.test(file.code)));
  });

  for (const ban of BANS) {
    test(ban.rule, () => {
      const text = (file: SourceFile): string => (ban.pattern.source.startsWith('@') ? file.text : file.bare);
      const files = sources.filter((file) => !ban.except?.(file.path));
      report(
        files.flatMap((file) => hits(file, text(file), ban.pattern)),
        ban,
      );
    });
  }

  test('what is exported has a use', () => {
    const isConstantOfTheKernel = (path: string): boolean => path.startsWith('src/sys/');
    const words = new Map([...sources, ...tests].map((file) => [file.path, new Set(file.code.match(/[\w$]+/g))]));
    const users = (name: string, among: readonly SourceFile[], own: string): boolean =>
      among.some(({ path }) => path !== own && words.get(path)?.has(name) === true);
    const problems = sources.flatMap((file) =>
      exportedValues(file)
        .filter(
          ({ name, kind }) =>
            !(kind === 'const' && isConstantOfTheKernel(file.path)) && !users(name, sources, file.path),
        )
        .filter(({ name, uses }) => uses === 1 || !users(name, tests, file.path))
        .map(({ name }) => `${file.path}: ${name}`),
    );
    report(problems, {
      reason: 'what no other file needs is not for other files; what the product does not need is no part of it',
      fix: "take the word 'export' away, or the thing itself; what only tests need lies in test/",
    });
  });

  test('files are short', () => {
    const problems = [...sources, ...tests]
      .map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }))
      .filter(({ path, lines }) => lines > (TABLES.has(path) ? LONGEST_TABLE : LONGEST_FILE))
      .map(({ path, lines }) => `${path}: ${lines} lines`);
    report(problems, { reason: 'a file is read at one go', fix: 'split it along what it is about' });
  });

  test('folders are small', () => {
    const counts = new Map<string, number>();
    for (const { path } of [...sources, ...tests]) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const problems = [...counts]
      .filter(([folder, files]) => files > (LARGER_FOLDERS[folder] ?? MOST_FILES))
      .map(([folder, files]) => `${folder}: ${files} files`);
    report(problems, {
      reason: 'the list of its files says what a folder is about',
      fix: 'put those that belong together into a folder of their own',
    });
  });

  test('nothing is left for later, no test is switched off', () => {
    const later = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].map((word) => `\\b${word}\\b`).join('|'), 'g');
    const off = /\b(?:test|it|describe|t)\.(?:skip|todo|only)\(|\b(?:skip|todo|only): true/g;
    const problems = [
      ...[...sources, ...tests].flatMap((file) => hits(file, file.text, later)),
      ...tests.filter(isTest).flatMap((file) => hits(file, file.bare, off)),
    ];
    report(problems, {
      reason: 'what is not done belongs in an issue',
      fix: 'do it, or open an issue and remove the line',
    });
  });
});

function isTest(file: SourceFile): boolean {
  return /\.(?:test|long)\.ts$/.test(file.path);
}

function folderOf(file: SourceFile): string {
  return file.path.split('/')[1] ?? '';
}

function relativeImports(file: SourceFile): string[] {
  const specifiers = [...file.code.matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '');
  return specifiers.map((specifier) => normalize(join(dirname(file.path), specifier)));
}

/** Functions, classes and constants that a file exports by their declaration, and how often it names each. */
function exportedValues({ bare, code }: SourceFile): { kind: string; name: string; uses: number }[] {
  const pattern = /^export (?:async )?(?:abstract )?(function|class|const|let)\*? ([\w$]+)/gm;
  return [...bare.matchAll(pattern)].map(([, kind = '', name = '']) => {
    const uses = code.match(/[\w$]+/g)?.filter((word) => word === name).length ?? 0;
    return { kind, name, uses };
  });
}

function mayImport(from: string, target: string): boolean {
  const [top, to = ''] = target.split('/');
  if (top !== 'src') return false;
  return to === from || (FLOORS[to] ?? 99) < (FLOORS[from] ?? -1);
}

/** Where a pattern occurs, as `file:line: text`, without the lines that give a reason to be exempt. */
function hits(file: SourceFile, text: string, pattern: RegExp): string[] {
  const lines = file.text.split('\n');
  return [...text.matchAll(pattern)]
    .map((match) => text.slice(0, match.index + match[0].search(/\S/)).split('\n').length)
    .filter((line) => !OPT_OUT.test(lines[line - 1] ?? '') && !OPT_OUT.test(lines[line - 2] ?? ''))
    .map((line) => `${file.path}:${line}: ${lines[line - 1]?.trim()}`);
}

function report(problems: readonly string[], rule: { readonly reason: string; readonly fix: string }): void {
  const text = problems.map((problem) => `  ${problem}`).join('\n');
  assert.equal(problems.length, 0, `${problems.length} places:\n${text}\nwhy: ${rule.reason}\nfix: ${rule.fix}`);
}
