/** `import { Session } from 'yolofs'`: for programs that embed yolofs. */
export { UserError } from '../sys/user-error.ts';
export { type OpenOptions, Session } from './session.ts';
export type {
  Answer,
  Change,
  CommitOptions,
  OnQuestion,
  Question,
  RunOptions,
  RunResult,
  StagedChange,
  Status,
  Watching,
} from './types.ts';
