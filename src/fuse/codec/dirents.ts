/** Packs directory entries into a reply: struct fuse_dirent for READDIR, fuse_direntplus for READDIRPLUS. */
import type { Ino, Name } from '../../sys/bytes.ts';
import type { DirectorySink, Entry } from '../filesystem.ts';
import { Nodes } from '../nodes.ts';
import { DIRENT, DIRENT_SIZE, ENTRY_OUT_SIZE, OUT_HEADER_SIZE } from './abi.ts';
import { putEntry, putU64 } from './attributes.ts';

/** The sink of one READDIR at a time; reused. */
export class Dirents implements DirectorySink {
  /** Bytes packed so far. */
  length = 0;
  /** Counts what the kernel gets to know. */
  nodes = new Nodes();
  readonly #buffer: Buffer;
  readonly #view: DataView;
  #room = 0;
  /** Bytes before the name. */
  #nameOffset = DIRENT_SIZE;

  constructor(buffer: Buffer, view: DataView) {
    this.#buffer = buffer;
    this.#view = view;
  }

  begin(room: number, plus: boolean): void {
    this.length = 0;
    this.#room = Math.min(room, this.#buffer.length - OUT_HEADER_SIZE);
    this.#nameOffset = plus ? ENTRY_OUT_SIZE + DIRENT_SIZE : DIRENT_SIZE;
  }

  fits(name: Name): boolean {
    return this.length + align(this.#nameOffset + name.length) <= this.#room;
  }

  /** Throws RangeError for an entry that does not fit: the caller had to ask. */
  add(name: Name, ino: Ino, typeBits: number, nextCookie: number, entry?: Entry): void {
    if (!this.fits(name)) throw new RangeError('a directory entry beyond the end of the reply');
    const start = OUT_HEADER_SIZE + this.length;
    const dirent = start + this.#nameOffset - DIRENT_SIZE;
    // Without an entry the node id is 0: the kernel takes the name and nothing else.
    if (entry !== undefined) this.#entry(start, entry);
    else if (dirent !== start) this.#buffer.fill(0, start, dirent);
    putU64(this.#view, dirent + DIRENT.INO, ino);
    putU64(this.#view, dirent + DIRENT.OFF, nextCookie);
    this.#view.setUint32(dirent + DIRENT.NAMELEN, name.length, true);
    this.#view.setUint32(dirent + DIRENT.TYPE, typeBits >>> 12, true);
    const end = dirent + DIRENT_SIZE + this.#buffer.write(name, dirent + DIRENT_SIZE, 'latin1');
    this.length = align(end - OUT_HEADER_SIZE);
    this.#buffer.fill(0, end, OUT_HEADER_SIZE + this.length);
  }

  #entry(start: number, entry: Entry): void {
    putEntry(this.#view, start, this.nodes.introduce(entry));
  }
}

function align(length: number): number {
  return (length + 7) & ~7;
}
