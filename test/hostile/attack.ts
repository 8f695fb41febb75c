/** One hostile repository, and every command in it: what must not be read is not, what must not change does not, and nobody hangs. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Account } from '../support/accounts.ts';
import { exec, type Result } from '../support/exec.ts';
import { plainDirectory } from '../support/plain.ts';
import { giveTo, MAIN, PROGRAM } from '../support/session.ts';
import { type Shape, shapes, unpack } from './shapes.ts';

const CANARY = 'CANARY';
/** A command that is slower is tried once more: the machine may be busy. */
const LONGEST_MS = 5000;
const PATIENCE_MS = 30_000;

const GIT = 'git -c user.name=a -c user.email=a@b -c protocol.file.allow=always -c advice.detachedHead=false';

/** Run in the order given. What is staged outside of the project is given up before anything is committed. */
const INSIDE = 'echo ran; echo x > "$V/new"; echo x >> "$V/canary"; cat ~/.ssh/id .env; echo y > /tmp/y; mkdir /tmp/d';
const HOOK = JSON.stringify({
  ...{ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'x' },
  tool_input: { command: 'true' },
});
const COMMANDS: readonly (readonly string[])[] = [
  ['run', '-c', `{ ${INSIDE}; } 2>/dev/null; true`],
  ...[
    ['status'],
    ['diff'],
    ['log'],
    ['audit'],
    ['du'],
    ['rule', 'list'],
    ['rule', 'explain', 'x'],
    ['snapshot', 'one'],
  ],
  ...[
    ['travel', '0'],
    ['abort', '--yes'],
    ['run', '--quiet', '-c', 'echo in > inside.txt'],
    ['commit', '--dry-run'],
  ],
  ...[
    ['commit', '--yes'],
    ['undo'],
    ['gc', '--yes'],
    ['rule', 'set', 'y', 'deny'],
    ['rule', 'unset', 'y'],
    ['hook', 'claude'],
  ],
  ...[
    ['watch', '--json'],
    ['mcp'],
    ['wrap', 'true'],
    ['install', 'claude', '--project'],
    ['init'],
    ['stop'],
    ['doctor', '--repair'],
  ],
  ['run', '--quiet', '--', 'true'],
  ['stop'],
];
/** Of every command, those that look at most; for `npm test`. */
export const FEW = COMMANDS.filter(([name = '']) =>
  ['run', 'status', 'abort', 'hook', 'commit', 'stop'].includes(name),
);

/** Throws an AssertionError for what a shape has reached. */
export async function attack(shape: Shape, account: Account, commands = COMMANDS): Promise<void> {
  const plain = plainDirectory(account);
  try {
    await new Attack(shape, account, plain.root).run(commands);
  } finally {
    plain.remove();
  }
}

/** Declares a test for each shape, with every command. */
export function attackAll(account: Account): void {
  describe(`hostile repositories, as ${account.title}`, { concurrency: 2 }, () => {
    for (const shape of shapes(account.uid === 0)) test(`S1: ${shape.title}`, () => attack(shape, account));
  });
}

class Attack {
  readonly #shape: Shape;
  readonly #account: Account;
  readonly #root: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(shape: Shape, account: Account, root: string) {
    this.#shape = shape;
    this.#account = account;
    this.#root = root;
    const env = { HOME: join(root, 'home'), V: join(root, 'victim'), YOLOFS_TEST_ROOT: root };
    this.#env = { ...env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  }

  async run(commands: readonly (readonly string[])[]): Promise<void> {
    const { title, carrier, expect } = this.#shape;
    await this.#prepare();
    const before = this.#canaries();
    const cwd = join(this.#root, carrier === 'submodule' ? 'project/sub' : 'project');
    try {
      for (const [at, words] of commands.entries()) {
        const { code, stdout, stderr } = await this.#yolofs(words, cwd);
        const said = `${title}: ${words.join(' ')}: ${code} ${stdout}${stderr}`;
        assert.ok(!`${stdout}${stderr}`.includes(CANARY), said);
        assert.ok(!/[0-9a-f]{32}/.test(stderr.replaceAll('0123456789abcdef0123456789abcdef', '')), `a token: ${said}`);
        if (at === 0 && expect === 'works') assert.equal(stdout, 'ran\n', said);
        if (at === 0 && expect === 'refused')
          assert.match(`${code} ${stderr}`, /^1 yolofs: run: [^\n]+\nhint: [^\n]+\n$/, said);
      }
    } finally {
      await this.#yolofs(['stop'], cwd);
    }
    assert.deepEqual(this.#canaries(), before, title);
  }

  /** A session that is live, or a clone, with what the shape brings. */
  async #prepare(): Promise<void> {
    const [home, victim, payload] = ['home', 'victim', 'payload'].map((name) => join(this.#root, name)) as [
      string,
      string,
      string,
    ];
    for (const dir of [victim, payload, join(home, '.ssh')]) mkdirSync(dir, { recursive: true });
    writeFileSync(join(victim, 'canary'), `${CANARY} outside\n`);
    writeFileSync(join(home, '.ssh/id'), `${CANARY} secret\n`, { mode: 0o600 });
    chmodSync(victim, 0o755);
    await giveTo(this.#account, this.#root);
    await unpack(this.#shape, payload, { victim, home });
    if (this.#shape.kind !== 'other owner') await giveTo(this.#account, payload);
    await this.#sh(`cd "$ROOT/project" && ${GIT} init -q -b main && echo kept > kept.txt && echo ${CANARY} env > .env
      printf '.env\\n' > .gitignore; ${GIT} add -A && ${GIT} commit -qm first`);
    await this.#carry(this.#shape.carrier);
  }

  async #carry(carrier: Shape['carrier']): Promise<void> {
    const add = `cp -a "$ROOT/payload/." . && ${GIT} add -A -f .`;
    switch (carrier) {
      case 'clone':
      case 'submodule':
        await this.#sh(`${GIT} init -q -b main "$ROOT/up" && cd "$ROOT/up" && ${add} && ${GIT} commit -qm payload`);
        await this.#sh(
          carrier === 'clone'
            ? `rm -rf "$ROOT/project" && ${GIT} clone -q "$ROOT/up" "$ROOT/project" && echo ${CANARY} env > "$ROOT/project/.env"`
            : `cd "$ROOT/project" && ${GIT} submodule --quiet add "$ROOT/up" sub && echo ${CANARY} env > sub/.env`,
        );
        return;
      case 'branch':
        await this.#sh(
          `cd "$ROOT/project" && ${GIT} checkout -qb feature && ${add} && ${GIT} commit -qm payload && ${GIT} checkout -q main`,
        );
        await this.#live();
        // Git refuses where something is in its way: the better.
        await this.#sh(`cd "$ROOT/project" && ${GIT} checkout -q feature || true`);
        return;
      case 'stash':
        await this.#sh(`cd "$ROOT/project" && ${add} && ${GIT} stash -q`);
        await this.#live();
        await this.#sh(`cd "$ROOT/project" && ${GIT} stash apply -q || true`);
        return;
      case 'archive':
        await this.#live();
        await exec(['tar', '-C', join(this.#root, 'payload'), '-cf', join(this.#root, 'payload.tar'), '.']);
        await exec(['tar', '-C', join(this.#root, 'project'), '-xf', join(this.#root, 'payload.tar')]);
    }
  }

  async #live(): Promise<void> {
    const cwd = join(this.#root, 'project');
    assert.equal((await this.#yolofs(['init'], cwd)).code, 0);
    assert.equal((await this.#yolofs(['run', '--quiet', '-c', 'echo staged > staged.txt'], cwd)).code, 0);
  }

  async #sh(script: string): Promise<void> {
    const env = { ...this.#env, ROOT: this.#root };
    const { code, stderr } = await exec(['sh', '-euc', script], { account: this.#account, env });
    assert.equal(code, 0, stderr);
  }

  async #yolofs(words: readonly string[], cwd: string): Promise<Result> {
    const argv = words[0] === 'run' || words[0] === 'hook' ? [PROGRAM, ...words] : [process.execPath, MAIN, ...words];
    const input = words[0] === 'hook' ? HOOK.replace('}', `},"cwd":${JSON.stringify(cwd)}`) : '';
    const options = { account: this.#account, cwd, env: this.#env, input, timeout: PATIENCE_MS };
    const start = Date.now();
    const result = await exec(argv, options);
    if (Date.now() - start <= LONGEST_MS) return result;
    const again = Date.now();
    await exec(argv, options);
    assert.ok(
      Date.now() - again <= LONGEST_MS,
      `${this.#shape.title}: ${words.join(' ')} takes more than ${LONGEST_MS} ms`,
    );
    return result;
  }

  /** What lies where nothing may change. */
  #canaries(): unknown {
    return ['victim', 'home/.ssh'].map((name) => {
      const dir = join(this.#root, name);
      const { mode, uid, mtimeMs } = statSync(dir);
      return [
        name,
        mode,
        uid,
        mtimeMs,
        ...readdirSync(dir).map((file) => [
          file,
          readFileSync(join(dir, file), 'utf8'),
          statSync(join(dir, file)).mode,
        ]),
      ];
    });
  }
}
