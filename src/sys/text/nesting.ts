/**
 * How deep a value that somebody else has written is nested. JSON.parse takes any depth; what goes through a value by
 * recursion (JSON.stringify, isDeepStrictEqual) runs out of stack at some thousand levels.
 */

/** More than any file has that people or tools write. */
const MOST_LEVELS = 200;

/** Whether a parsed value has objects and lists in one another more than 200 deep. */
export function isNestedTooDeep(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNestedTooDeep(member, levels - 1));
}
