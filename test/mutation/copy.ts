/**
 * The copy of the checkout that faults are put into, and how programs run in it. A fault in commit may write anywhere:
 * what runs has all of the machine read-only, directories for temporary files of its own, and ends with its namespaces.
 * The copy has the place of the checkout there, and one file of it the fault's.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'esbuild';
import { REPOSITORY } from '../support/source-files.ts';
import { type Fault, withFault } from './faults.ts';

const LARGEST_HEAP_MB = 1024;

/** $1 the copy, $2 the checkout, $3 what is /tmp; then pairs of a file and its place; after `--` the program. */
const SETUP = `
set -e
copy=$1 here=$2 tmp=$3; shift 3
mount --bind "$here/node_modules" "$copy/node_modules"
mount --rbind "$copy" "$here"
while [ "$1" != -- ]; do mount --bind "$1" "$2"; shift 2; done; shift
mount --bind "$tmp" /tmp
mount --bind "$tmp" /var/tmp
awk '$5 !~ "^/(proc|dev)(/|$)" { print $5 }' /proc/self/mountinfo | while read -r at; do mount -o remount,bind,ro "$at" 2>/dev/null || :; done
mount -o remount,bind,rw /tmp
mount -o remount,bind,rw /var/tmp
mount -t tmpfs -o size=1g,mode=1777 tmpfs /dev/shm
cd "$here"
exec "$@"
`;

export class Copy {
  readonly #directory = mkdtempSync('/var/tmp/yolofs-mutation-');
  readonly #running = new Set<ChildProcess>();
  #programs = 0;

  constructor() {
    for (const part of ['src', 'test', 'bench', 'hooks', 'dist', 'package.json', 'tsconfig.json', '.ci']) {
      cpSync(join(REPOSITORY, part), join(this.#checkout, part), { recursive: true, verbatimSymlinks: true });
    }
    mkdirSync(join(this.#checkout, 'node_modules'));
  }

  /** A program that imports modules, one after the other; returns its path in the copy's place. */
  program(modules: readonly string[]): string {
    const name = join('dist', 'test', `program-${this.#programs++}.mjs`);
    writeFileSync(join(this.#checkout, name), modules.map((path) => `import ${JSON.stringify(path)};\n`).join(''));
    return join(REPOSITORY, name);
  }

  /** Starts a program where the fault is. */
  start(fault: Fault | undefined, argv: readonly string[]): ChildProcess {
    const files = fault === undefined ? [] : this.#files(fault);
    const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private'];
    const tmp = mkdtempSync(join(this.#directory, 'tmp-'));
    chmodSync(tmp, 0o1777);
    const words = [this.#checkout, REPOSITORY, tmp, ...files, '--', ...argv];
    const child = spawn('unshare', [...namespaces, 'sh', '-c', SETUP, 'sh', ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: `--max-old-space-size=${LARGEST_HEAP_MB}` },
    });
    this.#running.add(child);
    child.once('close', () => {
      this.#running.delete(child);
      rmSync(tmp, { recursive: true, force: true });
    });
    return child;
  }

  /** With whatever still runs in it. */
  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 10 });
  }

  get #checkout(): string {
    return join(this.#directory, 'checkout');
  }

  /** The source and what is compiled of it, each with the place that it takes. */
  #files(fault: Fault): string[] {
    const { path } = fault;
    const text = withFault(readFileSync(join(this.#checkout, path), 'utf8'), fault);
    const directory = join(this.#directory, `fault-${path.replaceAll('/', '-')}-${fault.start}-${fault.kind}`);
    const [source, built] = [join(directory, 'fault.ts'), join(directory, 'fault.js')];
    mkdirSync(dirname(source), { recursive: true });
    writeFileSync(source, text);
    writeFileSync(built, compile(text));
    const place = path.replace(/^src/, 'dist/src').replace(/\.ts$/, '.js');
    return [source, join(REPOSITORY, path), built, join(REPOSITORY, place)];
  }
}

/** As the build does it: types go, and imports name compiled files. */
function compile(text: string): string {
  const { code } = transformSync(text, { loader: 'ts', format: 'esm', target: 'node20' });
  return code.replace(/((?:\bfrom |^import |\bimport\()"\.[^"]+)\.ts"/gm, '$1.js"');
}
