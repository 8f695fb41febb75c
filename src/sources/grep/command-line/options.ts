/** GNU grep's command line. */
import { type Option, type OptionTable, readArguments, UsageError } from './arguments.ts';
import { apply, type Draft, emptyDraft } from './draft.ts';
import type { Answer, Options } from './search-options.ts';

export type { Answer, Dialect, GlobRule, Options } from './search-options.ts';

const TABLE: OptionTable = {
  short: '0123456789A:B:C:D:EFGHIPTUVX:abcd:e:f:hiLlm:noqRrsuvwxyZz',
  long: [
    ['basic-regexp', 'G', 'none'],
    ['extended-regexp', 'E', 'none'],
    ['fixed-regexp', 'F', 'none'],
    ['fixed-strings', 'F', 'none'],
    ['perl-regexp', 'P', 'none'],
    ['after-context', 'A', 'needed'],
    ['before-context', 'B', 'needed'],
    ['binary-files', 'binary-files', 'needed'],
    ['byte-offset', 'b', 'none'],
    ['context', 'C', 'needed'],
    ['color', 'color', 'possible'],
    ['colour', 'color', 'possible'],
    ['count', 'c', 'none'],
    ['devices', 'D', 'needed'],
    ['directories', 'd', 'needed'],
    ['exclude', 'exclude', 'needed'],
    ['exclude-from', 'exclude-from', 'needed'],
    ['exclude-dir', 'exclude-dir', 'needed'],
    ['file', 'f', 'needed'],
    ['files-with-matches', 'l', 'none'],
    ['files-without-match', 'L', 'none'],
    ['group-separator', 'group-separator', 'needed'],
    ['help', 'help', 'none'],
    ['include', 'include', 'needed'],
    ['ignore-case', 'i', 'none'],
    ['no-ignore-case', 'no-ignore-case', 'none'],
    ['initial-tab', 'T', 'none'],
    ['label', 'label', 'needed'],
    ['line-buffered', 'U', 'none'],
    ['line-number', 'n', 'none'],
    ['line-regexp', 'x', 'none'],
    ['max-count', 'm', 'needed'],
    ['no-filename', 'h', 'none'],
    ['no-group-separator', 'no-group-separator', 'none'],
    ['no-messages', 's', 'none'],
    ['null', 'Z', 'none'],
    ['null-data', 'z', 'none'],
    ['only-matching', 'o', 'none'],
    ['quiet', 'q', 'none'],
    ['recursive', 'r', 'none'],
    ['dereference-recursive', 'R', 'none'],
    ['regexp', 'e', 'needed'],
    ['invert-match', 'v', 'none'],
    ['silent', 'q', 'none'],
    ['text', 'a', 'none'],
    ['binary', 'U', 'none'],
    ['unix-byte-offsets', 'u', 'none'],
    ['version', 'V', 'none'],
    ['with-filename', 'H', 'none'],
    ['word-regexp', 'w', 'none'],
  ],
};

/** The words as bytes, one code unit each. Throws a UsageError; or a GrepError. */
export function readOptions(words: readonly string[]): Options | Answer {
  const { options, operands } = readArguments(words, TABLE);
  const draft = withNumbers(options).reduce((said, option) => apply(option, said), emptyDraft());
  if (draft.ask !== undefined) return { ask: draft.ask };
  const [pattern, ...rest] = operands;
  if (draft.patterns.length > 0) return toOptions(draft, operands);
  if (pattern === undefined) throw new UsageError('');
  // Scripts write '\-x' for a pattern that begins with a dash.
  const text = draft.dialect !== 'fixed' && pattern.startsWith('\\-') ? pattern.slice(1) : pattern;
  return toOptions({ ...draft, patterns: [{ text }] }, rest);
}

/** Digits that stand together, as in -12, are one number. */
function withNumbers(options: readonly Option[]): Option[] {
  const joined: Option[] = [];
  for (const option of options) {
    const last = joined.at(-1);
    if (!/^[0-9]$/.test(option.meaning)) joined.push(option);
    else if (last?.meaning === 'C' && last.word === option.word && last.argument !== undefined) {
      joined[joined.length - 1] = { ...last, argument: last.argument + option.meaning };
    } else joined.push({ meaning: 'C', argument: option.meaning, word: option.word });
  }
  return joined;
}

function toOptions(draft: Draft, operands: readonly string[]): Options {
  const { flags, context, before, after, list, ask: _, dialect = 'basic', ...same } = draft;
  const quiet = flags.has('q');
  return {
    ...same,
    operands,
    dialect,
    quiet,
    list: quiet ? 'none' : list,
    count: flags.has('c') && !quiet && list === 'none',
    before: before ?? context ?? 0,
    after: after ?? context ?? 0,
    hasContext: (before ?? after ?? context) !== undefined,
    ignoreCase: flags.has('i'),
    invert: flags.has('v'),
    words: flags.has('w'),
    wholeLines: flags.has('x'),
    lineEnd: flags.has('z') ? 0 : 10,
    onlyMatching: flags.has('o'),
    lineNumbers: flags.has('n'),
    byteOffsets: flags.has('b'),
    initialTab: flags.has('T'),
    nulAfterName: flags.has('Z'),
    noMessages: flags.has('s'),
    followLinks: flags.has('R'),
  };
}
