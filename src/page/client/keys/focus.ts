/** Which hunk and which line have the focus: what a key decides is where the focus is. */

/** The key of the hunk that has the focus, or holds what has it. */
export function focusedHunk(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-hunk]')?.dataset.hunk;
}

/** Goes to the next hunk, or to the one before; from outside to the first one in sight. */
export function focusHunk(by: 1 | -1): void {
  const hunks = [...document.querySelectorAll<HTMLElement>('.hunk')];
  const at = hunks.findIndex((hunk) => hunk.contains(document.activeElement));
  const next = at === -1 ? hunks.find((hunk) => hunk.getBoundingClientRect().bottom > 120) : hunks[at + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'start' });
}

/** Goes to the next changed line of a hunk that has the focus; false where none has it. */
export function focusLine(by: 1 | -1): boolean {
  const hunk = document.activeElement?.closest<HTMLElement>('.hunk') ?? undefined;
  if (hunk === undefined) return false;
  const lines = [...document.querySelectorAll<HTMLElement>('.line-choice')];
  const inside = lines.filter((line) => hunk.contains(line));
  const at = lines.findIndex((line) => line.matches(':focus'));
  const next = at === -1 ? inside.at(by === 1 ? 0 : -1) : lines[at + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
  return inside.length > 0;
}
