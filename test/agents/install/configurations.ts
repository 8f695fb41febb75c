/** Random configuration files as people leave them: comments anywhere, hooks of others, any layout. */
import { fc } from '../../random/fast-check.ts';
import { TARGETS } from './places.ts';

export interface Random {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Each is in the text exactly once. */
  readonly comments: readonly string[];
}

interface Layout {
  readonly newline: string;
  readonly trailingCommas: boolean;
  /** One letter a gap, used in turn: what stands between two tokens. */
  readonly gaps: readonly ('none' | 'blank' | 'line' | 'block' | 'comment')[];
}

const scalar = fc.oneof(fc.boolean(), fc.integer(), fc.string({ maxLength: 6 }), fc.constant(null));
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(key(), scalar, { maxKeys: 3 }));
const handler = fc.record({
  type: fc.constant('command'),
  command: fc.constantFrom('lint', '/x/yolofs status', 'a b'),
});
const group = fc.record({
  matcher: fc.constantFrom('Bash', '*'),
  hooks: fc.array(handler, { minLength: 1, maxLength: 2 }),
});
const events = fc.constantFrom('PreToolUse', 'PostToolUse', 'BeforeTool', 'preToolUse', 'Stop');
const hooks = fc.dictionary(events, fc.array(fc.oneof(group, handler), { minLength: 1, maxLength: 3 }), {
  minKeys: 1,
  maxKeys: 3,
});
const servers = fc.dictionary(fc.constantFrom('one', 'two'), fc.record({ command: fc.string() }), {
  minKeys: 1,
  maxKeys: 2,
});

const configuration = fc
  .record({ model: value, permissions: value, hooks, mcpServers: servers, mcp: servers }, { requiredKeys: [] })
  .chain((known) => fc.dictionary(key(), value, { maxKeys: 3 }).map((others) => ({ ...others, ...known })))
  .chain((object) => fc.shuffledSubarray(Object.entries(object), { minLength: Object.keys(object).length }))
  .map((entries) => Object.fromEntries(entries) as Record<string, unknown>);

const layout: fc.Arbitrary<Layout> = fc.record({
  newline: fc.constantFrom('\n', '\r\n'),
  trailingCommas: fc.boolean(),
  gaps: fc.array(fc.constantFrom('none', 'blank', 'line', 'line', 'block', 'comment'), { minLength: 1, maxLength: 12 }),
});

/** A file of JSON with comments. */
export const configurations: fc.Arbitrary<Random> = fc
  .tuple(configuration, layout)
  .map(([object, how]) => render(object, how));

/** One of the JSON files that `install` writes. */
export const targets = fc.constantFrom(...TARGETS.filter((target) => target.kind === 'json'));

function key(): fc.Arbitrary<string> {
  return fc.constantFrom('a', 'b', 'theme', 'env', 'x y', 'ü', '"', '//no comment');
}

function render(object: Record<string, unknown>, { newline, trailingCommas, gaps }: Layout): Random {
  const comments: string[] = [];
  let used = 0;
  const comment = (open: string, close: string): string => {
    const text = `${open} {"c${comments.length}", [}${close}`;
    comments.push(text);
    return text;
  };
  const gap = (depth: number): string => {
    const indent = newline + '  '.repeat(depth);
    switch (gaps[used++ % gaps.length]) {
      case 'none':
        return '';
      case 'blank':
        return ' ';
      case 'block':
        return ` ${comment('/*', ' */')} `;
      case 'comment':
        return ` ${comment('//', '')}${indent}`;
      default:
        return indent;
    }
  };
  const list = (children: readonly string[], depth: number): string => {
    const written = children.map((child, i) => {
      const isLast = i === children.length - 1;
      return `${gap(depth + 1)}${child}${isLast ? '' : `${gap(depth + 1)},`}`;
    });
    return `${written.join('')}${trailingCommas && children.length > 0 ? ',' : ''}${gap(depth)}`;
  };
  const write = (one: unknown, depth: number): string => {
    if (Array.isArray(one))
      return `[${list(
        one.map((each) => write(each, depth + 1)),
        depth,
      )}]`;
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    const pairs = Object.entries(one).map(
      ([name, each]) => `${JSON.stringify(name)}:${gap(depth)}${write(each, depth + 1)}`,
    );
    return `{${list(pairs, depth)}}`;
  };
  const text = `${gap(0)}${write(object, 0)}${gap(0)}`;
  return { text, value: JSON.parse(JSON.stringify(object)) as Record<string, unknown>, comments };
}
