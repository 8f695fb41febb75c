/** What is open of the list: a file, a group, a directory, or nothing yet. */
import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Choice, GroupName } from '../../protocol.ts';
import { FileView } from '../diff/file.tsx';
import { entriesBelow } from '../list/directories.ts';
import { useRows } from '../list/rows.ts';
import { Choose } from '../parts/choose.tsx';
import { goTo } from '../state/place.ts';
import { decide } from '../state/session.ts';
import { choiceOf, usePart } from '../state/store.ts';
import { Shown } from '../text/shown.tsx';
import { visible } from '../text/visible.ts';
import { count, GROUP_NAMES, size } from '../text/words.ts';

export function Opened(): VNode {
  const open = usePart(({ place }) => (place.tab === 'changes' ? place.open : undefined));
  const isEmpty = usePart(({ review }) => review?.count === 0);
  if (open === undefined || isEmpty) return <Nothing />;
  return (
    <>
      <button type="button" class="back" onClick={() => goTo({ tab: 'changes' })}>
        ◂ All changes
      </button>
      {open.kind === 'entry' && <FileView id={open.id} />}
      {open.kind === 'group' && <GroupView name={open.name} />}
      {open.kind === 'directory' && <DirectoryView group={open.group} path={open.path} />}
    </>
  );
}

function Nothing(): VNode {
  const total = usePart(({ review }) => review?.count) ?? 0;
  if (total === 0) return <p class="empty">Nothing is staged.</p>;
  const fine = useRows().some(({ kind }) => kind === 'entry');
  return (
    <p class="empty">
      {fine
        ? 'Choose a file on the left, or press j for the first one. ? shows all keys.'
        : 'Open a group on the left.'}
    </p>
  );
}

function GroupView({ name }: { readonly name: GroupName }): VNode {
  const group = usePart(({ review }) => review?.groups.find((one) => one.name === name));
  if (group === undefined || group.count === 0) return <p class="empty">Nothing is there any more.</p>;
  const { count: changes, files, deleted, said, choice } = group;
  const facts = [
    count(changes, 'change'),
    count(files, 'file'),
    deleted > 0 ? `${deleted.toLocaleString('en')} deleted` : '',
    size(group.size),
  ];
  return (
    <Many title={GROUP_NAMES[name]} facts={facts.filter(Boolean).join(' · ')}>
      {said.length > 0 && (
        <ul class="said">
          {said.map((line) => (
            <li key={line}>
              <Shown text={line} />
            </li>
          ))}
        </ul>
      )}
      <Choose
        label={`Decide about all of: ${GROUP_NAMES[name]}`}
        choice={choice}
        onDecide={(decision) => void decide([{ group: name }], decision)}
      />
    </Many>
  );
}

function DirectoryView({ group, path }: { readonly group: GroupName; readonly path: string }): VNode {
  const entries = usePart((state) => state.entries.get(group));
  const choices = usePart((state) => state.choices);
  const below = useMemo(() => entriesBelow({ group, path }), [entries, group, path]);
  return (
    <Many title={`${path}/`} facts={count(below.length, 'change')}>
      <Choose
        label={`Decide about all below ${visible(path)}`}
        choice={choiceOfAll(below.map((entry) => choiceOf(entry, choices)))}
        onDecide={(decision) =>
          void decide(
            below.map(({ id }) => ({ id })),
            decision,
          )
        }
      />
    </Many>
  );
}

function choiceOfAll(choices: readonly Choice[]): Choice {
  const first = choices[0] ?? 'leave';
  return choices.every((choice) => choice === first) ? first : 'mixed';
}

interface ManyProps {
  readonly title: string;
  readonly facts: string;
  readonly children: ComponentChildren;
}

function Many({ title, facts, children }: ManyProps): VNode {
  return (
    <article class="many">
      <h2 tabIndex={-1} id="file-title">
        <Shown text={title} />
      </h2>
      <p class="facts">{facts}</p>
      {children}
    </article>
  );
}
