/** The attributes of a file as far as they are staged. */

export interface Time {
  readonly sec: number;
  readonly nsec: number;
}

/** Staged attributes; a missing field is the base's (or, for content size, the object's). Many inodes share one object (compact.ts). */
export interface Attributes {
  /** Permission and set-id bits, without the type. */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly atime?: Time;
  readonly mtime?: Time;
  readonly ctime?: Time;
}

/** Attributes that are being put together, and nobody else's yet. */
export type DraftAttributes = { -readonly [Field in keyof Attributes]: Attributes[Field] };
