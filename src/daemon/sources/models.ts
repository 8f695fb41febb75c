/**
 * The FUSE thread's side of models: what is served for the places that they answer for, and the way to their thread, which
 * there is once the view is served.
 */
import type { FileSystem, Ticket } from '../../fuse/filesystem.ts';
import type { GateNote } from '../../rules/note.ts';
import { Consulting } from '../../sources/model/consulting.ts';
import { Files, type Touched } from '../../sources/model/files.ts';
import type { ModelOutcome, Operation, Scene } from '../../sources/model/model.ts';
import { ModelFileSystem } from '../../sources/model/model-file-system.ts';
import type { SourceFault } from '../../sources/source.ts';
import type { Invalidation } from '../../staging/invalidation.ts';
import type { Overlay } from '../../staging/overlay.ts';
import { type BytePath, type NodeId, toBytes } from '../../sys/bytes.ts';

/** What a model is asked, for its thread. */
export interface ModelWish {
  readonly source: string;
  /** Undefined: nobody waits for the last any more. */
  readonly asked: { readonly operation: Operation; readonly scene: Scene } | undefined;
}

export interface ModelLinks {
  readonly tell: (wish: ModelWish) => void;
  readonly resume: (ticket: Ticket) => void;
  readonly tellChanges: (invalidations: readonly Invalidation[]) => void;
  /** Somebody was refused something, and why. */
  readonly failed: (note: Pick<GateNote, 'path' | 'access' | 'op'> & { readonly cause: string }) => void;
}

export class Models {
  readonly #sources = new Map<string, Consulting>();
  readonly #fs: ModelFileSystem | undefined;
  readonly #overlay: Overlay;
  #links: ModelLinks | undefined;

  /** `places`: the directories of sources that models answer for, by their names. */
  constructor(overlay: Overlay, places: ReadonlyMap<string, BytePath>) {
    this.#overlay = overlay;
    for (const [name, at] of places) this.#sources.set(name, this.#consulting(name, at));
    if (places.size > 0) this.#fs = new ModelFileSystem(overlay, overlay.nodePaths, [...this.#sources.values()]);
  }

  /** What rules are put before. */
  get fs(): FileSystem {
    return this.#fs ?? this.#overlay;
  }

  connect(links: ModelLinks): void {
    this.#links = links;
  }

  /** What a model has answered. */
  consulted(source: string, outcome: ModelOutcome): void {
    this.#sources.get(source)?.settle(outcome);
  }

  withdraw(ticket: Ticket): void {
    this.#fs?.withdraw(ticket);
  }

  /** See `Consulting.tick`. */
  tick(): number {
    const left = [...this.#sources.values()].map((source) => source.tick()).filter((ms) => ms >= 0);
    return left.length === 0 ? -1 : Math.min(...left);
  }

  #consulting(source: string, at: BytePath): Consulting {
    return new Consulting(at, new Files(this.#overlay, at), {
      ask: (operation, scene) => this.#links?.tell({ source, asked: { operation, scene } }),
      giveUp: () => this.#links?.tell({ source, asked: undefined }),
      changed: (touched) => this.#links?.tellChanges(touched.flatMap(forgotten)),
      resume: (ticket) => this.#links?.resume(ticket),
      refused: (operation, fault) => this.#links?.failed(noteOf(at, operation, fault)),
    });
  }
}

function forgotten({ parent, name, nodeId }: Touched): Invalidation[] {
  const entry: Invalidation = { kind: 'entry', parent, name };
  return nodeId === undefined ? [entry] : [entry, { kind: 'inode', nodeId: nodeId as NodeId }];
}

const OPS = {
  find: 'open',
  list: 'list',
  write: 'create',
  written: 'write',
  mkdir: 'mkdir',
  remove: 'unlink',
  rename: 'rename',
} as const;

function noteOf(at: BytePath, operation: Operation, { cause }: SourceFault): Parameters<ModelLinks['failed']>[0] {
  const { kind, path } = operation;
  const access = kind === 'find' || kind === 'list' ? 'read' : 'write';
  const place = (path === '' ? at : `${at}/${toBytes(path)}`) as BytePath;
  return { path: place, access, op: OPS[kind], cause: toBytes(cause) };
}
