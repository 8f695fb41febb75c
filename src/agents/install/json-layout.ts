/** How a JSON text is laid out, and what it takes to add a child to a container or to take one away in that manner. */
import { visit } from 'jsonc-parser';
import type { Insertion } from './insertion.ts';
import { isObject, type Node } from './json-tree.ts';

/** From the end of a container's last child (or its bracket) to the bracket that closes it. */
interface Tail {
  readonly hasComma: boolean;
  /** Where the last comma or comment ends. */
  readonly end: number;
  readonly close: number;
}

/** What one level of depth is written as. */
function unitOf(text: string): string {
  return /^\s*\{[ \t]*\r?\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** A value over several lines; lists of plain values on one. Lines after the first begin with `indent`. */
export function renderJson(value: unknown, unit: string, indent = ''): string {
  const deeper = indent + unit;
  const over = (children: readonly string[]): string =>
    `${children.map((child) => `\n${deeper}${child}`).join(',')}\n${indent}`;
  if (Array.isArray(value)) {
    if (!value.some(isObject)) return `[${value.map((one) => JSON.stringify(one)).join(', ')}]`;
    return `[${over(value.map((one) => renderJson(one, unit, deeper)))}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const properties = Object.entries(value);
  if (properties.length === 0) return '{}';
  return `{${over(properties.map(([key, one]) => `${JSON.stringify(key)}: ${renderJson(one, unit, deeper)}`))}}`;
}

/** What to insert so that `container` has one more child at its end: a property with `key`, or an element without. */
export function additionTo(text: string, container: Node, child: { key?: string; value: unknown }): Insertion[] {
  const last = container.children?.at(-1);
  const tail = tailOf(text, container, last);
  const [unit, newline] = [unitOf(text), lineEndOf(text)];
  const outer = indentAt(text, container.offset);
  const indent = last !== undefined && startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + unit;
  const name = child.key === undefined ? '' : `${JSON.stringify(child.key)}: `;
  const body = `${newline}${indent}${name}${renderJson(child.value, unit, indent).replaceAll('\n', newline)}`;
  const comma = last !== undefined && !tail.hasComma ? [{ at: endOf(last), text: ',' }] : [];
  const isOpen = text.slice(tail.end, tail.close).includes('\n');
  if (isOpen) return [...comma, { at: tail.end, text: tail.hasComma ? `${body},` : body }];
  return [...comma, { at: tail.close, text: `${body}${newline}${outer}` }];
}

/** The text without one child of `container`; comments stay. */
export function withoutChild(text: string, container: Node, child: Node): string {
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const [previous, next] = [children[index - 1], children[index + 1]];
  const comma = commaBetween(text, endOf(child), next?.offset ?? endOf(container) - 1);
  const cut = withoutPiece(text, child.offset, comma === undefined ? endOf(child) : comma + 1);
  if (next !== undefined) return cut;
  const before = comma === undefined && previous ? commaBetween(text, endOf(previous), child.offset) : undefined;
  return collapsed(before === undefined ? cut : cut.slice(0, before) + cut.slice(before + 1), container);
}

/** Whether a container holds comments of its own, outside of its children. */
export function hasComments(text: string, container: Node): boolean {
  let from = container.offset + 1;
  for (const child of [...(container.children ?? []), undefined]) {
    const to = child?.offset ?? endOf(container) - 1;
    if (marksIn(text, from, to).some(({ kind }) => kind === 'comment')) return true;
    if (child !== undefined) from = endOf(child);
  }
  return false;
}

function tailOf(text: string, container: Node, last: Node | undefined): Tail {
  const close = endOf(container) - 1;
  const start = last === undefined ? container.offset + 1 : endOf(last);
  const found = marksIn(text, start, close);
  return { hasComma: found.some(({ kind }) => kind === 'comma'), end: found.at(-1)?.end ?? start, close };
}

function commaBetween(text: string, from: number, to: number): number | undefined {
  return marksIn(text, from, to).find(({ kind }) => kind === 'comma')?.at;
}

interface Mark {
  readonly kind: 'comma' | 'comment';
  readonly at: number;
  readonly end: number;
}

/** Commas and comments of a stretch, in order. */
function marksIn(text: string, from: number, to: number): Mark[] {
  const found: Mark[] = [];
  const note = (kind: Mark['kind'], at: number, length: number): void => {
    if (at >= from && at < to) found.push({ kind, at, end: at + length });
  };
  visit(
    text,
    {
      onSeparator: (character, at, length) => character === ',' && note('comma', at, length),
      onComment: (at, length) => note('comment', at, length),
    },
    { allowTrailingComma: true },
  );
  return found;
}

/** A container that has nothing but blanks left is written without them. */
function collapsed(text: string, container: Node): string {
  const rest = /^\s+(?=[\]}])/.exec(text.slice(container.offset + 1));
  if (rest === null) return text;
  return text.slice(0, container.offset + 1) + text.slice(container.offset + 1 + rest[0].length);
}

/** A piece that has its lines for itself goes with them; what else stands there might be a comment, or end up in one. */
function withoutPiece(text: string, start: number, end: number): string {
  const after = skipBlanks(text, end);
  if (startsLine(text, start) && /^\r?\n/.test(text.slice(after))) {
    return text.slice(0, lineBreakBefore(text, start)) + text.slice(after);
  }
  // Blanks in front of a closing bracket stay: `{ "a": 1 }`.
  const isLast = /^[\]}]/.test(text.slice(after));
  return isLast
    ? text.slice(0, start).replace(/[ \t]+$/, '') + text.slice(end)
    : text.slice(0, start) + text.slice(after);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';
}

function startsLine(text: string, at: number): boolean {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return start > 0 && text.slice(start, at).trim() === '';
}

/** Where the line break in front of a line's first word begins. */
function lineBreakBefore(text: string, at: number): number {
  const newline = text.lastIndexOf('\n', at - 1);
  return text.charAt(newline - 1) === '\r' ? newline - 1 : newline;
}

function skipBlanks(text: string, at: number): number {
  return at + (/^[ \t]*/.exec(text.slice(at))?.[0].length ?? 0);
}
