import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scanned } from '../../src/history/journal.ts';
import { parseGeneration, parseRange, type Range } from '../../src/history/ranges.ts';
import {
  buildTimeline,
  currentEpoch,
  currentGeneration,
  liveMarkers,
  liveSegments,
  type Segment,
  segmentsOf,
  type Timeline,
} from '../../src/history/segments.ts';
import type { Gen } from '../../src/sys/bytes.ts';
import { record } from './samples.ts';

const START = 100;
const STEP = 10;

/**
 * A timeline from a word: `P` snapshot, `T2` travel to 2, `K` commit, `A` abort, `.` any other record. Every one
 * takes ten bytes; the first starts at byte 100.
 */
function timeline(story: string): Timeline {
  let generation = 0;
  const marks: Scanned[] = [];
  const words = story.split(' ');
  words.forEach((word, i) => {
    if (word === '.') return;
    if (word === 'P' || word.startsWith('T')) generation += 1;
    const target = Number(word.slice(1)) as Gen;
    const body =
      word === 'P'
        ? ({ tag: 'P', name: `s${generation}`, command: 'make' } as const)
        : word.startsWith('T')
          ? ({ tag: 'T', target, name: '' } as const)
          : ({ tag: word === 'K' ? 'K' : 'A', changes: 1 } as const);
    marks.push({ offset: START + i * STEP, next: START + (i + 1) * STEP, record: record(body, generation) });
  });
  return buildTimeline(marks, { start: START, end: START + words.length * STEP });
}

const generations = (segments: readonly Segment[]): number[] => segments.map((segment) => segment.generation);
const live = (story: string, at?: number): number[] =>
  generations(liveSegments(currentEpoch(timeline(story)), at as Gen | undefined));

test('buildTimeline() numbers markers and bounds segments', () => {
  const [epoch, ...rest] = timeline('. P . . T0 .');
  assert.deepEqual(rest, []);
  assert.deepEqual([epoch.start, epoch.end, epoch.ended], [100, 160, undefined]);
  assert.deepEqual(
    epoch.markers.map(({ generation, kind, name, target, command, offset, next }) => [
      ...[generation, kind, name, target, command],
      ...[offset, next],
    ]),
    [
      [1, 'snapshot', 's1', undefined, 'make', 110, 120],
      [2, 'travel', '', 0, undefined, 140, 150],
    ],
  );
  assert.deepEqual(segmentsOf(epoch), [
    { generation: 0, start: 100, end: 110 },
    { generation: 1, start: 120, end: 140 },
    { generation: 2, start: 150, end: 160 },
  ]);
  assert.equal(currentGeneration(epoch), 2);
});

test('buildTimeline() gives each marker to its epoch and counts on through commit and abort', () => {
  const all = timeline('P . K . P P A');
  assert.deepEqual(
    all.map(({ base, start, end, ended, markers }) => [base, start, end, ended, markers.map((m) => m.generation)]),
    [
      [0, 100, 120, 'commit', [1]],
      [1, 130, 160, 'abort', [2, 3]],
      [3, 170, 170, undefined, []],
    ],
  );
  assert.equal(currentGeneration(currentEpoch(all)), 3);
});

test('liveSegments() leaves out what a travel went back before', () => {
  const story = 'P . P . P T2 . P';
  assert.deepEqual(live(story), [0, 1, 4, 5]);
  assert.deepEqual(live(story, 5), [0, 1, 4]);
  assert.deepEqual(live(story, 4), [0, 1], 'where the travel led to');
  assert.deepEqual(live(story, 3), [0, 1, 2], 'an abandoned state keeps its own past');
  assert.deepEqual(live(story, 2), [0, 1]);
  assert.deepEqual(live(story, 0), []);
  assert.deepEqual(live(''), [0]);
});

test('liveSegments() undoes a travel by a travel to before it', () => {
  const story = 'P . P . T1 . P T3 .';
  assert.deepEqual(live('P . P . T1 . P'), [0, 3, 4]);
  // Generation 3 is the travel itself: the state at 1 again.
  assert.deepEqual(live(story), [0, 5]);
  // Generation 2 was abandoned by T3->1; going there makes the travel part of the dead zone.
  assert.deepEqual(live('P . P . T1 . P T2 .'), [0, 1, 5]);
  assert.deepEqual(live('P T0 . P T2 . T1 .'), [0, 5]);
});

test('liveSegments() starts over after a commit, where the old number names the new base', () => {
  assert.deepEqual(live('P . P K . P .'), [2, 3]);
  assert.deepEqual(live('P . P K . P T2 .'), [4]);
  assert.deepEqual(live('P . P K . P T0 .'), [4]);
  assert.deepEqual(live('P . P K . P T3 .'), [2, 4]);
});

test('liveMarkers() are those on the way to the present', () => {
  assert.deepEqual([...liveMarkers(currentEpoch(timeline('P . P . P T2 . P')))], [1, 2, 4, 5]);
  assert.deepEqual([...liveMarkers(currentEpoch(timeline('P . P . T1 .')))], [1, 3]);
});

function range(story: string, text: string): Range {
  const parsed = parseRange(text, timeline(story));
  assert.ok(!('error' in parsed), 'error' in parsed ? parsed.error : '');
  return parsed;
}

test('parseRange() reads every form of cli.md', () => {
  const story = 'P . P . P T2 . P .';
  const show = (text: string): unknown[] => {
    const { from, to, between } = range(story, text);
    return [from, to, between === undefined ? undefined : generations(between)];
  };
  assert.deepEqual(show('all'), [0, undefined, [0, 1, 4, 5]]);
  assert.deepEqual(show('1'), [0, 1, [0]]);
  assert.deepEqual(show('3'), [2, 3, [2]], 'also of an abandoned branch');
  assert.deepEqual(show('5'), [4, 5, [4]], 'since the travel before it');
  assert.deepEqual(show('4'), [3, 4, undefined], 'a travel: only the two states compare');
  assert.deepEqual(show('1..3'), [1, 3, [1, 2]]);
  assert.deepEqual(show('2..5'), [2, 5, [4]]);
  assert.deepEqual(show('3..5'), [3, 5, undefined]);
  assert.deepEqual(show('4..'), [4, undefined, [4, 5]]);
  assert.deepEqual(show('..2'), [0, 2, [0, 1]]);
  assert.deepEqual(show('..'), [0, undefined, [0, 1, 4, 5]]);
  assert.deepEqual(show('2..2'), [2, 2, []]);
  assert.deepEqual(generations(range(story, '3..5').before), [0, 1, 2]);
  assert.deepEqual(generations(range(story, '3..5').after), [0, 1, 4]);
});

test('parseRange() counts from the base of the present epoch', () => {
  const story = 'P . K . P .';
  for (const text of ['all', '0..', '1..', '..']) assert.deepEqual(generations(range(story, text).after), [1, 2]);
  assert.deepEqual(generations(range(story, '2').between ?? []), [1]);
});

test('parseRange() says what is wrong with a range', () => {
  const cases: [string, string, string][] = [
    ['P P', 'x', '`x` is not a generation'],
    ['P P', '-1', '`-1` is not a generation'],
    ['P P', '1...2', '`.2` is not a generation'],
    ['P P', '1e0', '`1e0` is not a generation'],
    ['P P', '', '`` is not a generation'],
    ['P P', '9', 'generation 9 does not exist'],
    ['P P', '..9', 'generation 9 does not exist'],
    ['P P', '2..1', 'generation 2 comes after 1'],
    ['P P', '0', 'generation 0 is the base: it captured nothing'],
    ['P P K P', '2', 'generation 2 is the base: it captured nothing'],
    ['P P K P', '1', 'generation 1 was committed: it is part of the base now'],
    ['P K P P A P', '2..', 'generation 2 was aborted'],
  ];
  for (const [story, text, error] of cases) assert.deepEqual(parseRange(text, timeline(story)), { error }, text);
  assert.equal(parseGeneration('0', timeline('P K P')), 1);
});
