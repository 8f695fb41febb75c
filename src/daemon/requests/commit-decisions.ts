/** What is done about commits that an agent asks for: one comes in, a person decides. The caller takes care of turns. */
import { UserError } from '../../sys/user-error.ts';
import type { FuseWorker } from '../fuse-worker.ts';
import type { Replies, Request } from '../protocol.ts';
import type { CommitRequest } from './commit-request.ts';
import type { CommitRequests } from './requests.ts';

export class CommitDecisions {
  readonly #requests: CommitRequests;
  readonly #worker: FuseWorker;

  constructor(requests: CommitRequests, worker: FuseWorker) {
    this.#requests = requests;
    this.#worker = worker;
  }

  /** Keeps a request for what `mark` gives a number. Rejects with a UserError when it is none that a person can be asked. */
  async ask(message: string, mark: () => Promise<{ readonly generation: number }>): Promise<CommitRequest> {
    this.#requests.check(message);
    const { generation } = await mark();
    const { changes } = await this.#worker.order('staged', null);
    if (changes === 0) throw new UserError('nothing is staged: there is nothing to commit');
    return this.#requests.add({ message, generation, changes });
  }

  /**
   * Does as a person says; `commit` is for what they were shown. Rejects with a UserError when it is decided already, or when
   * `commit` does: it waits on, then.
   */
  async decide(
    { id, commit: isAgreed, reviewed, reason }: Extract<Request, { op: 'decide' }>,
    commit: (ask: { reviewed: number }) => Promise<Replies['commit']>,
  ): Promise<Replies['decide']> {
    this.#requests.open(id);
    if (!isAgreed) {
      this.#requests.close(id, 'rejected', reason);
      return { state: 'rejected', changes: 0 };
    }
    if (reviewed === undefined) throw new UserError("'reviewed' has to say which generation is agreed to");
    const { changes } = await commit({ reviewed });
    if (changes === 0) this.#requests.close(id, 'stale', 'nothing was staged any more');
    // A commit after which nothing is staged closes what waits; when something came after, those that it was of are closed.
    for (const request of this.#requests.pending) {
      if (request.generation <= reviewed) this.#requests.close(request.id, 'committed');
    }
    return { state: changes === 0 ? 'stale' : 'committed', changes };
  }
}
