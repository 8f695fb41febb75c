/** The texts that a file has had on the way to what it is now, one a snapshot, and the command that made each. */
import type { Side } from '../../../history/changes.ts';
import type { Facts } from '../../../history/compare/facts.ts';
import { sideOf } from '../../../history/compare/path-change.ts';
import { inodeAt } from '../../../history/conflict/by-itself.ts';
import { Journal } from '../../../history/journal.ts';
import { readRecords } from '../../../history/replay.ts';
import { Replayer } from '../../../history/replayer.ts';
import { buildTimeline, currentEpoch, liveSegments, MARKER_TAGS } from '../../../history/segments.ts';
import { loadSide } from '../../../history/text/load.ts';
import { OverrideTree } from '../../../staging/override-tree.ts';
import type { BlameRange } from '../../protocol.ts';
import type { Opened } from '../host.ts';
import { blameRanges, type Written } from './blame.ts';
import type { ModelEntry } from './entry.ts';

/** None for what is no text. Reads all of the journal that has led to the present. */
export function blameOf({ change }: ModelEntry, opened: Opened, facts: Facts): BlameRange[] {
  const { oldSide, newSide, displaced } = change;
  const before = oldSide === undefined || displaced === true ? '' : textOf(oldSide, facts);
  if (newSide === undefined || before === undefined) return [];
  const steps = stepsOf(change.path, opened, facts);
  return steps === undefined ? [] : blameRanges(before, steps);
}

function stepsOf(path: ModelEntry['change']['path'], opened: Opened, facts: Facts): Written[] | undefined {
  const { journal } = opened.reading.session;
  const extent = { start: Journal.start, end: journal.size };
  const epoch = currentEpoch(buildTimeline(journal.scan({ only: MARKER_TAGS }), extent));
  const commands = new Map([...opened.audit(path)].map(({ generation, command }) => [generation, command]));
  const tree = new OverrideTree();
  const replayer = new Replayer(tree);
  const steps: Written[] = [];
  let last = '';
  for (const segment of liveSegments(epoch)) {
    readRecords(journal, segment, { replayer });
    const inode = inodeAt(tree, path);
    const said = inode === undefined ? '' : JSON.stringify(sideOf(inode).backing);
    if (inode === undefined || said === last) continue;
    last = said;
    const text = textOf(sideOf(inode), facts);
    const marker = epoch.markers.find(({ offset }) => offset === segment.end);
    const generation = marker?.generation ?? segment.generation;
    if (text !== undefined) steps.push({ text, generation, command: commands.get(segment.generation) });
  }
  return steps;
}

/** Undefined: there is none, or it is no text. */
function textOf(side: Side, facts: Facts): string | undefined {
  const content = loadSide(side, facts);
  return content.kind === 'text' ? content.text : undefined;
}
