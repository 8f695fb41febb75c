/** What of a change is decided beside its lines: a mode, a name, attributes, a link's target, bytes. */
import type { VNode } from 'preact';
import type { FileReply, SectionName } from '../../protocol.ts';
import { Choose } from '../parts/choose.tsx';
import { decide } from '../state/session.ts';
import { Shown } from '../text/shown.tsx';

const NAMES: Readonly<Record<SectionName, string>> = {
  whole: 'The whole file',
  rename: 'Its name',
  mode: 'Its mode',
  attributes: 'Its attributes',
  target: 'Where the link leads',
  binary: 'Its bytes',
};

export function Sections({ reply }: { readonly reply: FileReply }): VNode | null {
  const { entry, sections } = reply;
  // What is all there is to it is decided at the head.
  const shown = sections.filter(({ name }) => name !== 'whole' && sections.length + reply.hunkCount > 1);
  const plain = sections.filter((section) => !shown.includes(section) && section.after !== undefined);
  if (shown.length + plain.length === 0) return null;
  return (
    <ul class="sections" aria-label="Other parts of this change">
      {[...shown, ...plain].map(({ name, key, choice, before, after }) => (
        <li key={key}>
          <span class="section-name">{NAMES[name]}</span>{' '}
          {(before !== undefined || after !== undefined) && (
            <span class="from-to">
              <Shown text={before ?? 'nothing'} /> → <Shown text={after ?? 'nothing'} />
            </span>
          )}
          {shown.some((section) => section.key === key) && (
            <Choose
              isSmall
              label={`Decide about ${NAMES[name].toLowerCase()}`}
              choice={choice}
              onDecide={(decision) => void decide([{ id: entry.id, keys: [key] }], decision)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
