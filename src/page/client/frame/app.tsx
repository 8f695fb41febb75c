/** The page's frame: head, list, what is open, messages, dialogs. */
import type { VNode } from 'preact';
import { CommitDialog } from '../commit/commit-dialog.tsx';
import { UndoDialog } from '../commit/undo-dialog.tsx';
import { Side } from '../list/side.tsx';
import { Failed } from '../parts/failed.tsx';
import { Questions } from '../questions/questions.tsx';
import { Sessions } from '../questions/sessions.tsx';
import { usePart } from '../state/store.ts';
import { Timeline } from '../timeline/timeline.tsx';
import { Header } from './header.tsx';
import { Help } from './help.tsx';
import { Messages } from './messages.tsx';
import { Opened } from './opened.tsx';

export function App(): VNode {
  const ended = usePart((state) => state.ended);
  const isReady = usePart(({ review }) => review !== undefined);
  if (ended !== undefined && !isReady) {
    return (
      <main class="ended">
        <h1>yolofs review</h1>
        <Failed failure={ended} />
        <p>
          Run <code>yolofs review</code> and open the address that it prints: each is good for one window, once.
        </p>
      </main>
    );
  }
  if (!isReady) return <p class="empty">Reading the session…</p>;
  return (
    <>
      <Header />
      {ended !== undefined && <Failed failure={ended} />}
      <Content />
      <Messages />
      <Dialogs />
    </>
  );
}

function Content(): VNode {
  const tab = usePart(({ place }) => place.tab);
  const isOpen = usePart(({ place }) => place.tab === 'changes' && place.open !== undefined);
  if (tab === 'changes') {
    return (
      <main class={isOpen ? 'changes is-open' : 'changes'} id="main">
        <Side />
        <section class="opened" aria-label="What is open">
          <Opened />
        </section>
      </main>
    );
  }
  return (
    <main class="page" id="main">
      {tab === 'timeline' && <Timeline />}
      {tab === 'questions' && <Questions />}
      {tab === 'sessions' && <Sessions />}
    </main>
  );
}

function Dialogs(): VNode | null {
  const dialog = usePart((state) => state.dialog);
  if (dialog === 'help') return <Help />;
  if (dialog === 'commit' || dialog === 'abort') return <CommitDialog key={dialog} kind={dialog} />;
  return dialog === 'undo' ? <UndoDialog /> : null;
}
