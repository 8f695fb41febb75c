/** What runs later outside of the view, or leads it: one row for each kind of place, those first that are told first. */
import { HOST_ROWS } from './host-rows.ts';
import { GIT_ROWS, PROJECT_ROWS } from './project-rows.ts';
import type { NoticeKind, Row } from './rows.ts';

/** Looked for at the top of a repository or of what an editor opens: in a package that is installed they say nothing. */
export const OF_REPOSITORIES: readonly NoticeKind[] = ['editor', 'ci', 'build'];

export const TABLE: readonly Row[] = [...GIT_ROWS, ...HOST_ROWS, ...PROJECT_ROWS];
