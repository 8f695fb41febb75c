/** The list of changes: only the rows in sight are drawn, so that a hundred thousand are as fast as ten. */
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { open } from '../state/place.ts';
import { usePart } from '../state/store.ts';
import { RowView } from './row.tsx';
import { keyOf, openOf, step, toggle, useRows } from './rows.ts';
import type { Row } from './tree.ts';

const ROW = 28;
const BEYOND = 12;

export function List(): VNode {
  const rows = useRows();
  const cursor = usePart(({ place }) => keyOf(place.tab === 'changes' ? place.open : undefined));
  const box = useRef<HTMLDivElement>(null);
  const [{ top, height }, setSight] = useState({ top: 0, height: 800 });
  const look = (): void => {
    if (box.current !== null) setSight({ top: box.current.scrollTop, height: box.current.clientHeight });
  };
  useLayoutEffect(look, []);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const at = rows.findIndex((row) => row.key === cursor);
  useLayoutEffect(() => {
    if (box.current !== null && at >= 0) bringIntoSight(box.current, at);
  }, [cursor, at === -1]);
  const from = Math.max(0, Math.floor(top / ROW) - BEYOND);
  const to = Math.min(rows.length, Math.ceil((top + height) / ROW) + BEYOND);
  const shown = rows.slice(from, to).map((row, index) => ({ row, place: from + index }));
  if (at >= 0 && (at < from || at >= to)) shown.push(...rows.slice(at, at + 1).map((row) => ({ row, place: at })));
  return (
    <div
      ref={box}
      class="list"
      role="tree"
      aria-label="Changes"
      tabIndex={0}
      aria-activedescendant={at >= 0 ? idOf(at) : undefined}
      onScroll={look}
      onKeyDown={(event) => move(event, rows[at])}
    >
      <div class="list-all" role="presentation" style={{ height: `${rows.length * ROW}px` }}>
        {shown.map(({ row, place }) => (
          <RowView
            key={row.key}
            id={idOf(place)}
            row={row}
            top={place * ROW}
            isSelected={place === at}
            onOpen={() => open(openOf(row))}
            onToggle={() => toggle(row)}
          />
        ))}
      </div>
    </div>
  );
}

function idOf(place: number): string {
  return `row-${place}`;
}

function bringIntoSight(box: HTMLElement, at: number): void {
  const [top, bottom] = [at * ROW, (at + 1) * ROW];
  if (top < box.scrollTop) box.scrollTop = top - ROW;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight + ROW;
}

function move(event: KeyboardEvent, row: Row | undefined): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === 'ArrowDown') step(1, false);
  else if (event.key === 'ArrowUp') step(-1, false);
  else if (row === undefined) return;
  else if (event.key === 'ArrowRight') toggle(row, true);
  else if (event.key === 'ArrowLeft') toggle(row, false);
  else if (event.key === 'Enter' || event.key === ' ') toggle(row);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
