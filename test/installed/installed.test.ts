/** What `npm pack` packs is all that the installed program needs, by the links that npm makes. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { converse } from '../support/conversation.ts';
import { type ExecOptions, type Result, succeed } from '../support/exec.ts';
import { has } from '../support/need.ts';
import { type Session, session } from '../support/session.ts';
import { REPOSITORY } from '../support/source-files.ts';

const CHOICE = /\[c\]ommit all, \[k\]eep, \[a\]bort, \? \[k\] /;

/** Below dist/src. */
const PROGRAM_FILES = [
  'bin/all.cjs',
  'bin/daemon.cjs',
  'bin/fuse-thread.cjs',
  'bin/grep.cjs',
  'bin/holder',
  'bin/hot.cjs',
  'bin/index.js',
  'bin/launch-server.cjs',
  'bin/rg.cjs',
  'bin/shims/grep/grep',
  'bin/shims/rg/rg',
  'bin/sources.js',
  'bin/yolofs.cjs',
  'cli/main.js',
  'daemon/main.js',
  'daemon/sources/sources-thread.js',
  'daemon/store/copy-thread.js',
  'daemon/store/tree-thread.js',
  'daemon/summary-thread.js',
  'daemon/view/base-mounts/survey-thread.js',
];

test('the package, unpacked where npm would, works by its links: init, run with and without Node, hook, install', async (t) => {
  const s = await session(t);
  const bin = await install(t, s, join(s.root, 'prefix'));
  const yolofs = join(bin, 'yolofs');
  const run = async (words: readonly string[], options: ExecOptions = {}): Promise<string> =>
    output(await s.native([yolofs, ...words], options));
  writeFileSync(join(s.project, 'large'), 'base content\n'.repeat(400_000));

  assert.equal(await run(['--version']), `${manifest().version}\n`);
  assert.equal(await run(['run', '--quiet', '-c', 'echo 1 > new; cat hello.txt']), 'base content\n');
  // The link, what it leads to, Perl, the daemon: no Node has to be there for a second run.
  const only = join(s.root, 'only-perl');
  mkdirSync(only);
  symlinkSync('/usr/bin/perl', join(only, 'perl'));
  assert.equal(await run(['run', '--quiet', '--', '/bin/cat', 'new'], { env: { PATH: only } }), '1\n');
  assert.match(await run(['status']), /^Added \(1\)\n {2}new\n$/);
  const append = 'echo more >> large && tail -n 2 large && wc -c < large';
  assert.equal(await run(['run', '--quiet', '-c', append]), 'base content\nmore\n5200005\n', 'by a thread of its own');

  const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'x', tool_input: { command: 'id' } };
  const input = JSON.stringify({ ...event, cwd: s.project });
  assert.match(await run(['hook', 'claude'], { input }), /"permissionDecision":"allow".*run --call/);
  await run(['install', 'claude', '--yes']);
  const settings = JSON.parse(readFileSync(join(s.home, '.claude/settings.json'), 'utf8')) as object;
  assert.ok(
    JSON.stringify(settings).includes(JSON.stringify(yolofs)),
    'hooks are started by the link, which outlives an update',
  );
  await run(['uninstall', 'claude', '--yes']);
  await run(['stop']);

  rmSync(join(bin, '../lib/node_modules/yolofs/dist/src/bin/all.cjs'));
  const { code, stderr } = await s.native([yolofs, 'status']);
  assert.deepEqual(
    [code, stderr],
    [1, 'yolofs: a part of this program is not there: npm may be putting another version in its place\n'],
  );
});

test('npm puts another version in its place: who is in the view works on, and is asked at the end', async (t) => {
  if (!has(t, ['script'])) return;
  const s = await session(t);
  const bin = await install(t, s, join(s.root, 'prefix'));
  const installed = join(bin, '../lib/node_modules/yolofs');
  writeFileSync(join(s.project, 'large'), 'base content\n'.repeat(400_000));
  // As npm does it: the old one is moved aside and removed before the new one is there.
  const replace = (): string => {
    rmSync(installed, { recursive: true });
    return '\n';
  };
  const agent = `'${join(bin, 'yolofs')}' wrap sh -c 'echo at work; read go; echo more >> large; tail -c 5 large'`;
  const { code, shown } = await converse(
    agent,
    [
      [/at work\n/, replace],
      [CHOICE, 'd\n'],
      [/\+more/, ''],
      [CHOICE, 'c\n'],
    ],
    { cwd: s.project, account: s.account, env: { HOME: s.home, YOLOFS_TEST_ROOT: s.root, PAGER: 'cat' } },
  );
  assert.equal(code, 0, shown);
  assert.match(shown, /\nmore\n[\s\S]*committed 1 change/);
  assert.match(readFileSync(join(s.project, 'large'), 'utf8'), /content\nmore\n$/);
});

test('a program that is installed beside it embeds sessions: the example of the README', async (t) => {
  const s = await session(t);
  const bin = await install(t, s, join(s.root, 'prefix'));
  const app = join(bin, '../lib/node_modules/app');
  mkdirSync(app);
  const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
  const [, example = ''] = /^## In a program\n\n((?: {4}.*\n|\n)+)/m.exec(readme) ?? [];
  assert.match(example, /import \{ Session \} from 'yolofs'/);
  writeFileSync(join(app, 'main.mjs'), example.replaceAll(/^ {4}/gm, ''));
  const printed = output(await s.native([process.execPath, join(app, 'main.mjs')]));
  assert.match(printed, /^0 \[[^\]]*hello\.txt[^\]]*sorted[^\]]*\] diff --git /);
  assert.match(printed, /^-base content$[\s\S]*^\+line1$/m);
  assert.deepEqual(await s.changeLines(), [], 'it has traveled back');
  await s.stop();
});

test('a program that is installed beside it embeds sources', async (t) => {
  const s = await session(t);
  const bin = await install(t, s, join(s.root, 'prefix'));
  const app = join(bin, '../lib/node_modules/app');
  mkdirSync(app);
  writeFileSync(
    join(app, 'main.mjs'),
    `import { bashFor, mount } from 'yolofs/sources';
const docs = await mount({ kind: 'memory', dir: process.argv[2], open: true });
const bash = await bashFor({ '/docs': docs });
await bash.exec('cd subdir');
process.stdout.write((await bash.exec('cat deep.txt; grep -c line ../multi.txt')).stdout);
`,
  );
  assert.equal(output(await s.native([process.execPath, join(app, 'main.mjs'), s.project])), 'nested\n2\n');
});

test('N6: what npm has put below the home directory reads itself without a question: yolofs, and a wrapped agent', async (t) => {
  const s = await session(t, { rules: 'default' });
  const bin = await install(t, s, join(s.home, '.npm-packages'));
  const [agent, secret] = [join(s.home, 'tools/lib/node_modules/agent'), join(s.home, 'tools/notes')];
  mkdirSync(agent, { recursive: true });
  writeFileSync(join(agent, 'cli.js'), "#!/usr/bin/env node\nprocess.stdout.write(require('./part.js'));\n", {
    mode: 0o755,
  });
  writeFileSync(join(agent, 'part.js'), "module.exports = 'the agent runs\\n';\n");
  writeFileSync(secret, 'private\n');
  mkdirSync(join(s.home, 'tools/bin'));
  symlinkSync('../lib/node_modules/agent/cli.js', join(s.home, 'tools/bin/agent'));
  const env = { PATH: `${bin}:${join(s.home, 'tools/bin')}:${process.env.PATH}` };
  const run = (words: readonly string[]): Promise<Result> => s.native([join(bin, 'yolofs'), ...words], { env });

  const log = await run(['run', '--', 'yolofs', 'status']);
  assert.deepEqual([log.code, log.stdout, log.stderr], [0, 'nothing is staged (generation 0)\n', '']);
  const wrapped = await run(['wrap', 'agent']);
  assert.deepEqual([wrapped.code, wrapped.stdout], [0, 'the agent runs\n'], wrapped.stderr);
  assert.doesNotMatch(wrapped.stderr, /refused/);
  const other = await run(['wrap', 'cat', secret]);
  assert.deepEqual([other.code, other.stdout], [1, ''], 'what lies beside it is asked about as before');
  await run(['stop']);
});

function output({ code, stdout, stderr }: Result): string {
  assert.equal(code, 0, stderr);
  return stdout;
}

function manifest(): { version: string; bin: Record<string, string> } {
  return JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
}

/** As `npm install --global` does it, but with the libraries of this checkout, so that no network is needed. */
async function install(t: TestContext, s: Session, prefix: string): Promise<string> {
  const npm = { cwd: REPOSITORY, env: { HOME: s.home, npm_config_update_notifier: 'false' } };
  const packed = await succeed(['npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', s.root], npm);
  const [{ filename, files } = { filename: '', files: [] }] = JSON.parse(packed) as Packed[];
  const paths = files.map(({ path }) => path);
  const programs = paths.filter((path) => path.startsWith('dist/src/'));
  assert.deepEqual(programs.map((path) => path.slice('dist/src/'.length)).sort(), PROGRAM_FILES);
  assert.ok(paths.includes('README.md') && paths.includes('hooks/README.md'));
  t.diagnostic(`${files.length} files`);

  const [modules, bin] = [join(prefix, 'lib/node_modules'), join(prefix, 'bin')];
  for (const dir of [modules, bin]) mkdirSync(dir, { recursive: true });
  await succeed(['tar', '-xzf', join(s.root, filename), '-C', modules, '--transform', 's,^package,yolofs,']);
  symlinkSync(join(REPOSITORY, 'node_modules'), join(modules, 'yolofs/node_modules'));
  for (const [name, path] of Object.entries(manifest().bin)) {
    symlinkSync(join('../lib/node_modules/yolofs', path), join(bin, name));
  }
  return bin;
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}
