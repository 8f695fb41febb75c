/** A session without a mount: its operations as the FUSE thread calls them, between a request's bytes and its reply's. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LiveView } from '../../src/daemon/live-view.ts';
import { EchoFileSystem } from '../../src/daemon/view/echo-file-system.ts';
import { IN_HEADER, IN_HEADER_SIZE, LOOKUP } from '../../src/fuse/codec/abi.ts';
import { Reply } from '../../src/fuse/codec/reply.ts';
import { Request } from '../../src/fuse/codec/request.ts';
import { Nodes } from '../../src/fuse/nodes.ts';
import { OPERATIONS, UNKNOWN } from '../../src/fuse/ops.ts';
import { layoutAt } from '../../src/history/layout.ts';
import { type Errno, OK } from '../../src/sys/errno.ts';

const OWNER = { uid: 0, gid: 0, groups: [0], mapsAll: true };
const CAPACITY = 1 << 20;
const ROOT = 1;

export class Server {
  readonly #root = mkdtempSync(join(tmpdir(), 'yolofs-bench-'));
  readonly #project = join(this.#root, 'project');
  readonly #live: LiveView;
  readonly #fs: EchoFileSystem;
  readonly #request = new Request(CAPACITY);
  readonly #reply = new Reply(CAPACITY);
  readonly #view: DataView;
  #unique = 0;

  /** @param files how many files `base/0`, `base/1`, … the project has */
  constructor(files: number) {
    const store = join(this.#root, 'store');
    mkdirSync(join(this.#project, 'base'), { recursive: true });
    mkdirSync(store);
    for (let i = 0; i < files; i++) writeFileSync(join(this.#project, 'base', String(i)), `base ${i}\n`);
    const layout = layoutAt({ project: this.#project, store, entry: store });
    this.#live = new LiveView({ layout, owner: OWNER, durable: false, maxFiles: 1024, rules: [] });
    this.#fs = new EchoFileSystem(this.#live.gatekeeper.fs, this.#live.overlay);
    const { buffer, byteOffset, length } = this.#request.buffer;
    this.#view = new DataView(buffer, byteOffset, length);
    const nodes = new Nodes();
    this.#request.device = { place: 0, nodes, openless: true, setxattrExt: false };
    this.#reply.nodes = nodes;
  }

  /** Serves one request: `words` are the 32-bit words of its struct, `tail` are the bytes behind it. Throws for an errno but `expected`. */
  serve(opcode: number, node: number, words: readonly number[], tail = '', expected = OK): void {
    const view = this.#view;
    const size = IN_HEADER_SIZE + words.length * 4 + tail.length;
    this.#unique += 2;
    view.setUint32(IN_HEADER.LEN, size, true);
    view.setUint32(IN_HEADER.OPCODE, opcode, true);
    view.setUint32(IN_HEADER.UNIQUE, this.#unique, true);
    view.setUint32(IN_HEADER.NODEID, node, true);
    view.setUint32(IN_HEADER.PID, process.pid, true);
    for (let i = 0; i < words.length; i++) view.setUint32(IN_HEADER_SIZE + i * 4, words[i] ?? 0, true);
    this.#request.buffer.write(tail, IN_HEADER_SIZE + words.length * 4, 'latin1');
    this.#answer(size, expected);
  }

  /** The node of a reply that names one. */
  get node(): number {
    return this.#reply.u32(0);
  }

  /** Looks a path of the project up. */
  find(path: string): number {
    let node = ROOT;
    for (const name of `${this.#project}${path}`.slice(1).split('/')) {
      this.serve(LOOKUP, node, [], `${name}\0`);
      node = this.node;
    }
    return node;
  }

  async close(): Promise<void> {
    await this.#live.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  #answer(size: number, expected: Errno): void {
    const [request, reply] = [this.#request, this.#reply];
    request.begin(size);
    reply.length = 0;
    const operation = OPERATIONS[request.opcode] ?? UNKNOWN;
    const errno = operation.handle(this.#fs, request, reply);
    if (errno !== expected) throw new Error(`${operation.name} of node ${request.nodeId}: errno ${errno}`);
    reply.finish(errno, request.uniqueLow, request.uniqueHigh);
  }
}
