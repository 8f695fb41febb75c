/** Paths as git writes them in a diff. */
import type { BytePath } from '../../../sys/bytes.ts';
import { isWithin } from '../../../sys/bytes.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const PLAIN = /^[^\x00-\x1f\x7f"\\]*$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A byte string as text, in git's C-style quotes if it has bytes that a line or a quoted string cannot hold. Valid
 * UTF-8 stays readable (git's `core.quotePath=false`), unless it would do something to a terminal.
 */
export function quote(bytes: string): string {
  const text = decode(bytes);
  if (text !== undefined && PLAIN.test(text)) return text;
  const escaped = (text ?? bytes).replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
    text === undefined ? /[\x00-\x1f"\\\x7f-\xff]/g : /[\x00-\x1f"\\\x7f]/g,
    (c) => ESCAPES[c] ?? `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${escaped}"`;
}

/** Names of a path in the places where a diff has one. */
export interface DiffName {
  /** For `diff --git` and `---`/`+++`: with `a/` or `b/` inside the project, absolute outside of it. */
  readonly prefixed: (side: 'a' | 'b') => string;
  /** For `rename from` and notes. */
  readonly plain: string;
}

export function diffName(path: BytePath, project: BytePath): DiffName {
  const inside = isWithin(path, project) && path !== project;
  if (!inside) return { prefixed: () => quote(path), plain: quote(path) };
  const relative = path.slice(project === '/' ? 1 : project.length + 1);
  return { prefixed: (side) => quote(`${side}/${relative}`), plain: quote(relative) };
}

/** The name after `---` or `+++`: one with a space ends in a tab, or a reader takes what follows for a time. */
export function fileLine(name: string): string {
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name;
}

/** The text, unless a reader's terminal would obey it: C1 controls, and what turns the direction of writing. */
function decode(bytes: string): string | undefined {
  try {
    const text = utf8.decode(Buffer.from(bytes, 'latin1'));
    return /[\x80-\x9f\u202a-\u202e\u2066-\u2069]/.test(text) ? undefined : text;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
