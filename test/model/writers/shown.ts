/** What something that is open, mapped or named in the view may show, by its story. */
import type { Story } from './story.ts';

/** What is open (undefined: it cannot be read), and what is written by another name, of which no event tells, has the size that the kernel believes. */
export function mayShow(story: Story, isExact: boolean, seen: string | undefined): boolean {
  if (isExact) return story.explains(seen, 'any version');
  return seen === undefined || isCutTo(story, seen);
}

/**
 * Beyond the end of the file a mapping shows zeros, and up to `poked` what was written to it there, until the kernel writes the page back
 * (mmap(2)).
 */
export function isMapped(story: Story, poked: number, seen: string | undefined): boolean {
  if (seen === undefined) return true;
  for (const content of story.contents('any version', seen)) {
    const shown = (content ?? '').slice(0, seen.length);
    const beyond = seen.slice(shown.length);
    const written = Math.max(0, poked - shown.length);
    if (seen.startsWith(shown) && /^[v0-9a-z.\0]*$/.test(beyond) && /^\0*$/.test(beyond.slice(written))) return true;
  }
  return false;
}

/** Beyond the end of the file it is zero. */
function isCutTo(story: Story, seen: string): boolean {
  for (const content of story.contents('any version', seen)) {
    if ((content ?? '').slice(0, seen.length).padEnd(seen.length, '\0') === seen) return true;
  }
  return false;
}

/** A content as runs of patterns: `H3. x 40`. */
export function pieces(content: string | undefined): string {
  if (content === undefined) return 'nothing';
  const runs: { tag: string; length: number }[] = [];
  for (const [tag] of content.matchAll(/[Hv][0-9a-z]*\.?|\0+|./gs)) {
    const last = runs.at(-1);
    if (last?.tag === tag) last.length += 1;
    else
      runs.push({
        tag: tag.startsWith('\0') ? `${tag.length} zeros` : tag,
        length: 1,
      });
  }
  return `${content.length} bytes: ${runs.map(({ tag, length }) => `${tag} x ${length}`).join(', ')}`.slice(0, 600);
}
