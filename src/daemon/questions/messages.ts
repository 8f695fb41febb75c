/** What the two threads say to each other of rules, and of questions that come of them. */
import type {
  AskSettings,
  Closing,
  Answer as Decided,
  OpenQuestion,
  QuestionId,
} from '../../rules/questions/questions.ts';
import type { Rule } from '../../rules/rules.ts';
import type { Seen, Sights } from '../../rules/sight.ts';
import type { Invalidation } from '../../staging/invalidation.ts';
import type { BytePath, NodeId } from '../../sys/bytes.ts';
import type { Replies } from '../protocol.ts';
import type { Plain } from '../view/base-mounts/survey.ts';

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

/** Orders about rules and questions, with what each answers. */
export interface GateOrders {
  /** Looks a directory of the view up and keeps it, as the root of a second mount; 0: there is none at that path. */
  hold: { ask: { readonly path: BytePath }; answer: { readonly node: NodeId } };
  /** The rules that count from now on, all of them; the answer tells what the kernel must forget. */
  rules: { ask: { readonly rules: readonly Rule[] }; answer: { readonly invalidations: readonly Invalidation[] } };
  /** Directories to mount into the view, in which everything may be read by `rules`; the answer: those that are to be mounted now. */
  lend: {
    ask: { readonly found: readonly Plain[]; readonly rules: readonly Rule[] };
    answer: { readonly lent: readonly BytePath[] };
  };
  /** They are mounted; the answer tells which of them have to go again. */
  lent: { ask: null; answer: { readonly invalidations: readonly Invalidation[] } };
  /** What somebody in the view could read. */
  sight: { ask: Sights; answer: Seen };
  /** Who listens to questions; what nobody listens to any more is decided. */
  listen: { ask: Listening; answer: null };
  /** An answer to a question. */
  answer: {
    ask: { readonly id: QuestionId; readonly answer: Decided; readonly front: string };
    answer: Replies['answer'];
  };
  /** What was answered for always is a rule now, or cannot be. */
  remembered: { ask: { readonly path: BytePath }; answer: null };
  /** Nobody will answer these: who was asked hung up, or cannot. */
  giveUp: { ask: { readonly ids: readonly QuestionId[]; readonly kind: 'hung-up' | 'nobody' }; answer: null };
  /** How long questions stay open, and what is decided then. */
  askSettings: { ask: AskSettings; answer: null };
}
