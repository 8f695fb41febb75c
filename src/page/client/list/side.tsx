/** The left of the page: what will run later first, then search and filters, then the list. */
import type { VNode } from 'preact';
import type { ShownNotice, ShownNotices } from '../../protocol.ts';
import { change, open } from '../state/place.ts';
import { current, type Filter, update, usePart } from '../state/store.ts';
import { Shown } from '../text/shown.tsx';
import { CHANGES, CHOICES, count } from '../text/words.ts';
import { shortPath } from './directories.ts';
import { List } from './list.tsx';
import { useRows } from './rows.ts';
import { isFiltering } from './tree.ts';

/** More lines are behind a click. */
const NOTICES_OPEN = 6;

export function Side(): VNode {
  return (
    <nav class="side" aria-label="Changes">
      <Notices />
      <Reading />
      <Filters />
      <List />
    </nav>
  );
}

/** Whoever decides waits for the rest: what will run later may be in it. */
function Reading(): VNode | null {
  const isPartial = usePart(({ review }) => review?.isPartial) === true;
  return isPartial ? (
    <p class="hint reading" role="status">
      These are the first of many changes; the rest is being read…
    </p>
  ) : null;
}

function Notices(): VNode | null {
  const lines = usePart(({ review }) => review?.notices) ?? [];
  if (lines.length === 0) return null;
  const changes = lines.reduce((sum, line) => sum + line.count, 0);
  return (
    <details class="notices" open={lines.length <= NOTICES_OPEN}>
      <summary>⚠ {count(changes, 'change')} to look at first</summary>
      <ul>
        {lines.map((line) => (
          <NoticeLine key={`${line.notices[0]?.path} ${line.why}`} {...line} />
        ))}
      </ul>
    </details>
  );
}

function NoticeLine({ why, place, count: all, notices }: ShownNotices): VNode {
  const project = usePart(({ review }) => review?.project) ?? '';
  if (place === undefined)
    return (
      <>
        {notices.map((notice) => (
          <NoticeOf key={notice.path} {...notice} />
        ))}
      </>
    );
  const left = all - notices.length;
  return (
    <li>
      <details>
        <summary>
          {all} {place.word} <Shown text={shortPath(place.path, project) || './'} />{' '}
          <span class="why">
            <Shown text={why} />
          </span>
        </summary>
        <ul>
          {notices.map((notice) => (
            <NoticeOf key={notice.path} {...notice} why={notice.why === why ? '' : notice.why} />
          ))}
          {left > 0 && <li>and {left} more</li>}
        </ul>
      </details>
    </li>
  );
}

function NoticeOf({ path, id, why }: ShownNotice): VNode {
  const project = usePart(({ review }) => review?.project) ?? '';
  return (
    <li>
      <button
        type="button"
        class="link"
        disabled={id === undefined}
        onClick={() => id !== undefined && open({ kind: 'entry', id })}
      >
        <Shown text={shortPath(path, project)} />
      </button>{' '}
      <span class="why">
        <Shown text={why} />
      </span>
    </li>
  );
}

function Filters(): VNode {
  const filter = usePart((state) => state.filter);
  const found = useRows().filter(({ kind }) => kind === 'entry').length;
  const flat = usePart(({ settings }) => settings.flat);
  const set = (part: Partial<Filter>): void => update({ filter: { ...current().filter, ...part } });
  return (
    <search class="filters">
      <input
        type="search"
        id="search"
        placeholder="Search paths  ( / )"
        aria-label="Search paths"
        spellcheck={false}
        autocomplete="off"
        value={filter.text}
        onInput={({ currentTarget }) => set({ text: currentTarget.value })}
      />
      <select
        aria-label="By decision"
        value={filter.choice}
        onChange={({ currentTarget }) => set({ choice: keyIn(CHOICES, currentTarget.value) })}
      >
        <option value="all">any decision</option>
        {Object.entries(CHOICES).map(([choice, [sign, word]]) => (
          <option key={choice} value={choice}>
            {sign} {word}
          </option>
        ))}
      </select>
      <select
        aria-label="By kind of change"
        value={filter.change}
        onChange={({ currentTarget }) => set({ change: keyIn(CHANGES, currentTarget.value) })}
      >
        <option value="all">any change</option>
        {Object.entries(CHANGES).map(([kind, [, word]]) => (
          <option key={kind} value={kind}>
            {word}
          </option>
        ))}
      </select>
      <button
        type="button"
        aria-pressed={flat}
        title="Whole paths instead of directories ( d )"
        onClick={() => change({ flat: !flat })}
      >
        Paths
      </button>
      <span class="found" role="status">
        {isFiltering(filter) ? `${count(found, 'file')} found` : ''}
      </span>
    </search>
  );
}

function keyIn<K extends string>(table: Readonly<Record<K, unknown>>, value: string): K | 'all' {
  return value in table ? (value as K) : 'all';
}
