/** Snapshots and travels as a tree, abandoned branches too: to compare, and to go to. */
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { TimelineReply, TravelReply } from '../../protocol.ts';
import { Failed } from '../parts/failed.tsx';
import { post } from '../state/api.ts';
import { useLoaded } from '../state/load.ts';
import { fail, tell } from '../state/messages.ts';
import { goTo } from '../state/place.ts';
import { read } from '../state/session.ts';
import { usePart } from '../state/store.ts';
import { Shown } from '../text/shown.tsx';
import { visible } from '../text/visible.ts';
import { count, when } from '../text/words.ts';
import { Compare } from './compare.tsx';
import { type Drawing, drawingOf, type Place } from './lanes.ts';

/** Older ones are shown when asked for. */
const AT_ONCE = 300;
const ROW = 82;
/** Where there is no room for the time and the buttons beside each other. */
const NARROW_ROW = 108;
const LANE = 18;

export function Timeline(): VNode {
  const compare = usePart(({ place }) => (place.tab === 'timeline' ? place.compare : undefined));
  const { reply, failure } = useLoaded<TimelineReply>('timeline', 'timeline');
  const [shown, setShown] = useState(AT_ONCE);
  const [from, setFrom] = useState<number>();
  const isWide = usePart((state) => state.isWide);
  const drawing = useMemo(() => drawingOf(reply?.entries.slice(-shown) ?? []), [reply, shown]);
  if (compare !== undefined) return <Compare a={compare[0]} b={compare[1]} />;
  if (failure !== undefined) return <Failed failure={failure} />;
  if (reply === undefined) return <p class="empty">…</p>;
  if (reply.entries.length === 0)
    return <p class="empty">No snapshot yet: each run that changes something takes one.</p>;
  return (
    <section aria-label="Timeline" class="timeline">
      <p class="hint">
        The latest first.{' '}
        {from === undefined ? 'Choose one to compare another with it.' : `Compared with snapshot ${from}:`}
      </p>
      <div class="timeline-rows">
        <Lanes drawing={drawing} height={isWide ? ROW : NARROW_ROW} />
        <ol>
          {drawing.places.map((place) => (
            <Item
              key={place.entry.generation}
              place={place}
              now={reply.generation}
              from={from}
              onChoose={() => setFrom(from === place.entry.generation ? undefined : place.entry.generation)}
            />
          ))}
        </ol>
      </div>
      {reply.entries.length > shown && (
        <button type="button" onClick={() => setShown(shown * 4)}>
          Show older ones ({count(reply.entries.length - shown, 'more', 'more')})
        </button>
      )}
    </section>
  );
}

interface ItemProps {
  readonly place: Place;
  readonly now: number;
  readonly from: number | undefined;
  readonly onChoose: () => void;
}

function Item({ place: { entry }, now, from, onChoose }: ItemProps): VNode {
  const { generation, kind, name, target, live, kept, time, command, output, ended } = entry;
  const state = [live ? '' : 'abandoned', generation === now ? 'now' : '', kept ? '' : 'given up', ended ?? ''];
  const other = from ?? now;
  return (
    <li class={live ? 'live' : 'abandoned'} data-generation={generation}>
      <span class="what">
        <strong>
          {kind === 'travel' ? `${generation} travel to ${target ?? ''}` : `${generation}`} <Shown text={name} />
        </strong>{' '}
        <span class="state">{state.filter(Boolean).join(', ')}</span>
        <time dateTime={time}>{when(time)}</time>
      </span>
      {command !== undefined && (
        <code class="command" title={visible(command)}>
          $ <Shown text={command} />
        </code>
      )}
      {output !== undefined && <Output text={output} />}
      {kept && (
        <span class="item-actions">
          <button type="button" aria-pressed={from === generation} onClick={onChoose}>
            <span class="long">Compare from here</span>
            <span class="short">From</span>
          </button>
          {other !== generation && (
            <button type="button" onClick={() => goTo({ tab: 'timeline', compare: [other, generation] })}>
              <span class="long">Compare with</span>
              <span class="short">To</span> {from === undefined ? 'now' : from}
            </button>
          )}
          <button type="button" onClick={() => void travel(generation)}>
            Travel<span class="long"> here</span>
          </button>
        </span>
      )}
    </li>
  );
}

/** Its first line; the rest of what is known lies over what is below. */
function Output({ text }: { readonly text: string }): VNode {
  const [first = '', ...more] = text.split('\n');
  if (more.length === 0)
    return (
      <code class="output">
        <Shown text={first} />
      </code>
    );
  return (
    <details class="output">
      <summary>
        <code>
          <Shown text={first} />
        </code>
      </summary>
      <pre>
        {[first, ...more].map((line, index) => (
          <span key={index} class="output-line">
            <Shown text={line} />
          </span>
        ))}
      </pre>
    </details>
  );
}

async function travel(generation: number): Promise<void> {
  try {
    const { name, from, changes, running } = await post<TravelReply>('travel', { generation });
    const still = running.map((command) => `still runs, and keeps what it has open: ${visible(command)}`);
    const what = `Now at ${generation} ${visible(name)}: ${count(changes, 'change')} staged. Travel to ${from} leads back.`;
    tell('done', what, still);
    await read();
  } catch (error) {
    fail(error);
  }
}

interface LanesProps {
  readonly drawing: Drawing;
  /** Of a row. */
  readonly height: number;
}

/** The same is said in words beside it. */
function Lanes({ drawing: { places, edges, lanes }, height }: LanesProps): VNode {
  const x = (lane: number): number => 12 + Math.min(lane, 12) * LANE;
  const y = (row: number): number => row * height + height / 2;
  const width = x(Math.min(lanes, 13));
  return (
    <svg aria-hidden="true" width={width} height={places.length * height} class="lanes">
      {edges.map(({ from, to }) => (
        <path
          key={to.entry.generation}
          class={to.entry.live ? 'edge live' : 'edge'}
          d={`M ${x(from.lane)} ${y(from.row)} C ${x(to.lane)} ${y(from.row) - height / 2}, ${x(to.lane)} ${y(from.row)}, ${x(
            to.lane,
          )} ${y(from.row) - height} L ${x(to.lane)} ${y(to.row)}`}
        />
      ))}
      {places.map(({ entry, row, lane }) => (
        <circle
          key={entry.generation}
          class={entry.live ? 'dot live' : 'dot'}
          cx={x(lane)}
          cy={y(row)}
          r={entry.kind === 'travel' ? 4 : 6}
        />
      ))}
    </svg>
  );
}
