/** What comes by itself: questions, other sessions, the stream. */
import type { Counts, ShownPath } from './review.ts';

export interface ShownAnswer {
  /** For `POST /api/answer`. */
  readonly answer: string;
  readonly label: string;
  /** What it grants, in words. */
  readonly grants: string;
}

export interface Question extends ShownPath {
  readonly id: number;
  readonly access: 'read' | 'write';
  readonly op: string;
  readonly process: string;
  readonly pid: number;
  readonly command: string;
  readonly rule: string;
  /** How long it may take to answer, from when it was asked. */
  readonly seconds: number;
  /** RFC 3339. */
  readonly asked: string;
  readonly answers: readonly ShownAnswer[];
}

/** A commit that the agent asks for. It is decided by a commit of everything, or refused here. */
export interface Wish {
  readonly id: number;
  readonly message: string;
  readonly generation: number;
}

/** GET /api/questions */
export interface QuestionsReply {
  readonly questions: readonly Question[];
  readonly wishes: readonly Wish[];
}

/** POST /api/answer: of a question one of its answers; of a wish why it is refused. */
export type AnswerRequest =
  | { readonly id: number; readonly answer: string }
  | { readonly wish: number; readonly reason: string };

export interface AnswerReply {
  /** False: it was decided, or withdrawn, before. */
  readonly accepted: boolean;
  readonly notice?: string;
}

export interface ShownSession {
  readonly project: string;
  readonly isThis: boolean;
  /** Whether a daemon serves it. */
  readonly live: boolean;
}

/** GET /api/sessions */
export interface SessionsReply {
  readonly sessions: readonly ShownSession[];
}

/** GET /api/stream: server-sent events, the name of each in `event`, this in `data`. `Last-Event-ID` brings what was missed. */
export type StreamEvent =
  /** Something was staged, committed, thrown away: `GET /api/review` has a new version. */
  | { readonly event: 'changed'; readonly generation: number }
  /** In another window. */
  | { readonly event: 'decided'; readonly counts: Counts }
  /** `GET /api/questions` says something else now. */
  | { readonly event: 'questions'; readonly count: number }
  | { readonly event: 'progress'; readonly what: string; readonly done: number; readonly total: number }
  /** What was missed cannot be told one by one: read all anew. */
  | { readonly event: 'reload' };
