/** What the agent asks: accesses that a rule puts to a person, each with what every answer grants, and commits. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { AnswerReply, AnswerRequest, Question, QuestionsReply, Wish } from '../../protocol.ts';
import { Failed } from '../parts/failed.tsx';
import { post } from '../state/api.ts';
import { useLoaded } from '../state/load.ts';
import { fail, tell } from '../state/messages.ts';
import { decide } from '../state/session.ts';
import { current, update } from '../state/store.ts';
import { Shown } from '../text/shown.tsx';
import { visible } from '../text/visible.ts';
import { when } from '../text/words.ts';

export function Questions(): VNode {
  const { reply, failure } = useLoaded<QuestionsReply>('questions', 'questions');
  if (failure !== undefined) return <Failed failure={failure} />;
  if (reply === undefined) return <p class="empty">…</p>;
  const { questions, wishes } = reply;
  if (questions.length + wishes.length === 0) return <p class="empty">The agent asks nothing at the moment.</p>;
  return (
    <section class="questions" aria-label="Questions">
      {wishes.map((wish) => (
        <WishView key={`wish ${wish.id}`} wish={wish} />
      ))}
      {questions.map((question) => (
        <QuestionView key={question.id} question={question} />
      ))}
    </section>
  );
}

async function answer(request: AnswerRequest): Promise<void> {
  try {
    const { accepted, notice } = await post<AnswerReply>('answer', request);
    tell(accepted ? 'done' : 'failed', notice === undefined ? saidOf(accepted) : visible(notice));
    update({ round: current().round + 1 });
  } catch (error) {
    fail(error);
  }
}

function saidOf(accepted: boolean): string {
  return accepted ? 'Answered.' : 'It was decided, or withdrawn, before.';
}

function QuestionView({ question }: { readonly question: Question }): VNode {
  const { id, access, op, path, process, pid, command, rule, seconds, asked, answers } = question;
  return (
    <article class="question" aria-label={`${access} ${visible(path)}`}>
      <h2>
        <Shown text={process} /> wants to {access} <Shown text={path} />
      </h2>
      <dl>
        <dt>command</dt>
        <dd class="code">
          <Shown text={command} />
        </dd>
        <dt>process</dt>
        <dd>
          {pid}, <Shown text={op} />
        </dd>
        <dt>asked because of</dt>
        <dd>
          <Shown text={rule} />
        </dd>
        <dt>asked</dt>
        <dd>
          {when(asked)}, waits {seconds} s
        </dd>
      </dl>
      <ul class="answers">
        {answers.map(({ answer: word, label, grants }) => (
          <li key={word}>
            <button type="button" onClick={() => void answer({ id, answer: word })}>
              {label}
            </button>{' '}
            <span class="grants">
              <Shown text={grants} />
            </span>
          </li>
        ))}
      </ul>
    </article>
  );
}

function WishView({ wish }: { readonly wish: Wish }): VNode {
  const [reason, setReason] = useState('');
  const takeAll = async (): Promise<void> => {
    const groups = (current().review?.groups ?? []).filter(({ count }) => count > 0);
    await decide(
      groups.map(({ name }) => ({ group: name })),
      'take',
    );
    update({ dialog: 'commit' });
  };
  return (
    <article class="question" aria-label="A commit that the agent asks for">
      <h2>The agent asks for a commit</h2>
      <p class="wish">
        <Shown text={wish.message} />
      </p>
      <div class="wish-answers">
        <button type="button" onClick={() => void takeAll()}>
          Take everything, show the plan…
        </button>
        <input
          aria-label="Why it is refused"
          placeholder="Why not (the agent reads it)"
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <button type="button" onClick={() => void answer({ wish: wish.id, reason })}>
          Refuse
        </button>
      </div>
    </article>
  );
}
