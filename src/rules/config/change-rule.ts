/**
 * A person sets or takes back a rule: written to the file where it can have that effect. What tightens goes to the
 * project's `.yolofs.toml`, where the project's other users have it, too; what loosens would not count there, and goes to the
 * session's own file, which no repository brings along and nothing in the view can see.
 */
import { normalize } from 'node:path';
import type { Layout } from '../../history/layout.ts';
import { type BytePath, label, toBytes } from '../../sys/bytes.ts';
import { lookAt, replaceText } from '../../sys/files/text-files.ts';
import { homeDirectory } from '../../sys/host/home.ts';
import { ConfigError, UserError } from '../../sys/user-error.ts';
import { realOf } from '../follow.ts';
import { type Pattern, type Places, parsePattern } from '../pattern/pattern.ts';
import { Rules } from '../rules.ts';
import { isAtLeastAsStrict, isClosed, type State } from '../states.ts';
import { loadConfig, parseConfig } from './config.ts';
import { withoutRule, withRule } from './edit.ts';
import { parseSessionRules } from './load-rules.ts';
import { readSettings } from './parse-table.ts';
import type { RuleLine } from './rule-lines.ts';

/** Files that were written. */
export type Changed = readonly string[];

/**
 * Has `pattern` (as in a project's file; see `patternFor`) be in `state`. Throws a UserError when it makes no sense or a
 * file cannot be changed.
 */
export function setRule(layout: Layout, pattern: string, state: State): Changed {
  const rule = { pattern, patterns: parsed(pattern, placesOf(layout)) };
  const changed = remove(layout, layout.rules, rule.patterns);
  const { rules, ruleLines } = loadConfig(layout);
  if (isTightening(new Rules(rules), rule.patterns, state))
    return [...changed, ...put(layout, layout.config, { ...rule, state })];
  changed.push(...remove(layout, layout.config, rule.patterns), ...put(layout, layout.rules, { ...rule, state }));
  // What the project's file says of a directory above would still take it away.
  if (ruleLines.length > 0 && !counts(layout, rule.patterns, state))
    changed.push(...put(layout, layout.config, { ...rule, state }));
  return [...new Set(changed)];
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
  const patterns = parsed(pattern, placesOf(layout));
  const changed = [layout.config, layout.rules].flatMap((file) => remove(layout, file, patterns));
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
  const path = pathMeant(word, cwd);
  if (/[*?[{]/.test(word) && lookAt(path) === undefined) {
    if (/^(\/|~\/|\*\*)/.test(word)) return word;
    return named(layout, `${literally(realOf(cwd))}/${word}`, literally);
  }
  const real = realOf(normalize(path));
  return literally(named(layout, real.length > 1 ? real.replace(/\/$/, '') : real, (text) => text));
}

/**
 * The absolute path that a person means: one below `~` that a shell has not put in is in the home directory, as in a file of rules and in
 * what this program prints, unless something here has that name.
 */
export function pathMeant(word: string, cwd: string): string {
  if (word.startsWith('/')) return word;
  const isHome = /^~(?:\/|$)/.test(word) && lookAt(`${realOf(cwd)}/~`) === undefined;
  return isHome ? `${realOf(homeDirectory())}${word.slice(1)}` : `${realOf(cwd)}/${word}`;
}

/** As a file of the project would name it; `spell` is how names are written in `path`. */
function named({ project }: Layout, path: string, spell: (path: string) => string): string {
  const [own, home] = [spell(project), spell(realOf(homeDirectory()))];
  if (path === own) return '.';
  if (path.startsWith(`${own}/`)) return path.slice(own.length + 1).replace(/^(?=~|\*\*)/, './');
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function literally(path: string): string {
  return path.replace(/[*?[\]{}\\]/g, '\\$&');
}

function isTightening(rules: Rules, patterns: readonly Pattern[], state: State): boolean {
  // Where it says nothing new it may still open what a link has closed: see closed-links.ts.
  if (state === 'allow') return false;
  return patterns.every(({ path }) =>
    // What a glob matches may be anywhere.
    path === undefined ? isClosed(state) : isAtLeastAsStrict(state, rules.trustedStateOf(path)),
  );
}

function counts(layout: Layout, patterns: readonly Pattern[], state: State): boolean {
  const rules = new Rules(loadConfig(layout).rules);
  return patterns.every(({ path }) => path === undefined || rules.stateOf(path) === state);
}

/** The file if it had the rule, and has it no longer. */
function remove(layout: Layout, file: string, patterns: readonly Pattern[]): string[] {
  const text = readSettings(file);
  const same = sameIn(layout, file, text, patterns);
  if (same.length === 0) return [];
  const after = withoutRule(
    text,
    same.map((line) => line.text),
  );
  if (sameIn(layout, file, after, patterns).length > 0) throw cannotChange(file);
  replaceText(file, after);
  return [file];
}

/** The file if it did not say so already. */
function put(
  layout: Layout,
  file: string,
  rule: { readonly pattern: string; readonly patterns: readonly Pattern[]; readonly state: State },
): string[] {
  const { pattern, patterns, state } = rule;
  const text = readSettings(file);
  const same = sameIn(layout, file, text, patterns).map((line) => line.text);
  const after = withRule(text, pattern, state, same);
  if (!sameIn(layout, file, after, patterns).every((line) => line.state === state)) throw cannotChange(file);
  if (after !== text) replaceText(file, after);
  return after === text ? [] : [file];
}

function cannotChange(file: string): UserError {
  return new ConfigError(
    `${file}: its table of rules is written in a way that cannot be changed here`,
    'use an editor',
  );
}

/** Lines of a file that are for the same paths. Throws a UserError for a text that makes no sense. */
function sameIn(layout: Layout, file: string, text: string, patterns: readonly Pattern[]): readonly RuleLine[] {
  const lines = file === layout.config ? parseConfig(text, file).ruleLines : parseSessionRules(text, layout);
  const places = placesOf(layout);
  return lines.filter((line) => isSame(parsed(line.text, places), patterns));
}

function isSame(a: readonly Pattern[], b: readonly Pattern[]): boolean {
  return a.length === b.length && a.every((one, i) => one.key === b[i]?.key);
}

function parsed(pattern: string, places: Places): readonly Pattern[] {
  const patterns = parsePattern(pattern, places);
  if (typeof patterns === 'string') throw new UserError(`'${pattern}' ${patterns}`);
  return patterns;
}

function placesOf(layout: Layout): Places {
  return { home: realOf(homeDirectory()), project: layout.project };
}
