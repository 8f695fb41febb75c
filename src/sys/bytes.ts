/**
 * Byte strings and branded numbers used on every floor.
 *
 * A name in a Linux file system is bytes, not text. We keep such bytes in a JavaScript string with one
 * code unit (0-255) a byte ("latin1"): compact, comparable, usable as a Map key, and lossless. The brands
 * keep these strings apart from text meant for people; `label()` is the only way from one to the other.
 */

/** One path component, one byte a code unit. Never empty, never `.` or `..`, contains no `/` and no NUL. */
export type Name = string & { readonly __brand: 'Name' };

/** An absolute path, one byte a code unit, normalised: starts with `/`, no trailing `/` (except the root itself). */
export type BytePath = string & { readonly __brand: 'BytePath' };

/** The number given to the kernel for one inode of the view; 1 is the root. */
export type NodeId = number & { readonly __brand: 'NodeId' };

/** The inode number reported by stat; stable across copy-up and restarts. */
export type Ino = number & { readonly __brand: 'Ino' };

/** A content file in the store; 0 = none. */
export type ObjectId = number & { readonly __brand: 'ObjectId' };

/** Number of a snapshot or travel marker; the state being written now belongs to the current generation. */
export type Gen = number & { readonly __brand: 'Gen' };

export const ROOT = '/' as BytePath;

/** Joins a directory and a component without a double slash at the root. */
export function join(dir: BytePath, name: Name): BytePath {
  return (dir === '/' ? `/${name}` : `${dir}/${name}`) as BytePath;
}

/** Splits a path into its parent and last component; the root has none and returns undefined. */
export function splitPath(path: BytePath): { dir: BytePath; name: Name } | undefined {
  const slash = path.lastIndexOf('/');
  if (path.length <= 1) return undefined;
  return { dir: (slash === 0 ? '/' : path.slice(0, slash)) as BytePath, name: path.slice(slash + 1) as Name };
}

/** The components of a path, none for the root. */
export function components(path: BytePath): Name[] {
  return path.length <= 1 ? [] : (path.slice(1).split('/') as Name[]);
}

/** Whether `path` is `dir` or lies below it. */
export function isWithin(path: BytePath, dir: BytePath): boolean {
  return dir === '/' || path === dir || (path.startsWith(dir) && path.charCodeAt(dir.length) === 47);
}

/** Text (UTF-16, e.g. from argv or node:path) to bytes. */
export function toBytes(text: string): string {
  // Nearly every path; ten thousand of them take a millisecond.
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** A name or path as Node takes it; what is no UTF-8 in it is lost. */
export function toText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** An absolute, already normalised path given as text. */
export function toBytePath(text: string): BytePath {
  return toBytes(text) as BytePath;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Bytes to text for people and JSON: valid UTF-8 is decoded, other bytes and control characters are written as `\xNN`
 * or `\uNNNN`, so that a name can neither garble a terminal nor forge a line. Different names have different labels: a
 * backslash that would look like the start of such an escape is written as one.
 */
export function label(bytes: string): string {
  // Nearly every name; a `status` of 100,000 is a tenth faster for it.
  if (/^[\x20-\x5b\x5d-\x7e]*$/.test(bytes)) return bytes;
  let text: string;
  try {
    text = utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return escapeControls(bytes).replace(/[\x80-\xff]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`);
  }
  return escapeControls(text).replace(
    // Also what turns the direction of text, ends a line, or is read by programs and shown to nobody.
    /[\x80-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\udb40[\udc00-\udc7f]/g,
    (c) => c.split('').map(escapeUnit).join(''),
  );
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function escapeControls(text: string): string {
  return oneLine(text.replace(/\\(?=x[0-9a-f]{2}|u[0-9a-f]{4})/g, '\\x5c'));
}

/** Text with its control characters written as `\xNN`, of a message that may name what a label was not made of. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  return text.replace(/[\x00-\x1f\x7f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
