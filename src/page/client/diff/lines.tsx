/** The lines of a hunk, one below the other or the old beside the new. */
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Token } from '../highlight/messages.ts';
import { Shown } from '../text/shown.tsx';
import { visible } from '../text/visible.ts';
import { size } from '../text/words.ts';
import type { HunkContext } from './context.ts';
import { LineChoice } from './line-choice.tsx';
import { NoteForm } from './note.tsx';
import { type Line, type Pair, pairsOf } from './rows.ts';
import { LONGEST, spansOf } from './spans.ts';

export function UnifiedLines(context: HunkContext): VNode {
  const places = usePlaces(context);
  const { commands } = context;
  return (
    <div class={`lines unified${commands === undefined ? '' : ' with-commands'}`}>
      {context.lines.map((line, index) => (
        <WithNote key={keyOf(line)} context={context} line={line}>
          {(onNote) => (
            <div class={`line ${kindOf(line)}`}>
              <Margin context={context} line={line} before={context.lines[index - 1]} />
              <LineNumber side="old" line={line} onNote={line.side === 'old' ? onNote : undefined} />
              <LineNumber side="new" line={line} onNote={onNote} />
              <LineChoice context={context} line={line} />
              <Code line={line} tokens={tokensOf(line, places)} />
            </div>
          )}
        </WithNote>
      ))}
    </div>
  );
}

export function SplitLines(context: HunkContext): VNode {
  const places = usePlaces(context);
  const pairs = useMemo(() => pairsOf(context.lines), [context.lines]);
  const half = (line: Line | undefined, side: 'old' | 'new', onNote?: () => void): VNode =>
    line === undefined ? (
      <div class="half nothing" />
    ) : (
      <div class={`half ${kindOf(line)}`}>
        <LineNumber side={side} line={line} onNote={onNote} />
        {line.side !== 'both' || side === 'new' ? (
          <LineChoice context={context} line={line} />
        ) : (
          <span class="sign-cell" />
        )}
        <Code line={line} tokens={tokensOf(line, places, side)} />
      </div>
    );
  return (
    <div class={`lines split${context.commands === undefined ? '' : ' with-commands'}`}>
      {pairs.map(({ old, new: now }, index) => (
        <WithNote key={`${keyOf(old)} ${keyOf(now)}`} context={context} line={now ?? old}>
          {(onNote) => (
            <div class="line">
              <Margin context={context} line={now} before={newOf(pairs[index - 1])} />
              {half(old, 'old', now === undefined ? onNote : undefined)}
              {half(now, 'new', onNote)}
            </div>
          )}
        </WithNote>
      ))}
    </div>
  );
}

function newOf(pair: Pair | undefined): Line | undefined {
  return pair?.new;
}

interface WithNoteProps {
  readonly context: HunkContext;
  readonly line: Line | undefined;
  readonly children: (onNote: (() => void) | undefined) => VNode;
}

/** A line, and below it the form for a note on it. */
function WithNote({ context, line, children }: WithNoteProps): VNode {
  const [isNoting, setNoting] = useState(false);
  const number = line?.new ?? line?.old;
  return (
    <>
      {children(context.canNote ? () => setNoting(true) : undefined)}
      {isNoting && number !== undefined && <NoteForm id={context.id} line={number} onDone={() => setNoting(false)} />}
    </>
  );
}

interface LineNumberProps {
  readonly side: 'old' | 'new';
  readonly line: Line;
  readonly onNote?: (() => void) | undefined;
}

/** A click on it opens a note. */
function LineNumber({ side, line, onNote }: LineNumberProps): VNode {
  const number = side === 'old' ? line.old : line.new;
  if (onNote === undefined || number === undefined) return <span class="number">{number ?? ''}</span>;
  return <NoteButton number={number} onNote={onNote} />;
}

function NoteButton({ number, onNote }: { readonly number: number; readonly onNote: () => void }): VNode {
  return (
    <button type="button" class="number" tabIndex={-1} aria-label={`Note on line ${number}`} onClick={onNote}>
      {number}
    </button>
  );
}

function Margin({
  context,
  line,
  before,
}: {
  readonly context: HunkContext;
  readonly line: Line | undefined;
  readonly before: Line | undefined;
}): VNode | null {
  const { commands } = context;
  if (commands === undefined) return null;
  const command = line?.new === undefined ? undefined : commands(line.new);
  const isSame = command !== undefined && before?.new !== undefined && commands(before.new) === command;
  return (
    <span
      class={`margin${command === undefined ? '' : ' written'}`}
      title={command === undefined ? '' : visible(command)}
    >
      {command !== undefined && !isSame && <Shown text={command} />}
    </span>
  );
}

function Code({ line, tokens }: { readonly line: Line; readonly tokens: readonly Token[] }): VNode {
  const spans = spansOf(line.text, tokens, line.marks ?? []);
  const rest = Math.max(0, line.text.length - LONGEST) + (line.missing ?? 0);
  return (
    <code class="code">
      {spans.map(({ text, kind }, index) =>
        kind === '' ? (
          text
        ) : (
          <span key={index} class={kind}>
            {text}
          </span>
        ),
      )}
      {rest > 0 && <span class="sign"> … {size(rest)} more</span>}
      {line.endsOpen === true && <span class="sign"> no newline at the end</span>}
    </code>
  );
}

function kindOf({ side, isSpaceOnly }: Line): string {
  const kind = side === 'both' ? 'same' : side === 'old' ? 'removed' : 'added';
  return isSpaceOnly === true ? `${kind} space-only` : kind;
}

function keyOf(line: Line | undefined): string {
  return line === undefined ? '' : `${line.old ?? ''}:${line.new ?? ''}`;
}

interface Places {
  readonly old: ReadonlyMap<Line, readonly Token[]>;
  readonly new: ReadonlyMap<Line, readonly Token[]>;
}

/** The colours of each line: they were found for each side by itself. */
function usePlaces({ colours, lines }: HunkContext): Places {
  return useMemo(
    () => ({ old: byNumber(lines, colours, 'old'), new: byNumber(lines, colours, 'new') }),
    [lines, colours],
  );
}

function byNumber(
  lines: readonly Line[],
  colours: HunkContext['colours'],
  side: 'old' | 'new',
): ReadonlyMap<Line, readonly Token[]> {
  const found = colours[side];
  const own = lines.filter((line) => line[side] !== undefined);
  const start = colours.firsts?.[side] ?? own[0]?.[side] ?? 0;
  return new Map(found === undefined ? [] : own.map((line) => [line, found[(line[side] ?? 0) - start] ?? []]));
}

function tokensOf(
  line: Line,
  places: Places,
  side: 'old' | 'new' = line.side === 'old' ? 'old' : 'new',
): readonly Token[] {
  return places[side].get(line) ?? [];
}
