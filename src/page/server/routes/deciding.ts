/** POST /api/decide, /api/note, /api/plan, /api/commit, /api/abort, /api/undo: what the person says, and what becomes of it. */
import { noteDecision } from '../../../agents/decisions.ts';
import { showPath, viewpointOf } from '../../../agents/show-path.ts';
import { quoteName } from '../../../agents/summary-lines.ts';
import { isWithin } from '../../../sys/bytes.ts';
import type { Choice, DecideReply, Decision } from '../../protocol.ts';
import { type Fields, isNumber, numberIn, numbersIn, textIn, textsIn, wrong } from '../http/body.ts';
import type { Answer, Call } from '../http/routes.ts';
import type { ModelEntry } from '../model/entry.ts';
import { GROUPS, type Model } from '../model/model.ts';
import type { PageState } from '../state.ts';

const LONGEST_NOTE = 2000;

export async function decide(state: PageState, { body }: Call): Promise<Answer> {
  const model = await state.model();
  const version = numberIn(body, 'version');
  const decision = decisionIn(body);
  const { targets } = body;
  if (!Array.isArray(targets)) throw wrong('targets');
  const outdated: string[] = [];
  const whole: ModelEntry[] = [];
  const parts: { readonly entry: ModelEntry; readonly given: Given }[] = [];
  for (const target of targets) {
    const { entries, given, id } = targetOf(target, model);
    const seen = entries.filter(({ since }) => since <= version);
    if (seen.length < entries.length || entries.length === 0) outdated.push(...missed(entries, version, id));
    if (given === undefined) whole.push(...seen);
    else for (const entry of seen) parts.push({ entry, given });
  }
  const facts = whole.length + parts.length === 0 ? undefined : state.factsOf(model);
  if (facts !== undefined) {
    state.decisions.decide(whole, decision, facts);
    for (const { entry, given } of parts) {
      if (!state.decisions.decidePart(entry, given, decision, facts)) outdated.push(entry.id);
    }
  }
  return { json: replyOf(state, model, [...whole, ...parts.map(({ entry }) => entry)], outdated) };
}

function missed(entries: readonly ModelEntry[], version: number, id: string | undefined): string[] {
  return entries.length === 0 ? [id ?? ''] : entries.filter(({ since }) => since > version).map((entry) => entry.id);
}

/** Of more entries than these the page asks anew. */
const MOST_TOLD = 5000;

function replyOf(
  state: PageState,
  model: Model,
  named: readonly ModelEntry[],
  outdated: readonly string[],
): DecideReply {
  const counts = state.decisions.countsOf(model.entries.values());
  const choices = named
    .slice(0, MOST_TOLD)
    .map((entry): [string, Choice] => [entry.id, state.decisions.choiceOf(entry)]);
  state.stream.send({ event: 'decided', counts });
  return { counts, groups: state.choicesOfGroups(model), entries: Object.fromEntries(choices), outdated };
}

function decisionIn(body: Fields): Decision {
  const { decision } = body;
  if (decision !== 'take' && decision !== 'leave' && decision !== 'reject') throw wrong('decision');
  return decision;
}

type Given = ReadonlyMap<string, readonly number[] | 'all'>;

interface Meant {
  readonly entries: readonly ModelEntry[];
  /** Keys, where not all of an entry is meant. */
  readonly given?: Given;
  readonly id?: string;
}

/** Throws a Rejection. */
function targetOf(target: unknown, model: Model): Meant {
  if (typeof target !== 'object' || target === null) throw wrong('targets');
  const fields = target as Fields;
  if (fields.group !== undefined) {
    const group = GROUPS.find((name) => name === fields.group);
    if (group === undefined) throw wrong('group');
    return { entries: model.of(group), id: group };
  }
  const id = textIn(fields, 'id', 100);
  const entry = model.entries.get(id);
  if (entry === undefined) return { entries: [], id };
  if (fields.keys !== undefined)
    return { entries: [entry], given: new Map(textsIn(fields, 'keys').map((key) => [key, 'all'])) };
  if (fields.key === undefined) return { entries: withBelow(entry, model) };
  const lines = numbersIn(fields, 'lines');
  return { entries: [entry], given: new Map([[textIn(fields, 'key', 100), lines]]) };
}

/** A directory that came or went is decided with all that is below it. */
function withBelow(entry: ModelEntry, model: Model): readonly ModelEntry[] {
  const { change } = entry;
  if (change.type !== 'directory' || change.change === 'metadata' || change.change === 'renamed') return [entry];
  return [...model.entries.values()].filter((one) => isWithin(one.change.path, change.path));
}

/** To the agent, as the person's words. */
export async function note(state: PageState, { body }: Call): Promise<Answer> {
  const model = await state.model();
  const { change } = state.entryOf(model, textIn(body, 'id', 100));
  const text = textIn(body, 'text', LONGEST_NOTE).trim();
  if (text === '' || (body.line !== undefined && !isNumber(body.line))) throw wrong('text');
  const { project } = state.host.layout;
  const path = quoteName(showPath(change.path, viewpointOf(project, project), change.type));
  const where = body.line === undefined ? path : `${path}, line ${body.line}`;
  noteDecision(state.host.layout, `the person says of ${where}: ${text}`);
  return {};
}
