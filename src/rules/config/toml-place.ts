/** Where a key of a TOML document stands: the parser does not say, and a person wants the line. */

export interface TomlPlace {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

/**
 * The place of the key at `path` (strings are keys, numbers are elements of a list, which count as their list's key).
 * Finds `[a.b]` headers, `key =` lines and dotted keys; the nearest enclosing one for keys of inline tables.
 */
export function placeOf(text: string, path: readonly (string | number)[]): TomlPlace {
  const keys = path.filter((key) => typeof key === 'string');
  const element = path.find((key) => typeof key === 'number');
  let table: readonly string[] = [];
  let best: TomlPlace = { line: 1, column: 1 };
  let bestLength = 0;
  for (const [index, content] of text.split('\n').entries()) {
    const header = /^\s*\[\[?([^\]]*)\]/.exec(content);
    if (header !== null) table = splitKey(header[1] ?? '');
    const assigned = header === null ? /^\s*((?:"[^"]*"|'[^']*'|[\w.-]|\s*\.\s*)+?)\s*=/.exec(content) : null;
    const here = assigned === null ? table : [...table, ...splitKey(assigned[1] ?? '')];
    if (header === null && assigned === null) continue;
    const shared = sharedLength(here, keys);
    if (shared <= bestLength || shared < here.length) continue;
    bestLength = shared;
    best = { line: index + 1, column: content.search(/[^\s[]/) + 1 };
  }
  return element === undefined || bestLength < keys.length ? best : placeOfElement(text, best, element);
}

/**
 * The places of the keys of one table, all at one go: of a table with many, each by itself takes too long. A key that is
 * written with escapes may be missing.
 */
export function placesIn(text: string, table: string): ReadonlyMap<string, TomlPlace> {
  const places = new Map<string, TomlPlace>();
  let isInside = false;
  for (const [index, content] of text.split('\n').entries()) {
    const header = /^\s*\[\[?([^\]]*)\]/.exec(content);
    if (header !== null) isInside = (header[1] ?? '').trim() === table;
    const key = isInside ? /^\s*(?:"([^"\\]*)"|'([^']*)'|([\w-]+))\s*=/.exec(content) : null;
    const name = key?.[1] ?? key?.[2] ?? key?.[3];
    if (name !== undefined && !places.has(name)) {
      places.set(name, { line: index + 1, column: content.search(/\S/) + 1 });
    }
  }
  return places;
}

/** The line of a list's element, when the list has one element a line. */
function placeOfElement(text: string, list: TomlPlace, element: number): TomlPlace {
  const rest = text.split('\n').slice(list.line);
  const lines = rest.slice(0, Math.max(0, rest.findIndex((content) => content.includes(']')) + 1));
  const elements = lines.flatMap((content, i) => (/^\s*["']/.test(content) ? [{ content, i }] : []));
  const found = elements[element];
  if (found === undefined) return list;
  return { line: list.line + 1 + found.i, column: found.content.search(/\S/) + 1 };
}

function splitKey(key: string): string[] {
  const parts = key.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? [];
  return parts.map((part) => part.replace(/^["']|["']$/g, ''));
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
