/** A row of the list. */
import type { VNode } from 'preact';
import type { ShownEntry } from '../../protocol.ts';
import { ChoiceSign } from '../parts/choose.tsx';
import { choiceOf, usePart } from '../state/store.ts';
import { Shown, ShownPathText } from '../text/shown.tsx';
import { visible } from '../text/visible.ts';
import { amountOf, CHANGES, count, GROUP_NAMES, isOpenAtFirst, size } from '../text/words.ts';
import { choiceBelow, type Directory } from './directories.ts';
import type { Row } from './tree.ts';

export interface RowProps {
  readonly id: string;
  readonly row: Row;
  readonly top: number;
  readonly isSelected: boolean;
  readonly onOpen: () => void;
  readonly onToggle: () => void;
}

export function RowView({ id, row, top, isSelected, onOpen, onToggle }: RowProps): VNode {
  const expanded = row.kind === 'entry' ? undefined : row.isOpen;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus, and handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant of the tree points here
    <div
      id={id}
      class={`row row-${row.kind} level-${Math.min(row.level, 12)}`}
      role="treeitem"
      aria-level={row.level}
      aria-selected={isSelected}
      aria-expanded={expanded}
      style={{ transform: `translateY(${top}px)` }}
      title={titleOf(row)}
      onClick={() => {
        if (row.kind === 'directory' || (isSelected && row.kind === 'group')) onToggle();
        onOpen();
      }}
    >
      {row.kind === 'entry' ? (
        <span class="twist" />
      ) : (
        <span
          class="twist"
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          {row.isOpen ? '▾' : '▸'}
        </span>
      )}
      <Content row={row} />
    </div>
  );
}

function Content({ row }: { readonly row: Row }): VNode {
  if (row.kind === 'group') return <GroupContent row={row} />;
  if (row.kind === 'directory') {
    return (
      <>
        <DirectorySigns directory={row.directory} />
        <span class="name">
          <Shown text={row.name} />
        </span>
        <span class="amount">{row.count.toLocaleString('en')}</span>
      </>
    );
  }
  return <EntryContent row={row} />;
}

/** What was decided of all that is in it, and what the directory's own change is. */
function DirectorySigns({ directory }: { readonly directory: Directory }): VNode {
  const choice = usePart(({ choices }) => choiceBelow(directory, choices));
  return (
    <>
      <ChoiceSign choice={choice} />
      {directory.own !== undefined && <ChangeSign change={directory.own.change} />}
    </>
  );
}

function ChangeSign({ change }: Pick<ShownEntry, 'change'>): VNode {
  const [sign, word] = CHANGES[change];
  return (
    <span class={`change change-${change}`} role="img" aria-label={word}>
      {sign}
    </span>
  );
}

/** What was decided, and what the change is. */
function Signs({ entry }: { readonly entry: ShownEntry }): VNode {
  const choice = usePart(({ choices }) => choiceOf(entry, choices));
  return (
    <>
      <ChoiceSign choice={choice} />
      <ChangeSign change={entry.change} />
    </>
  );
}

function EntryContent({ row: { entry, name } }: { readonly row: Extract<Row, { kind: 'entry' }> }): VNode {
  return (
    <>
      <Signs entry={entry} />
      <span class="name">
        <ShownPathText path={name} />
      </span>
      {entry.conflict !== undefined && <span class="badge warn">conflict</span>}
      <span class="amount">{amountOf(entry)}</span>
    </>
  );
}

function GroupContent({ row: { group } }: { readonly row: Extract<Row, { kind: 'group' }> }): VNode {
  const bytes = isOpenAtFirst(group.name) || group.size === 0 ? '' : `, ${size(group.size)}`;
  return (
    <>
      <ChoiceSign choice={group.choice} />
      <span class="name">
        <strong>{GROUP_NAMES[group.name]}</strong>
        {group.said.length > 0 && (
          <span class="said">
            {' '}
            <Shown text={group.said.join('; ')} />
          </span>
        )}
      </span>
      <span class="amount">
        {count(group.count, 'change')}
        {bytes}
      </span>
    </>
  );
}

function titleOf(row: Row): string {
  if (row.kind === 'group') return [GROUP_NAMES[row.group.name], ...row.group.said.map(visible)].join('\n');
  if (row.kind === 'directory') return visible(row.path);
  const { path, from, conflict } = row.entry;
  const was = from === undefined ? '' : `\nwas ${visible(from.path)}`;
  return `${visible(path)}${was}${conflict === undefined ? '' : `\noutside: ${visible(conflict)}`}`;
}
