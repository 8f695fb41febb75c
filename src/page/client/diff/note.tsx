/** A note to the agent, about a file or a line: it hears of it with its next call. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { NoteRequest } from '../../protocol.ts';
import { postOnly } from '../state/api.ts';
import { fail, tell } from '../state/messages.ts';

export interface NoteProps {
  readonly id: string;
  readonly line?: number;
  readonly onDone: () => void;
}

export function NoteForm({ id, line, onDone }: NoteProps): VNode {
  const [text, setText] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const send = async (): Promise<void> => {
    if (text.trim() === '') return onDone();
    const note: NoteRequest = { id, text: text.trim(), ...(line === undefined ? {} : { line }) };
    try {
      await postOnly('note', note);
      tell('done', 'The agent hears of it with its next call.');
      onDone();
    } catch (error) {
      fail(error);
    }
  };
  return (
    <form
      class="note"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone();
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
        event.stopPropagation();
      }}
    >
      <textarea
        ref={box}
        rows={2}
        aria-label={line === undefined ? 'Note to the agent' : `Note to the agent on line ${line}`}
        placeholder="What the agent should know (Ctrl+Enter sends)"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit">Send</button>
      <button type="button" onClick={onDone}>
        Cancel
      </button>
    </form>
  );
}
