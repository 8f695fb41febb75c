/** The way through a file with more lines than are shown at once. */
import type { VNode } from 'preact';
import type { FileReply } from '../../protocol.ts';

/** Lines that are shown at once. */
export const PAGE = 500;

export interface PagerProps {
  readonly reply: FileReply;
  readonly onGo: (from: number) => void;
}

export function Pager({ reply: { from, rows, hunkCount }, onGo }: PagerProps): VNode | null {
  if (rows <= PAGE) return null;
  const to = Math.min(rows, from + PAGE);
  const last = Math.floor((rows - 1) / PAGE) * PAGE;
  const page = (label: string, target: number, isOn: boolean): VNode => (
    <button type="button" disabled={!isOn} onClick={() => onGo(target)}>
      {label}
    </button>
  );
  return (
    <nav class="pager" aria-label="Parts of this file">
      {page('First', 0, from > 0)}
      {page('Back', Math.max(0, from - PAGE), from > 0)}
      <span>
        lines {(from + 1).toLocaleString('en')}–{to.toLocaleString('en')} of {rows.toLocaleString('en')} in{' '}
        {hunkCount.toLocaleString('en')} hunks
      </span>
      {page('Further', from + PAGE, to < rows)}
      {page('Last', last, to < rows)}
    </nav>
  );
}
