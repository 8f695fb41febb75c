/** The demonstration's project: a small TypeScript library with a history in git, and a home directory beside it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Place {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

type Files = Readonly<Record<string, string>>;

const FIRST: Files = {
  'package.json': '{ "name": "slugs", "version": "1.0.0", "type": "module" }\n',
  'tsconfig.json':
    '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "outDir": "dist", "rootDir": "src", "types": [] }, "include": ["src"] }\n',
  '.gitignore': 'dist/\nnode_modules/\n.yolofs.toml\n',
  'README.md': '# slugs\n\nTurns titles into file names.\n',
  'src/index.ts': "export { slug } from './slug.js';\nexport { words } from './words.js';\n",
  'src/slug.ts':
    "import { words } from './words.js';\n\n/** A title as a file name. */\nexport function slug(title: string): string {\n  return words(title).join('_');\n}\n",
  'src/words.ts':
    '/** The words of a text, in lower case. */\nexport function words(text: string): string[] {\n  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];\n}\n',
};

const SECOND: Files = {
  'docs/history.md': '# History\n\nWritten in one afternoon.\n',
  'docs/old-plan.md': '# Plan\n\nNobody follows this any more.\n',
};

/** A clean-up script with a defect that many have written: the variable is empty, so the path is the whole home. */
const THIRD: Files = {
  'tools/clean.sh':
    '#!/bin/sh\n# Removes what the build has left.\necho "cleaning build output"\nrm -rf "$HOME/$SLUGS_CACHE"/* dist src/*.ts\necho "clean"\n',
};

/** Ann lets agents see her home directory, and work on her letters; what they do there is staged. */
const HOME_RULES = '[rules]\n"~" = "read-only"\n"~/letters" = "allow"\n';

/** Makes the project with three commits in `root`, and a home directory with something to lose. */
export function makeProject(root: string): Place {
  const [project, home] = [join(root, 'slugs'), join(root, 'home')];
  const env: NodeJS.ProcessEnv = {
    // What yolofs remembers of its sessions is no part of what the demonstration is about.
    XDG_STATE_HOME: join(root, 'state'),
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.org',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.org',
  };
  const place = { root, project, home, env };
  writeFiles(home, {
    'letters/2024.txt': 'Dear Ben,\n',
    'photos/cat.jpg': '\xff\xd8 not really a cat\n',
    '.config/yolofs/config.toml': HOME_RULES,
  });
  mkdirSync(project);
  installCompiler(join(project, 'node_modules'));
  git(place, ['init', '--quiet', '--initial-branch=main']);
  for (const [message, files] of Object.entries({
    'Turn titles into names': FIRST,
    'Add documents': SECOND,
    'Add a clean-up': THIRD,
  })) {
    writeFiles(project, files);
    git(place, ['add', '--all']);
    git(place, ['commit', '--quiet', '--message', message]);
  }
  return place;
}

/** What `npm install typescript` would have left, without the network: the compiler of this checkout. */
function installCompiler(modules: string): void {
  const own = fileURLToPath(new URL('..', import.meta.resolve('typescript/package.json')));
  for (const name of ['typescript', '@typescript']) cpSync(join(own, name), join(modules, name), { recursive: true });
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../typescript/bin/tsc', join(modules, '.bin/tsc'));
}

/** Runs git on the real project and returns what it says. */
export function git({ project, env }: Place, args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd: project, env, encoding: 'utf8' });
}

function writeFiles(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
  }
}
