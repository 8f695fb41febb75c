/**
 * A branch written into a repository without running git in it: its settings may name programs (hooks, filters, monitors), and
 * a clone's are anybody's. git works in an empty repository of ours, with the objects of the other as its own; what the
 * branch points at is then written here.
 */
import { ensureDirectory } from '../../sys/files/files.ts';
import { lookAt, makeTemporaryDirectory, readText, removeTree, writeNewText } from '../../sys/files/text-files.ts';
import { findTool, PLAIN_ENVIRONMENT, startProcess } from '../../sys/process/process.ts';
import { runFed } from '../../sys/process/run-fed.ts';
import { UserError } from '../../sys/user-error.ts';

const NAME = /^(?!.*(?:\.\.|\.lock(?:\/|$)|\/\/|\/\.|\/$|\.$))[A-Za-z0-9_][\w./-]{0,200}$/;
const HASH = /^[0-9a-f]{40}$/;
const TIMEOUT_MS = 60_000;

export class OwnRepository {
  readonly #git: string;
  readonly #tool: string;
  readonly #branch: string;

  /** `project` is the top of its work tree. Throws a UserError where it is none, or has the branch. */
  constructor(project: string, branch: string) {
    const tool = findTool('git');
    if (tool === undefined) throw new UserError('--git needs git');
    this.#tool = tool;
    this.#git = `${project === '/' ? '' : project}/.git`;
    this.#branch = branch;
    if (!NAME.test(branch) || branch === 'HEAD') throw new UserError(`'${branch}' cannot be the name of a branch`);
    for (const part of ['', '/objects', '/refs', '/refs/heads'])
      if (!isDirectory(this.#git + part)) throw new UserError(`${this.#git} is no repository that can be written to`);
    const format = readText(`${this.#git}/config`) ?? '';
    if (/^\s*(?:objectformat|refstorage)\s*=/im.test(format))
      throw new UserError('the repository has a format of objects or branches that is not known here');
    if (this.#resolve(`refs/heads/${branch}`) !== undefined)
      throw new UserError(`there is a branch '${branch}' already: nothing was written`);
  }

  /** The commit that is checked out; undefined: there is none yet. */
  get head(): string | undefined {
    const text = (readText(`${this.#git}/HEAD`) ?? '').trim();
    const ref = /^ref: (refs\/heads\/.+)$/.exec(text)?.[1];
    return ref === undefined ? (HASH.test(text) ? text : undefined) : this.#resolve(ref);
  }

  /** Gives git the commits, which are on `refs/heads/export`, and makes the branch. Returns what it points at. */
  async write(pieces: Iterable<Buffer>): Promise<string> {
    const top = makeTemporaryDirectory('/tmp/yolofs-export-');
    try {
      const env = {
        ...PLAIN_ENVIRONMENT,
        ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_DIR: top, GIT_TERMINAL_PROMPT: '0' },
      };
      this.#run(['init', '--quiet', '--bare', '--template='], env);
      await this.#import(pieces, { ...env, GIT_OBJECT_DIRECTORY: `${this.#git}/objects` });
      const hash = this.#run(['rev-parse', '--verify', 'refs/heads/export'], env).trim();
      if (!HASH.test(hash)) throw new UserError('git has made no commit');
      this.#makeBranch(hash);
      return hash;
    } finally {
      removeTree(top);
    }
  }

  #run(words: readonly string[], env: Readonly<Record<string, string>>): string {
    const { code, stdout, stderr } = runFed([this.#tool, ...words], { input: '', cwd: '/', env, timeout: TIMEOUT_MS });
    if (code !== 0) throw new UserError(`git ${words[0]} has failed: ${stderr.trim()}`);
    return stdout;
  }

  async #import(pieces: Iterable<Buffer>, env: Readonly<Record<string, string>>): Promise<void> {
    const argv = [this.#tool, 'fast-import', '--quiet', '--done'];
    const child = startProcess({ argv, env, stdio: ['pipe', 'ignore', 'pipe'], cwd: '/' });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(0, 2000);
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdin?.on('error', () => undefined);
    try {
      for (const piece of pieces)
        if (child.stdin?.write(piece) === false)
          await Promise.race([ended, new Promise((resolve) => child.stdin?.once('drain', resolve))]);
      child.stdin?.write('done\n');
    } finally {
      // Without `done` nothing of it counts.
      child.stdin?.end();
    }
    const code = await ended;
    if (code !== 0) throw new UserError(`git fast-import has failed: ${said.split('\n', 1)[0]}`);
  }

  /** Anew, or not at all. */
  #makeBranch(hash: string): void {
    const names = this.#branch.split('/');
    let dir = `${this.#git}/refs/heads`;
    for (const name of names.slice(0, -1)) {
      dir = `${dir}/${name}`;
      ensureDirectory(dir, 0o755);
      if (!isDirectory(dir)) throw new UserError(`${dir} is not a directory: the branch cannot be made`);
    }
    if (!writeNewText(`${dir}/${names.at(-1)}`, `${hash}\n`))
      throw new UserError(
        `there is a branch '${this.#branch}' already: its commits were written, and nothing points at them`,
      );
  }

  #resolve(ref: string): string | undefined {
    const file = `${this.#git}/${ref}`;
    const text = lookAt(file)?.isFile() === true ? (readText(file) ?? '').trim() : '';
    if (HASH.test(text)) return text;
    const packed = (readText(`${this.#git}/packed-refs`) ?? '').split('\n');
    return packed.find((line) => line.slice(41) === ref && HASH.test(line.slice(0, 40)))?.slice(0, 40);
  }
}

/** And no symlink. */
function isDirectory(path: string): boolean {
  return lookAt(path)?.isDirectory() === true;
}
