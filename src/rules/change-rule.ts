/**
 * A person sets or takes back a rule: written to the file where it can have that effect. What tightens goes to the
 * project's `.yolofs.toml`, where the project's other users have it, too; what loosens would not count there, and goes to the
 * session's own file, which no repository brings along and nothing in the view can see.
 */
import { homedir } from 'node:os';
import { normalize } from 'node:path';
import type { Layout } from '../history/layout.ts';
import { type BytePath, label, toBytes } from '../sys/bytes.ts';
import { lookAt, readText, replaceText } from '../sys/text-files.ts';
import { UserError } from '../sys/user-error.ts';
import { loadConfig, parseConfig } from './config.ts';
import { withoutRule, withRule } from './edit.ts';
import { realOf } from './follow.ts';
import { parseSessionRules } from './load-rules.ts';
import { type Pattern, type Places, parsePattern } from './pattern.ts';
import type { RuleLine } from './rule-lines.ts';
import { Rules } from './rules.ts';
import { isAtLeastAsStrict, type State } from './states.ts';

/** Files that were written. */
export type Changed = readonly string[];

/**
 * Has `pattern` (as in a project's file; see `patternFor`) be in `state`. Throws a UserError when it makes no sense or a
 * file cannot be changed.
 */
export function setRule(layout: Layout, pattern: string, state: State): Changed {
  const patterns = parsed(pattern, placesOf(layout));
  const changed = new Set(removeRule(layout, patterns));
  const write = (file: string): void => {
    changed.add(file);
    change(layout, file, (text) => withRule(text, pattern, state, [pattern]));
  };
  const tightens = isTightening(layout, patterns, state);
  write(tightens ? layout.config : layout.rules);
  // What the project's file says of a directory above would still take it away.
  if (!tightens && !counts(layout, patterns, state)) write(layout.config);
  return [...changed];
}

/**
 * Has one path of the view, whatever characters are in it, and what is below it be in `state`. Throws a UserError, too,
 * for a path that is no text: TOML has no others.
 */
export function setRuleOfPath(layout: Layout, path: BytePath, state: State): Changed {
  const text = Buffer.from(path, 'latin1').toString('utf8');
  if (toBytes(text) !== path)
    throw new UserError(`${label(path)}: a name that is no text cannot be in a file of rules`);
  return setRule(layout, literally(named(layout, text, (same) => same)), state);
}

/** Takes the rule for `pattern` back. Throws a UserError when there is none in the session's or the project's file. */
export function unsetRule(layout: Layout, pattern: string): Changed {
  const changed = removeRule(layout, parsed(pattern, placesOf(layout)));
  if (changed.length > 0) return changed;
  throw new UserError(
    `there is no rule for '${pattern}' in ${layout.config}`,
    "'yolofs rule list' shows where rules are from",
  );
}

/**
 * How a file of the project names an argument of the command line: a glob as it is, a path without symlinks, below the
 * project relative to it.
 */
export function patternFor(layout: Layout, word: string, cwd: string): string {
  const path = word.startsWith('/') ? word : `${realOf(cwd)}/${word}`;
  if (/[*?[{]/.test(word) && lookAt(path) === undefined) {
    if (/^(\/|~\/|\*\*)/.test(word)) return word;
    return named(layout, `${literally(realOf(cwd))}/${word}`, literally);
  }
  const real = realOf(normalize(path));
  return literally(named(layout, real.length > 1 ? real.replace(/\/$/, '') : real, (text) => text));
}

/** As a file of the project would name it; `spell` is how names are written in `path`. */
function named({ project }: Layout, path: string, spell: (path: string) => string): string {
  const [own, home] = [spell(project), spell(realOf(homedir()))];
  if (path === own) return '.';
  if (path.startsWith(`${own}/`)) return path.slice(own.length + 1).replace(/^(?=~|\*\*)/, './');
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function literally(path: string): string {
  return path.replace(/[*?[\]{}\\]/g, '\\$&');
}

function isTightening(layout: Layout, patterns: readonly Pattern[], state: State): boolean {
  const rules = new Rules(loadConfig(layout).rules);
  return patterns.every(({ path }) =>
    // What a glob matches may be anywhere.
    path === undefined ? state === 'deny' || state === 'hidden' : isAtLeastAsStrict(state, rules.trustedStateOf(path)),
  );
}

function counts(layout: Layout, patterns: readonly Pattern[], state: State): boolean {
  const rules = new Rules(loadConfig(layout).rules);
  return patterns.every(({ path }) => path === undefined || rules.stateOf(path) === state);
}

function removeRule(layout: Layout, patterns: readonly Pattern[]): string[] {
  const places = placesOf(layout);
  const files: readonly (readonly [string, (text: string) => readonly RuleLine[]])[] = [
    [layout.config, (text) => parseConfig(text, layout.config).ruleLines],
    [layout.rules, (text) => parseSessionRules(text, layout)],
  ];
  return files.flatMap(([file, linesOf]) => {
    const same = linesOf(readText(file) ?? '')
      .map(({ text }) => text)
      .filter((text) => isSame(parsed(text, places), patterns));
    if (same.length === 0) return [];
    change(layout, file, (text) => withoutRule(text, same));
    return [file];
  });
}

function isSame(a: readonly Pattern[], b: readonly Pattern[]): boolean {
  return (
    a.length === b.length && a.every((one, i) => one.path === b[i]?.path && one.regex?.source === b[i]?.regex?.source)
  );
}

/** Writes a file anew if it then still makes sense. */
function change(layout: Layout, file: string, edit: (text: string) => string): void {
  const before = readText(file) ?? '';
  const after = edit(before);
  if (file === layout.config) parseConfig(after, file);
  else parseSessionRules(after, layout);
  if (after === before)
    throw new UserError(
      `${file}: this table of rules is written in a way that cannot be changed here`,
      'change it with an editor',
    );
  replaceText(file, after);
}

function parsed(pattern: string, places: Places): readonly Pattern[] {
  const patterns = parsePattern(pattern, places);
  if (typeof patterns === 'string') throw new UserError(`'${pattern}' ${patterns}`);
  return patterns;
}

function placesOf(layout: Layout): Places {
  return { home: realOf(homedir()), project: layout.project };
}
