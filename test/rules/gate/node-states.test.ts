/**
 * What the gate keeps of nodes and directories is what the rules say of their paths, whatever happened before: files and directories are
 * made, moved, linked and removed, rules come and go, the kernel forgets.
 */
import assert from 'node:assert/strict';
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import type { Caller, Ticket } from '../../../src/fuse/filesystem.ts';
import { RuleFileSystem } from '../../../src/rules/gate.ts';
import { GateLog } from '../../../src/rules/gate-log.ts';
import { Identities } from '../../../src/rules/identities.ts';
import { Judge } from '../../../src/rules/judge.ts';
import { type Rule, Rules } from '../../../src/rules/rules.ts';
import { mayRead } from '../../../src/rules/sight.ts';
import type { Untouched } from '../../../src/staging/awaited/untouched.ts';
import type { BytePath, Name, NodeId } from '../../../src/sys/bytes.ts';
import { EACCES, ENOENT, OK } from '../../../src/sys/errno.ts';
import { O_RDONLY, O_RDWR } from '../../../src/sys/libc.ts';
import { S_IFDIR, S_IFMT } from '../../../src/sys/stat.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { openView, type TestView } from '../../staging/session-parts.ts';
import { ViewDriver } from '../../staging/view-driver.ts';
import { naive, rulesOf } from '../naive.ts';

const CALLER: Caller = { uid: 0, gid: 0, pid: 1, ticket: 0 as Ticket };
const NAMES = ['a', 'b', 'x.pem'];
const PATHS = NAMES.flatMap((one) => [
  one,
  ...NAMES.flatMap((two) => [`${one}/${two}`, ...NAMES.map((three) => `${one}/${two}/${three}`)]),
]);
const PATTERNS = ['a', 'b', 'a/b', 'b/a', 'b/x.pem', '**/*.pem', 'a/*', 'a/**', 'b/**/x*', '**/b'];

type Line = { text: string; state: 'allow' | 'read-only' | 'deny' | 'hidden' };
type Step =
  | { do: 'create' | 'mkdir' | 'unlink' | 'rmdir' | 'chmod'; path: string }
  | { do: 'rename' | 'link'; path: string; to: string }
  | { do: 'rules'; lines: Line[] }
  | { do: 'forget' }
  | { do: 'see'; path: string };

const path = fc.constantFrom(...PATHS);
const lines = fc.array(
  fc.record({
    text: fc.constantFrom(...PATTERNS),
    state: fc.constantFrom('allow', 'read-only', 'deny', 'hidden'),
  }),
  { maxLength: 4 },
) as fc.Arbitrary<Line[]>;
// The kernel lets nothing move below itself.
const moves = fc
  .record({ do: fc.constant('rename'), path: fc.oneof(path, fc.constantFrom('a', 'b', 'a/b')), to: path })
  .filter((move) => !move.to.startsWith(`${move.path}/`));
const others = [
  fc.record({ do: fc.constantFrom('create', 'mkdir', 'unlink', 'rmdir', 'chmod'), path }),
  fc.record({ do: fc.constant('rules'), lines }),
  fc.constant({ do: 'forget' }),
  fc.record({ do: fc.constant('see'), path }),
];
const steps = (...more: fc.Arbitrary<unknown>[]): fc.Arbitrary<Step[]> =>
  fc.array(fc.oneof(moves, ...others, ...more), { maxLength: 10 }) as fc.Arbitrary<Step[]>;

interface Outcome {
  readonly read: number;
  readonly write: number;
}
const HIDDEN: Outcome = { read: ENOENT, write: ENOENT };

/** A gate over a fresh view; `bare` looks past it. */
class Gated {
  readonly driver: ViewDriver;
  rules: readonly Rule[] = [];
  #last = 0 as NodeId;
  readonly #view: TestView;
  readonly #bare: ViewDriver;
  readonly #judge: Judge;
  readonly #gate: RuleFileSystem;
  readonly #identities: Identities;

  constructor(view: TestView) {
    const { overlay, base, dir: project } = view;
    this.#view = view;
    this.#bare = new ViewDriver(overlay);
    const onFull = (): void => undefined;
    this.#identities = new Identities({
      fs: overlay,
      nodePaths: overlay.nodePaths,
      base,
      project,
      onFull,
      onClosed: onFull,
    });
    const parts = {
      nodePaths: overlay.nodePaths,
      asker: { ask: () => 'refuse' as const },
      identities: this.#identities,
    };
    this.#judge = new Judge(new Rules([]), { ...parts, log: new GateLog(() => undefined) });
    this.#gate = new RuleFileSystem(overlay, this.#judge, overlay.nodePaths);
    this.driver = new ViewDriver(this.#gate);
  }

  get dir(): BytePath {
    return this.#view.dir;
  }

  at(path: string): BytePath {
    return `${this.dir}/${path}` as BytePath;
  }

  do(step: Step): void {
    this.#last = this.driver.resolve(this.at('a')) as NodeId;
    this.driver.resolve(this.at('a/a'));
    if (step.do === 'rules') this.setRules(step.lines);
    else if (step.do === 'forget') this.#forget();
    else if (step.do === 'see') this.see(step.path);
    else if (step.do === 'rename' || step.do === 'link') this.driver[step.do](this.at(step.path), this.at(step.to));
    else if (step.do === 'unlink' || step.do === 'rmdir') this.driver[step.do](this.at(step.path));
    else this.driver[step.do](this.at(step.path), 0o755);
  }

  setRules(lines: readonly Line[]): void {
    const places = { home: '/root', project: this.#view.dir };
    this.rules = lines.flatMap(({ text, state }) => rulesOf(text, { state, layer: 'user' }, places));
    this.#judge.setRules(new Rules(this.rules));
  }

  /** Whether somebody in the view could read a path, which the kernel need not know. */
  see(path: string): boolean | undefined {
    const { overlay: fs } = this.#view;
    const untouchedIn = (dir: BytePath): Untouched => fs.untouchedIn(dir);
    const parts = { fs, judge: this.#judge, identities: this.#identities, untouchedIn };
    return mayRead({ paths: [this.at(path)], inos: [], words: [] }, parts).paths[0];
  }

  /** The kernel gives back all that it knows, deepest first. */
  #forget(): void {
    const known = [...this.#view.overlay.nodePaths.all()].filter(({ nodeId }) => nodeId !== 1);
    const depth = ({ view = '' }: { view: string | undefined }): number => view.split('/').length;
    for (const { nodeId } of known.sort((a, b) => depth(b) - depth(a))) this.#gate.forget(nodeId, 2 ** 30);
  }

  /** All names of the file or directory at a path, by that. */
  names(): Map<string, string[]> {
    const nodes = new Map(PATHS.map((one) => [one, this.#bare.resolve(this.at(one))]));
    const there = PATHS.filter((one) => (nodes.get(one) ?? -1) > 0);
    return new Map(there.map((path) => [path, there.filter((one) => nodes.get(one) === nodes.get(path))]));
  }

  /** Whether a path is of a file with several names: one may be further down than any of `PATHS`. */
  isLinked(path: string): boolean {
    const attr = this.#view.overlay.getattr(this.#bare.resolve(this.at(path)) as NodeId);
    return typeof attr !== 'number' && (attr.stat.mode & S_IFMT) !== S_IFDIR && attr.stat.nlink > 1;
  }

  /** What opens of a path come to; undefined: there is nothing. */
  opens(path: string): Outcome | undefined {
    const node = this.driver.resolve(this.at(path)) as NodeId;
    return node < 0 ? undefined : this.#open(node);
  }

  #open(node: NodeId): Outcome {
    return { read: this.#gate.open(node, O_RDONLY, CALLER), write: this.#gate.open(node, O_RDWR, CALLER) };
  }

  /** The same, as the rules have it for the path and where the original lies. */
  expected(path: string): Outcome | undefined {
    const node = this.#bare.resolve(this.at(path)) as NodeId;
    const expected =
      node < 0 ? HIDDEN : this.#expectedOf(this.at(path), this.#view.overlay.nodePaths.whereIs(node)?.base);
    return expected === HIDDEN ? undefined : expected;
  }

  #expectedOf(path: BytePath, base: BytePath | undefined): Outcome {
    const states = [naive(this.rules, path), ...(base === undefined ? [] : [naive(this.rules, base)])];
    if (states.includes('hidden')) return HIDDEN;
    if (states.includes('deny')) return { read: EACCES, write: EACCES };
    return { read: OK, write: states[0] === 'read-only' ? EACCES : OK };
  }

  /** What the kernel knows it asks about without looking it up again. */
  checkKnown(): void {
    const { nodePaths } = this.#view.overlay;
    const several = new Set([...this.names().values()].filter((names) => names.length > 1).flat());
    for (const { nodeId, view, base } of [...nodePaths.all()]) {
      if (view === undefined || several.has(view.slice(this.dir.length + 1))) continue;
      const attr = this.#view.overlay.getattr(nodeId);
      if (typeof attr !== 'number' && attr.stat.nlink < 2)
        assert.deepEqual(this.#open(nodeId), this.#expectedOf(view, base), `${view}, which was ${base}`);
    }
  }

  /** The same of names in the directory that was last asked about. */
  checkLast(): void {
    const { view } = this.#view.overlay.nodePaths.whereIs(this.#last) ?? {};
    for (const name of view === undefined ? [] : NAMES) {
      const entry = this.#gate.lookup(this.#last, name as Name);
      const isFound = typeof entry !== 'number' && entry.nodeId !== 0;
      if (isFound) assert.notEqual(naive(this.rules, `${view}/${name}` as BytePath), 'hidden', `${view}/${name}`);
    }
  }
}

const FILES = ['x.pem', 'a/a', 'a/x.pem', 'a/b/a', 'a/b/x.pem', 'b/a'];

function seeded(run: (gated: Gated) => void): void {
  const view = openView({ watched: false, under: '/dev/shm' });
  try {
    for (const dir of ['a/b', 'b']) mkdirSync(`${view.dir}/${dir}`, { recursive: true });
    for (const file of FILES) writeFileSync(`${view.dir}/${file}`, '');
    linkSync(`${view.dir}/a/x.pem`, `${view.dir}/b/b`);
    run(new Gated(view));
  } finally {
    view.close();
  }
}

/** Looks at all paths before the first step and after each. */
function check(more: readonly fc.Arbitrary<unknown>[], look: (gated: Gated) => void): void {
  const property = fc.property(lines, steps(...more), (first, all) =>
    seeded((gated) => {
      gated.setRules(first);
      look(gated);
      for (const step of all) {
        gated.do(step);
        gated.checkLast();
        gated.checkKnown();
        look(gated);
      }
    }),
  );
  fc.assert(property, { numRuns: runs(100) });
}

test('an open comes out as the rules say of the path, whatever came before, and what is hidden is in no listing', () => {
  check([], (gated) => {
    const hidden: string[] = [];
    for (const path of PATHS) {
      const found = gated.opens(path);
      const isBelow = hidden.some((dir) => path.startsWith(`${dir}/`));
      const expected = isBelow ? undefined : gated.expected(path);
      if (gated.isLinked(path)) continue;
      if (expected === undefined) hidden.push(path);
      assert.deepEqual(found, expected, path);
    }
    const listed = gated.driver.namesIn(gated.driver.resolve(gated.dir) as NodeId);
    assert.deepEqual(listed, NAMES.filter((one) => gated.opens(one) !== undefined).sort());
  });
});

test('what the rules deny or hide under one name of a file is not read under another', () => {
  const link = fc.record({ do: fc.constant('link'), path: fc.constantFrom(...FILES), to: path });
  check([link], (gated) => {
    for (const path of PATHS) gated.opens(path);
    for (const [path, names] of gated.names()) {
      // Below what a glob hides nobody has looked yet.
      const met = names.filter((name) => !name.includes('/') || gated.opens(dirname(name)) !== undefined);
      const states = met.map((name) => naive(gated.rules, gated.at(name)));
      const isClosed = states.includes('deny') || states.includes('hidden');
      const found = gated.opens(path);
      if (isClosed && found !== undefined) assert.notEqual(found.read, OK, names.join(' = '));
    }
  });
});

test('a file that has lost a name is as writable as the name that is left says, also for who knows the file already', () => {
  seeded((gated) => {
    gated.setRules([{ text: '**/b', state: 'read-only' }]);
    for (const path of PATHS) gated.opens(path);
    assert.deepEqual(gated.opens('a/x.pem'), { read: OK, write: OK });
    gated.do({ do: 'unlink', path: 'a/x.pem' });
    gated.checkKnown();
    assert.deepEqual(gated.opens('b/b'), { read: OK, write: EACCES });
  });
});

test('what was found out about a directory does not count for another that gets its node id', () => {
  for (const state of ['deny', 'hidden'] as const) {
    seeded((gated) => {
      gated.setRules([{ text: 'b/a', state }]);
      gated.driver.resolve(gated.dir);
      // A guest has asked about a directory that the kernel does not know; the ids of it and of the one above are free again.
      assert.equal(gated.see('a/b'), true);
      gated.opens('x.pem');
      const expected = state === 'deny' ? { read: EACCES, write: EACCES } : undefined;
      assert.deepEqual(gated.opens('b/a'), expected);
    });
  }
});

test('what was found out about a file with several names does not count for another that gets its node id', () => {
  seeded((gated) => {
    linkSync(gated.at('a/b/a'), gated.at('a/b/b'));
    gated.setRules([{ text: 'a/x.pem', state: 'deny' }]);
    gated.opens('a');
    assert.equal(gated.see('a/b/a'), true);
    assert.deepEqual(gated.opens('a/x.pem'), { read: EACCES, write: EACCES });
  });
});
