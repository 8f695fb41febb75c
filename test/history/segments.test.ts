import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scanned } from '../../src/history/log/journal.ts';
import { parseGeneration, parseRange } from '../../src/history/timeline/ranges.ts';
import {
  buildTimeline,
  currentEpoch,
  currentGeneration,
  liveMarkers,
  liveRuns,
  liveSegments,
  type Marker,
  type Segment,
  segmentsOf,
  type Timeline,
} from '../../src/history/timeline/segments.ts';
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

test('the state of a travel that carries something along is that of the snapshot after it', () => {
  const story = currentEpoch(timeline('P K . P T1 . P . T2 .'));
  const carrying = (marker: Marker): Marker => ({ ...marker, carried: marker.generation === 3 });
  const epoch = { ...story, markers: story.markers.map(carrying) };
  const at = (generation?: number): number[] => generations(liveSegments(epoch, generation as Gen | undefined));
  assert.deepEqual([at(2), at(3), at(4)], [[1], [3], [3]]);
  assert.deepEqual(at(), [1, 5]);
  const back = { ...epoch, markers: epoch.markers.map((m) => (m.generation === 5 ? { ...m, target: 3 as Gen } : m)) };
  assert.deepEqual(generations(liveSegments(back)), [3, 5], 'also for a travel back to it');
  assert.deepEqual([...liveMarkers(back)].sort(), [3, 4, 5]);
});

test('liveMarkers() are those on the way to the present', () => {
  const cases: [string, number[]][] = [
    ['P . P . P T2 . P', [1, 2, 4, 5]],
    ['P . P . T1 .', [1, 3]],
    ['P P T0 . P', [3, 4]],
    ['P P T1 P T2 .', [1, 2, 5]],
    ['P P T1 P T4 .', [1, 3, 4, 5]],
    ['P P T1 P T3 .', [1, 3, 5]],
    ['P P K P T1 P', [4, 5]],
  ];
  for (const [story, live] of cases) {
    assert.deepEqual([...liveMarkers(currentEpoch(timeline(story)))].sort(), live, story);
  }
});

/** The two states of a range: each by the number of its epoch and the segments it is made of. */
function range(story: string, text: string): string {
  const all = timeline(story);
  const parsed = parseRange(text, all);
  if ('error' in parsed) return parsed.error;
  const [from, to] = [parsed.from, parsed.to].map(({ epoch, generation }) => {
    const made = generations(liveSegments(epoch, generation)).join(' ');
    return `${all.indexOf(epoch)}/${generation ?? 'now'}(${made})`;
  });
  return `${from} ${to}`;
}

test('parseRange() reads every form of cli.md', () => {
  const story = 'P . P . P T2 . P .';
  const cases: [string, string][] = [
    ['all', '0/0() 0/now(0 1 4 5)'],
    ['..', '0/0() 0/now(0 1 4 5)'],
    ['1', '0/0() 0/1(0)'],
    ['3', '0/2(0 1) 0/3(0 1 2)'],
    ['5', '0/4(0 1) 0/5(0 1 4)'],
    ['4', '0/3(0 1 2) 0/4(0 1)'],
    ['1..3', '0/1(0) 0/3(0 1 2)'],
    ['3..5', '0/3(0 1 2) 0/5(0 1 4)'],
    ['5..3', '0/5(0 1 4) 0/3(0 1 2)'],
    ['4..', '0/4(0 1) 0/now(0 1 4 5)'],
    ['..2', '0/0() 0/2(0 1)'],
    ['2..2', '0/2(0 1) 0/2(0 1)'],
    ['3..0', '0/3(0 1 2) 0/0()'],
  ];
  for (const [text, states] of cases) assert.equal(range(story, text), states, text);
});

test('D7: parseRange() takes a number for one state, whatever the other end: that of a marker, 0 for the files before any commit', () => {
  const story = 'P P K . P . P A P';
  const cases: [string, string][] = [
    ['all', '2/4() 2/now(4 5)'],
    ['0..', '0/0() 2/now(4 5)'],
    ['4..5', '1/4(2 3) 2/5(4)'],
    ['4', '1/3(2) 1/4(2 3)'],
    ['..4', '1/2() 1/4(2 3)'],
    ['3..4', '1/3(2) 1/4(2 3)'],
    ['4..3', '1/4(2 3) 1/3(2)'],
    ['2..3', '0/2(0 1) 1/3(2)'],
    ['0..3', '0/0() 1/3(2)'],
    ['3', '1/2() 1/3(2)'],
    ['2', '0/1(0) 0/2(0 1)'],
    ['0..2', '0/0() 0/2(0 1)'],
    ['2..0', '0/2(0 1) 0/0()'],
    ['0..0', '0/0() 0/0()'],
    ['..2', '0/0() 0/2(0 1)'],
    ['1..5', '0/1(0) 2/5(4)'],
    ['1..', '0/1(0) 2/now(4 5)'],
  ];
  for (const [text, states] of cases) assert.equal(range(story, text), states, text);
});

test('parseRange() knows generations by name, the latest of several', () => {
  const names = (story: string, given: Readonly<Record<number, string>>): Timeline => {
    const all = timeline(story);
    const rename = (marker: Marker): Marker => ({ ...marker, name: given[marker.generation] ?? '' });
    const [first, ...rest] = all.map((epoch) => ({ ...epoch, markers: epoch.markers.map(rename) }));
    return [first ?? currentEpoch(all), ...rest];
  };
  const show = (text: string, all: Timeline): unknown => {
    const parsed = parseRange(text, all);
    return 'error' in parsed ? parsed.error : [parsed.from.generation, parsed.to.generation];
  };
  const all = names('P P K P P P T4 P', {
    1: 'a',
    2: '7',
    3: 'a..b',
    4: 'b',
    5: 'b',
    6: 'travel',
    7: 'na\xc3\xafve\xff',
  });
  assert.deepEqual(show('a', all), [0, 1]);
  assert.deepEqual(show('a..b', all), [2, 3], 'a name with dots in it');
  assert.deepEqual(show('b', all), [4, 5]);
  assert.deepEqual(show('b..', all), [5, undefined]);
  assert.deepEqual(show('a..b..b', all), [3, 5]);
  assert.deepEqual(show('..a..b', all), [2, 3]);
  assert.deepEqual(show('7', all), [6, 7], 'a name that looks like a number is a number');
  assert.deepEqual(show('na\\xc3\\xafve\\xff', all), [6, 7], 'a name as it is printed');
  assert.equal(show('travel', all), "'travel' is neither a generation nor the name of a snapshot");
  assert.equal(show('', all), "'' is neither a generation nor the name of a snapshot");
});

test('parseRange() says what is wrong with a range', () => {
  const neither = (text: string): string => `'${text}' is neither a generation nor the name of a snapshot`;
  const cases: [string, string, string][] = [
    ['P P', 'x', neither('x')],
    ['P P', '-1', neither('-1')],
    ['P P', '1...2', neither('.2')],
    ['P P', '1e0', neither('1e0')],
    ['P P', '9', 'generation 9 does not exist'],
    ['P P', '..9', 'generation 9 does not exist'],
    ['P P', '0', 'generation 0 is the base: it captured nothing'],
  ];
  for (const [story, text, error] of cases) assert.equal(range(story, text), error, text);
  assert.equal(parseGeneration('0', timeline('P K P')), 0);
  assert.equal(parseGeneration('1', timeline('P K P')), 1);
});

test('liveRuns() are the live segments, those without anything but a marker between them as one', () => {
  const runs = (story: string, at?: number): string =>
    liveRuns(currentEpoch(timeline(story)), at as Gen | undefined)
      .map(({ start, end }) => `${start}-${end}`)
      .join(' ');
  assert.equal(runs('. P . . P .'), '100-160');
  assert.equal(runs('. P . . P .', 2), '100-140');
  assert.equal(runs('. P . P . T1 . P .'), '100-110 160-190');
  assert.equal(runs('. P . P . T1 . P .', 2), '100-130');
  assert.equal(runs('P P . T0 P .'), '140-160');
  assert.equal(runs('. K . P .'), '120-150');
});
