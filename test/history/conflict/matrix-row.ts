/** A row of the matrix. */
import type { StagedProject } from '../projects/staged-project.ts';

export type Ours = (p: StagedProject) => unknown;
type Theirs = (dir: string) => unknown;

export type Row = readonly [title: string, ours: Ours, theirs: Theirs, expected: readonly string[]];

export const nothing = (): void => undefined;
