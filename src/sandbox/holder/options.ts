/** What a view is made with. */
import type { CageOptions } from '../cage.ts';

export interface HolderOptions {
  /** Empty host directory the view is mounted on, inside the new namespaces only. */
  readonly mount: string;
  /** Host directory that the view shows as its own `/tmp`; undefined: the view's `/tmp` is staged like the rest. */
  readonly tmp: PrivateTmp | undefined;
  /** Host path of the socket that the view has as GUEST_SOCKET. */
  readonly guestSocket: string;
  /** Host paths (files or directories) that are passed through. */
  readonly direct: readonly string[];
  /** Directories of the host that cover others in the view. */
  readonly own: readonly OwnDirectory[];
  /** A second mount of the same tree, which covers a directory of the view; undefined: there is one mount. */
  readonly fast: FastMount | undefined;
  /** What commands give up when they enter. */
  readonly cage: CageOptions;
}

/** What else than the staged tree a view can have. */
export type PlacesInView = Pick<HolderOptions, 'direct' | 'own'>;

export interface OwnDirectory {
  /** Host directory; its name has no colon. */
  readonly dir: string;
  /** What it covers: a directory free of symlinks. */
  readonly at: string;
}

export interface FastMount {
  /** Empty host directory that it is mounted on first, inside the new namespaces only. */
  readonly mount: string;
  /** The directory of the view that it covers: free of symlinks. */
  readonly at: string;
}

export interface PrivateTmp {
  /** Host directory, mode 1777. */
  readonly dir: string;
  /** Where the view has its `/tmp`: free of symlinks. */
  readonly at: string;
  /** Bytes of a file system in memory that covers it; undefined: it is on the host's disk, and has no limit. */
  readonly size: number | undefined;
  /** Entries of the view's own `/tmp` that stay visible. */
  readonly keep: readonly string[];
}
