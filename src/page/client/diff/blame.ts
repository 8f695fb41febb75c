/** Which command wrote a line, for the margin. */
import { useMemo } from 'preact/hooks';
import type { BlameReply } from '../../protocol.ts';
import { useLoaded } from '../state/load.ts';
import { usePart } from '../state/store.ts';

/** The command by the number of a line of the new side; undefined: it was there before. */
export type Commands = (line: number) => string | undefined;

/** Undefined while the margin is not shown, or nothing is known. */
export function useCommands(id: string | undefined): Commands | undefined {
  const isShown = usePart(({ settings }) => settings.blame);
  const wanted = isShown ? id : undefined;
  const { reply } = useLoaded<BlameReply>(wanted ?? '', wanted === undefined ? undefined : 'blame', { id: wanted });
  return useMemo(() => {
    if (reply === undefined || wanted === undefined) return undefined;
    return (line) => {
      const range = reply.ranges.find(({ start, count }) => line >= start && line < start + count);
      return range === undefined ? undefined : (range.command ?? `snapshot ${range.generation}`);
    };
  }, [reply, wanted]);
}
