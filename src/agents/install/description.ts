/** What one agent needs of us on the disk: which files, and what in them. */
import type { JsonObject } from './json-tree.ts';
import type { TomlTable } from './toml-table.ts';

/** For all projects of a person, or for one. */
export type Level = 'user' | 'project';

export interface Places {
  readonly level: Level;
  /** Absolute. */
  readonly home: string;
  /** Absolute; the directory that the project level is about. */
  readonly project: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Words that start this program from any directory: an absolute path, or an interpreter and a path. */
export type ProgramWords = readonly string[];

/** One file, and what is ours in it. */
export type Target =
  | {
      readonly kind: 'json';
      readonly path: string;
      readonly template: JsonObject;
      /** The agent is known to take comments, or commas at the end, too; every other is taken for one that ignores such a file. */
      readonly isLenient?: true;
      /** The file is for us alone: without what is ours it is not needed. */
      readonly isOurs?: true;
    }
  | { readonly kind: 'toml'; readonly path: string; readonly table: TomlTable }
  /** A program text of ours. Its first line is how it is known again. */
  | { readonly kind: 'text'; readonly path: string; readonly text: string };

export interface Description {
  /** As the person knows it. */
  readonly title: string;
  targets(places: Places, program: ProgramWords): readonly Target[];
  /** What the person has to do now; one sentence each. */
  next(level: Level): readonly string[];
}
