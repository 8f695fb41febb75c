/** The tree of a JSON text that may have comments and trailing commas, with the place of each value. */
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { tooDeepAt } from '../../sys/text/nesting.ts';
import { ConfigError, type UserError } from '../../sys/user-error.ts';

export type { Node };
export type JsonObject = { readonly [key: string]: unknown };

/**
 * The tree of `text`; undefined for one of blanks only. `file` is what messages call it. Throws a UserError that begins
 * `file:line:column` for a text that is no JSON, is no object, or says the same key of an object twice.
 */
export function parseJson(text: string, file: string): Node | undefined {
  if (text.trim() === '') return undefined;
  const deep = tooDeepAt(text);
  if (deep !== undefined) throw refusal({ text, file, at: deep }, 'nested too deep');
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) throw refusal({ text, file, at: error.offset }, wordsOf(error));
  if (root?.type !== 'object') throw refusal({ text, file, at: root?.offset ?? 0 }, 'not an object');
  const twice = repeatedKey(root);
  if (twice !== undefined) throw refusal({ text, file, at: twice.offset }, `the key "${twice.value}" is there twice`);
  return root;
}

/** A place in a file that cannot be dealt with, as an error for a person. */
export function refusal(place: { text: string; file: string; at: number }, why: string): UserError {
  const before = place.text.slice(0, place.at).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return new ConfigError(
    `${place.file}:${before.length}:${column}: ${why}`,
    'nothing was changed; mend the file first',
  );
}

/** The value of an object's key; undefined when it has none such. */
export function valueAt(object: Node, key: string): Node | undefined {
  return propertyOf(object, key)?.children?.[1];
}

/** The property with this key. */
export function propertyOf(object: Node, key: string): Node | undefined {
  if (object.type !== 'object') return undefined;
  return object.children?.find((property) => property.children?.[0]?.value === key);
}

/** What a node says, as a plain value. */
export function plain(node: Node | undefined): unknown {
  return node === undefined ? undefined : (getNodeValue(node) as unknown);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two plain values say the same; the order of keys does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, i) => isSame(one, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

function wordsOf({ error }: ParseError): string {
  const words = printParseErrorCode(error).replace(/([a-z])([A-Z])/g, '$1 $2');
  return `this is not JSON: ${words.toLowerCase()}`;
}

/** The second of two keys that are the same: parsers differ in which of them counts. */
function repeatedKey(node: Node): Node | undefined {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const key = child.type === 'property' ? child.children?.[0] : undefined;
    if (key !== undefined && seen.has(key.value)) return key;
    if (key !== undefined) seen.add(key.value);
    const below = repeatedKey(child);
    if (below !== undefined) return below;
  }
  return undefined;
}

/** What plain JSON says at a path of keys; undefined where there is nothing, or no JSON. */
export function fieldAt(text: string, keys: readonly string[]): unknown {
  const root = parseTree(text);
  return plain(root && findNodeAtLocation(root, [...keys]));
}
