/** A hunk: its lines, the command behind it, and what is decided of it and of its lines. */
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Choice, Decision, FileReply, ShownHunk } from '../../protocol.ts';
import { highlight, type Lines } from '../highlight/highlighter.ts';
import { Choose } from '../parts/choose.tsx';
import { decide } from '../state/session.ts';
import { usePart } from '../state/store.ts';
import { Shown } from '../text/shown.tsx';
import { visible } from '../text/visible.ts';
import { count } from '../text/words.ts';
import type { Commands } from './blame.ts';
import type { Colours, HunkContext } from './context.ts';
import { SplitLines, UnifiedLines } from './lines.tsx';
import { type Line, linesOf } from './rows.ts';

export interface HunkProps {
  readonly hunk: ShownHunk;
  readonly reply: FileReply;
  readonly isFixed: boolean;
  readonly commands: Commands | undefined;
}

export function HunkView({ hunk, reply, isFixed, commands }: HunkProps): VNode {
  const { split, ignoreSpace, wrap } = usePart(({ settings }) => settings);
  // Of a file that came or went one side would be empty.
  const isSplit = usePart(({ isWide }) => isWide) && split && hunk.oldLines > 0 && hunk.newLines > 0;
  const all = useMemo(() => linesOf(textOf(hunk)), [hunk]);
  const lines = useMemo(() => (ignoreSpace ? withoutSpaceChanges(all) : all), [all, ignoreSpace]);
  const colours = useColours(reply.entry.path, all);
  const { id } = reply.entry;
  const { key, index } = hunk;
  const number = `${index + 1} of ${reply.hunkCount}`;
  const canChoose = key !== undefined && !isFixed;
  const context: HunkContext = {
    ...{ id, lines, colours, commands, canNote: !isFixed },
    choiceOf: (line) => choiceOf(hunk, line),
    onDecide: !canChoose || isUncounted(hunk) ? undefined : (line, decision) => decideLine(id, key, line, decision),
  };
  const hidden = all.length - lines.length;
  return (
    <section
      class={`hunk hunk-${hunk.choice} ${wrap ? 'wrap' : 'no-wrap'}`}
      id={`hunk-${index}`}
      data-hunk={canChoose ? key : undefined}
      tabIndex={-1}
      aria-label={`Hunk ${number}`}
    >
      <header class="hunk-head">
        <span class="where">
          <span class="hunk-number">{number}</span> {whereOf(hunk)}
          {hidden > 0 && ` · ${count(hidden, 'line')} differ only in white space`}
        </span>
        {hunk.command !== undefined && (
          <code class="command" title={visible(hunk.command)}>
            $ <Shown text={hunk.command} />
          </code>
        )}
        {canChoose && (
          <Choose
            isSmall
            label={`Decide about hunk ${number}`}
            choice={hunk.choice}
            onDecide={(decision) => void decide([{ id, keys: [key] }], decision)}
          />
        )}
      </header>
      {isSplit ? <SplitLines {...context} /> : <UnifiedLines {...context} />}
    </section>
  );
}

function textOf(hunk: ShownHunk): Parameters<typeof linesOf>[0] {
  const { oldAt, newAt, changedBefore } = hunk;
  return {
    oldStart: oldAt ?? hunk.oldStart,
    newStart: newAt ?? hunk.newStart,
    changedBefore: changedBefore ?? 0,
    lines: hunk.lines,
    cut: hunk.cut,
  };
}

function isUncounted({ first, changedBefore }: ShownHunk): boolean {
  return first > 0 && changedBefore === undefined;
}

function whereOf({ oldStart, oldLines, newStart, newLines, first, lines, total }: ShownHunk): string {
  const part = lines.length < total ? ` · lines ${first + 1}–${first + lines.length} of ${total} of this hunk` : '';
  return `@@ −${oldStart},${oldLines} +${newStart},${newLines} @@${part}`;
}

function choiceOf({ choice, taken, rejected }: ShownHunk, { changed }: Line): Choice | undefined {
  if (changed === undefined) return undefined;
  if (choice !== 'mixed') return choice;
  if (taken?.includes(changed) === true) return 'take';
  return rejected?.includes(changed) === true ? 'reject' : 'leave';
}

function decideLine(id: string, key: string, { changed }: Line, decision: Decision): void {
  if (changed !== undefined) void decide([{ id, key, lines: [changed] }], decision);
}

/** Lines that differ only in white space become one, as it is now. */
function withoutSpaceChanges(lines: readonly Line[]): Line[] {
  return lines.filter(({ side, isSpaceOnly }) => isSpaceOnly !== true || side === 'new');
}

const NO_COLOURS: Colours = { old: undefined, new: undefined };

function useColours(path: string, lines: readonly Line[]): Colours {
  const [colours, setColours] = useState(NO_COLOURS);
  useEffect(() => {
    let isWanted = true;
    const side = (not: Line['side']): Promise<Lines | undefined> =>
      highlight(
        path,
        lines.filter((line) => line.side !== not).map(({ text }) => text),
      );
    void Promise.all([side('new'), side('old')]).then(([old, now]) => {
      if (!isWanted || (old === undefined && now === undefined)) return;
      const firsts = { old: firstOf(lines, 'old'), new: firstOf(lines, 'new') };
      setColours({ old, new: now, firsts });
    });
    return () => {
      isWanted = false;
    };
  }, [path, lines]);
  return colours;
}

function firstOf(lines: readonly Line[], side: 'old' | 'new'): number {
  return lines.find((line) => line[side] !== undefined)?.[side] ?? 0;
}
