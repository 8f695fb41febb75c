/** Changes one rule in the text of a configuration file; all else, comments too, stays as it is. */
import { parse, TomlError } from 'smol-toml';
import type { State } from '../states.ts';

const KEY = /^(\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)\s*=\s*/;
const HEADER = /^\s*\[/;
const RULES_HEADER = /^\s*\[\s*rules\s*\]\s*(#.*)?$/;

interface Line {
  readonly index: number;
  /** The rule's path as written. */
  readonly text: string;
  /** Where the value starts. */
  readonly value: number;
}

/** The text with this rule; one that is there already for one of `same` (as written) is changed, all others of them go. */
export function withRule(text: string, pattern: string, state: State, same: readonly string[]): string {
  const lines = text.split('\n');
  const [first, ...more] = ruleLinesOf(lines).filter((line) => same.includes(line.text));
  if (first !== undefined) {
    const line = lines[first.index] ?? '';
    const rest = line.slice(first.value).replace(/^("(?:[^"\\]|\\.)*"|'[^']*')/, JSON.stringify(state));
    lines[first.index] = line.slice(0, first.value) + rest;
    return without(lines, more).join('\n');
  }
  const line = `${JSON.stringify(pattern)} = ${JSON.stringify(state)}`;
  const header = lines.findIndex((content) => RULES_HEADER.test(content));
  if (header < 0)
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${text === '' ? '' : '\n'}[rules]\n${line}\n`;
  // Behind the table's last rule; without one, behind the comments that follow its header.
  const last = ruleLinesOf(lines).at(-1)?.index ?? lastComment(lines, header);
  lines.splice(last + 1, 0, line);
  return lines.join('\n');
}

/** The text without the rules that are for one of `same` (as written). */
export function withoutRule(text: string, same: readonly string[]): string {
  const lines = text.split('\n');
  return without(
    lines,
    ruleLinesOf(lines).filter((line) => same.includes(line.text)),
  ).join('\n');
}

function without(lines: readonly string[], gone: readonly Line[]): readonly string[] {
  const indices = new Set(gone.map(({ index }) => index));
  return lines.filter((_, index) => !indices.has(index));
}

function ruleLinesOf(lines: readonly string[]): Line[] {
  const found: Line[] = [];
  let isInside = false;
  for (const [index, content] of lines.entries()) {
    if (HEADER.test(content)) isInside = RULES_HEADER.test(content);
    const key = isInside ? KEY.exec(content) : null;
    const text = key === null ? undefined : keyText(key[2] ?? '');
    if (key !== null && text !== undefined) found.push({ index, text, value: key[0].length });
  }
  return found;
}

function lastComment(lines: readonly string[], header: number): number {
  let last = header;
  while (/^\s*#/.test(lines[last + 1] ?? '')) last += 1;
  return last;
}

/** What a key says, its quotes and escapes resolved. */
function keyText(key: string): string | undefined {
  try {
    return Object.keys(parse(`${key} = 0`))[0];
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}
