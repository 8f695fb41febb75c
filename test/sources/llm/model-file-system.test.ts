/** What programs do below a model's source, over a staged view without a mount; the model is a function of the test. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type Caller, LATER, type Ticket } from '../../../src/fuse/filesystem.ts';
import { Consulting } from '../../../src/sources/model/consulting.ts';
import { Files } from '../../../src/sources/model/files.ts';
import type { Answer, Effect, ModelOutcome, Operation, Scene } from '../../../src/sources/model/model.ts';
import { ModelFileSystem } from '../../../src/sources/model/model-file-system.ts';
import type { BytePath, Name, NodeId } from '../../../src/sys/bytes.ts';
import { EACCES, EIO, ENOENT, type Errno, errnoName, OK } from '../../../src/sys/errno.ts';
import { S_IFDIR, S_IFREG } from '../../../src/sys/stat.ts';
import { openView } from '../../staging/session-parts.ts';

const OPEN_WRITE = 1;

/** A view with a source at `DIR/made`, a program in it, and a model that the test answers for. */
class World {
  readonly asked: Operation[] = [];
  readonly scenes: Scene[] = [];
  readonly resumed: Ticket[] = [];
  readonly refused: string[] = [];
  readonly view = openView();
  readonly fs: ModelFileSystem;
  readonly files: Files;
  readonly source: Consulting;
  readonly root: NodeId;
  #ticket = 0;
  #answered: Operation | undefined;

  constructor() {
    const at = `${this.view.dir}/made` as BytePath;
    mkdirSync(at, { recursive: true });
    this.files = new Files(this.view.overlay, at);
    this.source = new Consulting(at, this.files, {
      ask: (operation, scene) => {
        this.asked.push(operation);
        this.scenes.push(scene);
      },
      giveUp: () => this.asked.push({ kind: 'find', path: '(given up)' }),
      changed: () => undefined,
      resume: (ticket) => this.resumed.push(ticket),
      refused: ({ kind, path }, { errno, cause }) => this.refused.push(`${kind} ${path}: ${errnoName(errno)} ${cause}`),
    });
    this.fs = new ModelFileSystem(this.view.overlay, this.view.overlay.nodePaths, [this.source]);
    let node = 1 as NodeId;
    for (const name of at.slice(1).split('/')) node = this.nodeOf(this.fs.lookup(node, name as Name));
    this.root = node;
  }

  /** A thread that is no process: what it wants to do cannot be told, and counts as reading. */
  caller(ticket = ++this.#ticket): Caller {
    return { uid: 0, gid: 0, pid: 2 ** 22 + 1, ticket: ticket as Ticket };
  }

  nodeOf(entry: { readonly nodeId: number } | Errno): NodeId {
    assert.ok(typeof entry === 'object' && entry.nodeId !== 0, `no entry: ${JSON.stringify(entry)}`);
    return entry.nodeId as NodeId;
  }

  answer(parts: Partial<Answer> = {}): void {
    this.source.settle({ refusal: undefined, effects: [], names: [], ...parts });
  }

  /** Does something as the kernel would: again when it is resumed. */
  served<T>(act: (caller: Caller) => T, outcome: ModelOutcome | 'agreed' = 'agreed'): T {
    const caller = this.caller();
    const first = act(caller);
    if (first !== (LATER as unknown)) return first;
    while (!this.resumed.includes(caller.ticket)) {
      const operation = this.asked.at(-1);
      assert.notEqual(operation, this.#answered, 'nobody has resumed the request');
      this.#answered = operation;
      if (outcome === 'agreed' || operation?.kind === 'written') this.answer();
      else this.source.settle(outcome);
    }
    return act(caller);
  }

  make(name: string, content: string): NodeId {
    const node = this.nodeOf(this.served((c) => this.fs.mknod(this.root, name as Name, FILE, c)));
    this.fs.write(node, 0, Buffer.from(content), this.caller());
    return node;
  }

  text(path: string): string {
    const content = this.files.read(path);
    return typeof content === 'number' ? errnoName(content) : Buffer.from(content).toString('utf8');
  }

  lastAsked(): string {
    const last = this.asked.at(-1);
    return last === undefined ? 'nothing' : `${last.kind} ${last.path}${last.kind === 'rename' ? ` ${last.to}` : ''}`;
  }
}

const FILE = { mode: S_IFREG | 0o644, rdev: 0, umask: 0 };
const DIRECTORY = { mode: S_IFDIR | 0o755, rdev: 0, umask: 0 };

function file(path: string, text: string): Effect {
  return { kind: 'file', path, content: Buffer.from(text) };
}

function inWorld(title: string, run: (world: World) => void): void {
  test(title, () => {
    const world = new World();
    try {
      run(world);
    } finally {
      world.view.close();
    }
  });
}

describe('a name that is not there', () => {
  inWorld('is made by the model when somebody reads it, and read without it from then on', (world) => {
    const caller = world.caller();
    assert.equal(world.fs.lookup(world.root, 'pie.md' as Name, caller), LATER);
    assert.equal(world.lastAsked(), 'find pie.md');
    world.answer({ effects: [file('pie.md', '# Pie\n')] });
    const node = world.nodeOf(world.fs.lookup(world.root, 'pie.md' as Name, caller));
    const into = Buffer.alloc(20);
    assert.equal(into.toString('utf8', 0, world.fs.read(node, 0, into)), '# Pie\n');
    world.nodeOf(world.fs.lookup(world.root, 'pie.md' as Name, world.caller()));
    assert.equal(world.asked.length, 1);
    assert.equal(world.fs.lookup(world.root, 'tart.md' as Name, world.caller()), LATER);
    assert.equal(world.lastAsked(), 'find tart.md', 'the next is asked');
  });

  inWorld('is asked for once, however many want it', (world) => {
    const callers = [world.caller(), world.caller(), world.caller()];
    for (const caller of callers) assert.equal(world.fs.lookup(world.root, 'x' as Name, caller), LATER);
    world.answer({ effects: [file('x', 'one')] });
    for (const caller of callers) world.nodeOf(world.fs.lookup(world.root, 'x' as Name, caller));
    assert.deepEqual([world.asked.length, world.resumed.length], [1, 3]);
  });

  inWorld('may be refused, and audit has the reason', (world) => {
    const refusal = { errno: EACCES, cause: 'too secret' };
    const outcome = { refusal, effects: [], names: [] };
    assert.equal(
      world.served((c) => world.fs.lookup(world.root, 'key' as Name, c), outcome),
      EACCES,
    );
    assert.deepEqual(world.refused, ['find key: EACCES too secret']);
  });

  inWorld('is EIO without a model, and can be asked for again', (world) => {
    const down = { errno: EIO, cause: 'the server cannot be reached' };
    assert.equal(
      world.served((c) => world.fs.lookup(world.root, 'x' as Name, c), down),
      EIO,
    );
    assert.equal(world.fs.lookup(world.root, 'x' as Name, world.caller()), LATER);
  });

  inWorld('is not made when it is hidden, or looked up by nobody', (world) => {
    assert.deepEqual(world.fs.lookup(world.root, '.gitignore' as Name, world.caller()), { nodeId: 0, entryValid: 0 });
    assert.deepEqual(world.fs.lookup(world.root, 'x' as Name), { nodeId: 0, entryValid: 0 });
    assert.deepEqual(world.asked, []);
  });

  inWorld('is asked for no more when whoever wanted it was interrupted', (world) => {
    const [first, second] = [world.caller(), world.caller()];
    world.fs.lookup(world.root, 'a' as Name, first);
    world.fs.lookup(world.root, 'b' as Name, second);
    world.fs.withdraw(second.ticket);
    world.fs.withdraw(first.ticket);
    assert.equal(world.lastAsked(), 'find (given up)');
    world.source.settle({ errno: EIO, cause: 'given up' });
    assert.deepEqual(world.resumed, []);
  });
});

describe('a change', () => {
  inWorld('is asked about first; its consequences come with it', (world) => {
    const made = world.served((c) => world.fs.mkdir(world.root, 'soups' as Name, DIRECTORY, c), {
      refusal: undefined,
      effects: [file('soups/index.md', 'no soup yet\n'), file('index.md', '1 directory\n')],
      names: [],
    });
    world.nodeOf(made);
    assert.equal(world.lastAsked(), 'mkdir soups');
    assert.equal(world.text('soups/index.md'), 'no soup yet\n');
    assert.equal(world.text('index.md'), '1 directory\n');
  });

  inWorld('that is refused has not happened', (world) => {
    const refusal = { errno: EACCES, cause: 'system file' };
    const outcome = { refusal, effects: [file('index.md', 'x')], names: [] };
    assert.equal(
      world.served((c) => world.fs.mknod(world.root, 'passwd' as Name, FILE, c), outcome),
      EACCES,
    );
    assert.equal(world.text('passwd'), 'ENOENT');
    assert.equal(world.text('index.md'), 'ENOENT');
    assert.deepEqual(world.view.recorder.records, []);
  });

  inWorld('of a name: removed and renamed, with what follows', (world) => {
    world.make('a.md', 'a');
    const renamed = world.served((c) =>
      world.fs.rename(
        { fromParent: world.root, from: 'a.md' as Name, toParent: world.root, to: 'b.md' as Name, flags: 0 },
        c,
      ),
    );
    assert.equal(renamed, OK);
    assert.deepEqual(
      world.asked.map(({ kind, path }) => `${kind} ${path}`),
      ['write a.md', 'written a.md', 'rename a.md'],
    );
    assert.equal(world.text('b.md'), 'a');
    const removed = world.served((c) => world.fs.unlink(world.root, 'b.md' as Name, c), {
      refusal: undefined,
      effects: [file('index.md', 'empty\n')],
      names: [],
    });
    assert.deepEqual([removed, world.text('b.md'), world.text('index.md')], [OK, 'ENOENT', 'empty\n']);
  });

  inWorld('keeps the bytes as they were written, and the model hears of them before anybody reads another', (world) => {
    const other = world.nodeOf(world.served((c) => world.fs.mknod(world.root, 'index.md' as Name, FILE, c)));
    const node = world.make('pie.md', '\0\xff pie');
    assert.equal(world.fs.open(node, 0, world.caller()), OK, 'what one has written oneself');
    const reader = world.caller();
    assert.equal(world.fs.open(other, 0, reader), LATER);
    assert.equal(world.lastAsked(), 'written pie.md');
    assert.deepEqual(
      world.scenes.at(-1)?.files.map(({ path }) => path),
      ['pie.md', 'index.md'],
    );
    world.answer({ effects: [file('index.md', '1 recipe\n')] });
    assert.equal(world.fs.open(other, 0, reader), OK);
    assert.equal(world.text('index.md'), '1 recipe\n');
    assert.equal(world.text('pie.md'), Buffer.from('\0\xff pie').toString('utf8'));
  });

  inWorld('that the model could not know of is not overwritten by it', (world) => {
    const node = world.make('a.md', 'first');
    world.served((c) => world.fs.open(node, OPEN_WRITE, c));
    world.answer();
    const reader = world.caller();
    assert.equal(world.fs.lookup(world.root, 'b.md' as Name, reader), LATER);
    assert.equal(world.lastAsked(), 'find b.md');
    world.fs.write(node, 0, Buffer.from('second'), world.caller());
    world.answer({ effects: [file('a.md', 'from the model'), file('b.md', 'b')] });
    assert.equal(world.text('a.md'), 'second');
    assert.equal(world.text('b.md'), 'b');
  });

  inWorld('that cannot be staged is left out', (world) => {
    world.make('a.md', 'a');
    const effects = [file('a.md/b', 'x'), file('c.md', 'c'), { kind: 'remove', path: 'none' } as const];
    world.served((c) => world.fs.mkdir(world.root, 'd' as Name, DIRECTORY, c), {
      refusal: undefined,
      effects,
      names: [],
    });
    world.answer({ effects });
    assert.deepEqual([world.text('a.md'), world.text('a.md/b'), world.text('c.md')], ['a', 'ENOTDIR', 'c']);
  });
});

describe('a listing', () => {
  /** Names with their types, in replies of `room` entries each. */
  function list(world: World, dir: NodeId, room: number): string[] {
    const names: string[] = [];
    let cookie = 0;
    for (let before = -1; before !== cookie; ) {
      before = cookie;
      let left = room;
      const sink = {
        fits: () => left > 0,
        add: (name: Name, _ino: unknown, type: number, next: number): void => {
          left--;
          cookie = next;
          if (!name.startsWith('.')) names.push(type === S_IFDIR ? `${name}/` : name);
        },
      };
      const errno = world.served((c) => world.fs.readdir(dir, cookie, sink, false, c), {
        refusal: undefined,
        effects: [],
        names: ['pie.md', 'soups/', 'zoo.md'],
      });
      assert.equal(errno, OK);
    }
    return names.sort();
  }

  for (const room of [1, 3, 100]) {
    inWorld(`shows what belongs there, of which nothing is made (replies of ${room})`, (world) => {
      world.files.write('pie.md', Buffer.from('x'), world.caller());
      assert.deepEqual(list(world, world.root, room), ['pie.md', 'soups/', 'zoo.md']);
      assert.deepEqual(list(world, world.root, room), ['pie.md', 'soups/', 'zoo.md']);
      assert.deepEqual(world.asked, [{ kind: 'list', path: '' }]);
      assert.equal(world.text('zoo.md'), errnoName(ENOENT));
    });
  }
});
