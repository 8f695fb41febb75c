/** A file system of which every path is asked about: what its requests get, and what its front ends hear. */
import type { Ticket } from '../../../src/fuse/filesystem.ts';
import type { GatedOp } from '../../../src/rules/asker.ts';
import { type Closing, type Decision, type QuestionId, Questions } from '../../../src/rules/questions/questions.ts';
import type { Access } from '../../../src/rules/states.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';

export interface Wanted {
  readonly path: string;
  readonly access?: Access;
  readonly op?: GatedOp;
}

const RULE = { state: 'ask', pattern: '/', layer: 'default' } as const;

export class Table {
  readonly questions: Questions;
  /** What front ends are told, e.g. `1 opened read /a`. */
  readonly heard: string[] = [];
  /** What was decided, e.g. `allow read /a by person`. */
  readonly decided: Decision[] = [];
  /** The requests that were answered, by ticket. */
  readonly done = new Map<number, 'pass' | 'refuse'>();
  now = 0;
  /** Paths that no rule asks about any more. */
  readonly allowed = new Set<string>();
  canRecord = true;
  isHeard = true;
  readonly #requests = new Map<number, { readonly pid: number; readonly wants: readonly Wanted[] }>();
  #lastTicket = 0;

  constructor(settings = { timeout: 1000, allow: false }) {
    const owner = {
      isHeard: (): boolean => this.isHeard,
      opened: ({ id, access, path }: { id: number; access: string; path: string }): void => {
        this.heard.push(`${id} opened ${access} ${path}`);
      },
      closed: (id: QuestionId, closing: Closing): void => {
        const how = closing === 'withdrawn' ? closing : `${verb(closing.decision)} ${closing.decision.by.kind}`;
        this.heard.push(`${id} ${how}`);
      },
      decide: (decision: Decision): boolean => {
        this.decided.push(decision);
        return this.canRecord;
      },
      resume: (ticket: Ticket): void => this.#serve(ticket),
    };
    this.questions = new Questions(owner, settings, () => this.now);
  }

  /** Thread `pid` makes a request that wants all of `wants`; returns its ticket. */
  request(pid: number, ...wants: readonly (string | Wanted)[]): number {
    this.#lastTicket += 2;
    this.#requests.set(this.#lastTicket, {
      pid,
      wants: wants.map((want) => (typeof want === 'string' ? { path: want } : want)),
    });
    this.#serve(this.#lastTicket);
    return this.#lastTicket;
  }

  /** The caller of that request was interrupted. */
  interrupt(ticket: number): void {
    this.#requests.delete(ticket);
    this.questions.withdraw(ticket as Ticket);
  }

  answer(id: number, allow: boolean, always?: string): boolean {
    const rule = always === undefined ? {} : { always: always as BytePath };
    return this.questions.answer(id as QuestionId, { allow, ...rule }, 'test');
  }

  /** How many requests have no answer yet. */
  get pending(): number {
    return this.#requests.size;
  }

  #serve(ticket: number): void {
    const request = this.#requests.get(ticket);
    if (request === undefined) return;
    for (const { path, access = 'read', op = 'open' } of request.wants) {
      if (this.allowed.has(path)) continue;
      const caller = { uid: 0, gid: 0, pid: request.pid, ticket: ticket as Ticket };
      const verdict = this.questions.ask({ path: path as BytePath, access, op, rule: RULE, caller });
      if (verdict === 'later') return;
      if (verdict === 'refuse') {
        this.#end(ticket, verdict);
        return;
      }
    }
    this.#end(ticket, 'pass');
  }

  #end(ticket: number, verdict: 'pass' | 'refuse'): void {
    this.#requests.delete(ticket);
    this.done.set(ticket, verdict);
  }
}

function verb({ allow }: Decision): string {
  return allow ? 'allowed' : 'denied';
}
