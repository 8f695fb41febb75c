/** What the two threads say to each other of questions. */
import type { Closing, OpenQuestion, QuestionId } from '../../rules/questions/questions.ts';

/** Who listens: somebody for every question, others for those of one run each. */
export interface Listening {
  readonly all: boolean;
  readonly runs: readonly number[];
}

/** An open question, for the main thread. */
export interface AskedQuestion extends OpenQuestion {
  readonly run: number;
}

export type AskingMessage =
  | { readonly event: 'asked'; readonly question: AskedQuestion }
  | { readonly event: 'settled'; readonly id: QuestionId; readonly closing: Closing };
