/** Keeps what the page knows in step with the session: reads it, hears of changes, sends decisions. */
import type {
  DecideReply,
  Decision,
  EntriesReply,
  GroupName,
  QuestionsReply,
  ReviewReply,
  ShownEntry,
  StreamEvent,
  Target,
} from '../../protocol.ts';
import { keepTree, Tree } from '../list/directories.ts';
import { visible } from '../text/visible.ts';
import { isOpenAtFirst } from '../text/words.ts';
import { ApiError, get, keyedAddressOf, logIn, post } from './api.ts';
import { fail, tell } from './messages.ts';
import { takeToken, watchAddress } from './place.ts';
import { current, update } from './store.ts';

const PAGE = 5000;
/** In one request. */
const MOST_TARGETS = 100_000;
/** The server names no more of what was decided. */
const MOST_TOLD = 5000;

/** Logs in where the address says so, reads all, and listens from then on. */
export async function start(): Promise<void> {
  try {
    const token = takeToken();
    if (token !== undefined) await logIn(token);
    watchAddress();
    await read();
    listen();
    await countQuestions().catch(fail);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    update({ ended: error.failure });
  }
}

let reading: Promise<void> | undefined;
let again = false;

/** Reads the review anew; asked for meanwhile, once more afterwards. */
export function read(): Promise<void> {
  if (reading !== undefined) {
    again = true;
    return reading;
  }
  reading = readOnce().finally(() => {
    reading = undefined;
    if (!again) return;
    again = false;
    void read().catch(fail);
  });
  return reading;
}

async function readOnce(): Promise<void> {
  const isForced = isOutdated;
  isOutdated = false;
  const review = await get<ReviewReply>('review', current().review?.isPartial === true ? { whole: 1 } : {});
  if (current().review?.version === review.version && !isForced) {
    update({ review });
    return;
  }
  if (review.fallen.length > 0) {
    const paths = review.fallen.map(({ path }) => visible(path));
    tell('failed', 'Changed meanwhile, decide again:', paths);
  }
  const first = new Map<GroupName, ShownEntry[]>(review.groups.map(({ name }) => [name, []]));
  for (const entry of review.entries) first.get(entry.group)?.push(entry);
  const known = current().entries;
  const toLoad = review.groups.filter(({ name, count }) => {
    const isShown = isOpenAtFirst(name) || (known.get(name) ?? []).length > 0;
    return isShown && (first.get(name) ?? []).length < count;
  });
  // Until the rest of a large group is read anew, what was known of it stays in sight.
  const entries = new Map<GroupName, readonly ShownEntry[]>(first);
  for (const { name } of toLoad) entries.set(name, longer(first.get(name) ?? [], known.get(name) ?? []));
  update({ review, entries, choices: new Map() });
  if (review.isPartial === true) {
    isOutdated = true;
    again = true;
    return;
  }
  for (const { name } of toLoad) await loadGroup(name, first.get(name));
}

function longer(one: readonly ShownEntry[], other: readonly ShownEntry[]): readonly ShownEntry[] {
  return other.length > one.length ? other : one;
}

/** Set where the choices of the entries are others, and no version says so. */
let isOutdated = false;

/** Reads the entries of a group, and shows them when all are there; their tree grows meanwhile, as to make it at once would take long. */
export async function loadGroup(group: GroupName, first: readonly ShownEntry[] = []): Promise<void> {
  const { version, project = '' } = current().review ?? {};
  const entries = [...first];
  const tree = new Tree(project);
  tree.add(first);
  for (;;) {
    const page = await get<EntriesReply>('entries', { group, from: entries.length, count: PAGE });
    if (page.version !== version || current().review?.version !== version) return;
    entries.push(...page.entries);
    tree.add(page.entries);
    if (entries.length < page.total && page.entries.length > 0) continue;
    keepTree(entries, tree);
    update({ entries: new Map(current().entries).set(group, entries) });
    return;
  }
}

function listen(): void {
  const stream = new EventSource(keyedAddressOf('stream'));
  const on = <E extends StreamEvent['event']>(
    name: E,
    act: (event: Extract<StreamEvent, { event: E }>) => void,
  ): void =>
    stream.addEventListener(name, ({ data }: MessageEvent<string>) =>
      act(JSON.parse(data) as Extract<StreamEvent, { event: E }>),
    );
  const readAnew = (): void => {
    update({ round: current().round + 1 });
    void read().catch(fail);
  };
  on('changed', readAnew);
  const readAllAnew = (): void => {
    isOutdated = true;
    readAnew();
  };
  on('decided', readAllAnew);
  on('reload', readAllAnew);
  on('questions', ({ count }) => update({ questions: count, round: current().round + 1 }));
  on('progress', ({ what, done, total }) => update({ progress: done >= total ? undefined : { what, done, total } }));
}

async function countQuestions(): Promise<void> {
  const { questions, wishes } = await get<QuestionsReply>('questions');
  update({ questions: questions.length + wishes.length });
}

/** Sends a decision, and shows what it has come to. */
export async function decide(targets: readonly Target[], decision: Decision): Promise<void> {
  const { review } = current();
  if (review === undefined) return;
  try {
    let isTold = !targets.some((target) => 'group' in target);
    for (let from = 0; from < targets.length; from += MOST_TARGETS) {
      const some = targets.slice(from, from + MOST_TARGETS);
      const reply = await post<DecideReply>('decide', { version: review.version, targets: some, decision });
      showDecided(reply);
      isTold &&= Object.keys(reply.entries).length < MOST_TOLD;
      if (reply.outdated.length === 0) continue;
      tell('failed', 'That has changed meanwhile: look at it again.');
      await read();
    }
    if (!isTold) await readAll();
  } catch (error) {
    fail(error);
  }
}

function showDecided(reply: DecideReply): void {
  const { review } = current();
  if (review === undefined) return;
  const isAnother = review.groups.some(({ name, choice }) => (reply.groups[name] ?? choice) !== choice);
  const groups = isAnother
    ? review.groups.map((group) => ({ ...group, choice: reply.groups[group.name] ?? group.choice }))
    : review.groups;
  const choices = new Map([...current().choices, ...Object.entries(reply.entries)]);
  update({ review: { ...review, groups, counts: reply.counts }, choices, round: current().round + 1 });
}

/** Reads the choices of all entries, too. */
function readAll(): Promise<void> {
  isOutdated = true;
  return read();
}
