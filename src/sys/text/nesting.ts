/**
 * How deep something that somebody else has written is nested. JSON.parse takes any depth; what goes through a value by recursion
 * (JSON.stringify, isDeepStrictEqual, the parser of JSON with comments) runs out of stack at some thousand levels.
 */

/** More than any file has that people or tools write. */
const MOST_LEVELS = 200;

/** Whether a parsed value has objects and lists in one another more than 200 deep. */
export function isNestedTooDeep(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNestedTooDeep(member, levels - 1));
}

/** Where in JSON, with comments or without, objects and lists begin to be so; undefined: nowhere. */
export function tooDeepAt(text: string): number | undefined {
  let level = 0;
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[{}[\]]/g)) {
    if (token === '{' || token === '[') level += 1;
    else if (token === '}' || token === ']') level -= 1;
    if (level > MOST_LEVELS) return index;
  }
  return undefined;
}
