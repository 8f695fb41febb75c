/** One file: what of it changed, and what is decided. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FileReply } from '../../protocol.ts';
import { shortPath } from '../list/directories.ts';
import { Choose } from '../parts/choose.tsx';
import { Failed } from '../parts/failed.tsx';
import { useLoaded } from '../state/load.ts';
import { change, open } from '../state/place.ts';
import { decide } from '../state/session.ts';
import { choiceOf, usePart } from '../state/store.ts';
import { Shown, ShownPathText } from '../text/shown.tsx';
import { visible } from '../text/visible.ts';
import { CHANGES, size } from '../text/words.ts';
import { Audit } from './audit.tsx';
import { useCommands } from './blame.ts';
import { HunkView } from './hunk.tsx';
import { NoteForm } from './note.tsx';
import { PAGE, Pager } from './pager.tsx';
import { Pictures } from './pictures.tsx';
import { Sections } from './sections.tsx';

export interface FileProps {
  readonly id: string;
  /** Of a comparison of two states, in which nothing is decided. */
  readonly compare?: readonly [a: number, b: number];
}

export function FileView({ id, compare }: FileProps): VNode {
  const [from, setFrom] = useState(0);
  const [a, b] = compare ?? [];
  const whole = usePart(({ settings }) => (settings.similar ? undefined : ''));
  const { reply, failure } = useLoaded<FileReply>(`${id} ${a} ${b}`, 'file', { id, a, b, whole, from, count: PAGE });
  useEffect(() => setFrom(0), [id, a, b, whole]);
  if (failure?.code === 'missing' || failure?.code === 'outdated')
    return <p class="empty">Nothing of it is staged any more.</p>;
  if (failure !== undefined) return <Failed failure={failure} />;
  if (reply === undefined) return <p class="empty">…</p>;
  const isFixed = compare !== undefined;
  return (
    <article class="file" aria-label={visible(reply.entry.path)}>
      <Head reply={reply} isFixed={isFixed} />
      {reply.notices.map((notice) => (
        <p key={notice} class="notice">
          ⚠ <Shown text={notice} />
        </p>
      ))}
      {!isFixed && <Sections reply={reply} />}
      <Body reply={reply} isFixed={isFixed} />
      <Pager reply={reply} onGo={setFrom} />
    </article>
  );
}

function Head({ reply, isFixed }: { readonly reply: FileReply; readonly isFixed: boolean }): VNode {
  const { entry } = reply;
  const project = usePart(({ review }) => review?.project) ?? '';
  const choice = usePart(({ choices }) => choiceOf(entry, choices));
  const [noting, setNoting] = useState(false);
  const [auditing, setAuditing] = useState(false);
  const isText = reply.kind === 'text' || reply.kind === 'large';
  const canCompare = entry.change === 'added' && isText && reply.similar !== undefined;
  return (
    <header class="file-head">
      <h2 tabIndex={-1} id="file-title">
        <ShownPathText path={shortPath(entry.path, project)} />
      </h2>
      <p class="facts">
        <Facts reply={reply} />
      </p>
      <div class="tools">
        {!isFixed && (
          <Choose
            label={`Decide about the whole of ${visible(entry.path)}`}
            choice={choice}
            onDecide={(decision) => void decide([{ id: entry.id }], decision)}
          />
        )}
        <ViewButtons canCompare={canCompare} />
        {!isFixed && (
          <>
            <button type="button" id="history" aria-expanded={auditing} onClick={() => setAuditing(!auditing)}>
              Who wrote this
            </button>
            <button type="button" id="note" aria-expanded={noting} onClick={() => setNoting(!noting)}>
              Note to the agent
            </button>
          </>
        )}
      </div>
      {noting && <NoteForm id={entry.id} onDone={() => setNoting(false)} />}
      {auditing && <Audit id={entry.id} />}
    </header>
  );
}

function Facts({ reply }: { readonly reply: FileReply }): VNode {
  const { entry, added, removed, oldSize, newSize } = reply;
  const [, word] = CHANGES[entry.change];
  const sizes = [oldSize, newSize].map((bytes) => (bytes === undefined ? 'nothing' : size(bytes))).join(' → ');
  return (
    <>
      {entry.type === 'directory' ? 'directory ' : ''}
      {word}
      {entry.from !== undefined && (
        <>
          {', was '}
          <Shown text={entry.from.path} />
        </>
      )}
      {reply.similar !== undefined && <Similar reply={reply} similar={reply.similar} />}
      {added + removed > 0 && (
        <>
          {' · '}
          <span class="plus">+{added.toLocaleString('en')}</span>{' '}
          <span class="minus">−{removed.toLocaleString('en')}</span>
        </>
      )}
      {(oldSize !== undefined || newSize !== undefined) && ` · ${sizes}`}
      {entry.conflict !== undefined && (
        <span class="badge warn">
          conflict: outside <Shown text={entry.conflict} />
        </span>
      )}
    </>
  );
}

interface SimilarProps {
  readonly reply: FileReply;
  readonly similar: Exclude<FileReply['similar'], undefined>;
}

/** The way to the other one of a deleted and an added file that are alike. */
function Similar({ reply: { entry }, similar }: SimilarProps): VNode {
  const project = usePart(({ review }) => review?.project) ?? '';
  return (
    <>
      {', like '}
      <button type="button" class="link" onClick={() => open({ kind: 'entry', id: similar.id })}>
        <Shown text={shortPath(similar.path, project)} />
      </button>
      {entry.change === 'added' ? ', which was deleted' : ', which was added'}
    </>
  );
}

function ViewButtons({ canCompare }: { readonly canCompare: boolean }): VNode {
  const { split, ignoreSpace, wrap, blame, similar } = usePart(({ settings }) => settings);
  const isWide = usePart((state) => state.isWide);
  const button = (label: string, isOn: boolean, onClick: () => void): VNode => (
    <button type="button" aria-pressed={isOn} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <fieldset class="view" aria-label="How it is shown">
      {isWide && button('Side by side', split, () => change({ split: !split }))}
      {button('Ignore white space', ignoreSpace, () => change({ ignoreSpace: !ignoreSpace }))}
      {button('Wrap', wrap, () => change({ wrap: !wrap }))}
      {button('Commands', blame, () => change({ blame: !blame }))}
      {canCompare && button('Beside the deleted one', similar, () => change({ similar: !similar }))}
    </fieldset>
  );
}

const WHY_EMPTY: Readonly<Partial<Record<FileReply['kind'], string>>> = {
  binary: 'Bytes that are no text: decide about the whole.',
  large: 'Too large to be shown line by line: decide about the whole.',
  directory: 'A directory.',
  unreadable: 'It cannot be read.',
  other: 'A device, a socket or a pipe.',
};

function Body({ reply, isFixed }: { readonly reply: FileReply; readonly isFixed: boolean }): VNode {
  const commands = useCommands(isFixed ? undefined : reply.entry.id);
  if (reply.kind === 'image') return <Pictures reply={reply} />;
  if (reply.hunks.length === 0) return <p class="empty">{WHY_EMPTY[reply.kind] ?? 'No line of it differs.'}</p>;
  return (
    <>
      {reply.kind === 'large' && !isFixed && (
        <p class="hint large">Above 8 MB lines are only shown: decide about the whole.</p>
      )}
      {reply.hunks.map((hunk) => (
        <HunkView key={`${hunk.key ?? hunk.index} ${hunk.first}`} {...{ hunk, reply, isFixed, commands }} />
      ))}
    </>
  );
}
