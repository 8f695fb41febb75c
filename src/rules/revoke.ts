/**
 * What the kernel must forget when rules change: what it has read of files that must not be read any more, and names
 * that are hidden now, or not any more. Looks at what the kernel knows below the paths that changed rules are for, never
 * at the tree; for a glob at the names of what it knows. (FUSE_NOTIFY_INC_EPOCH would do it at once, but takes what is mounted in the view along; see fuse/KERNEL.md.)
 */
import type { Invalidation } from '../staging/invalidation.ts';
import type { NodePaths, Whereabouts } from '../staging/names/node-paths.ts';
import { type BytePath, isWithin, type Name, splitPath, toBytes } from '../sys/bytes.ts';
import type { ChangeNote } from './note.ts';
import { matches, mayMatchName } from './pattern/pattern.ts';
import type { Rule, Rules } from './rules.ts';
import { isClosed, type State } from './states.ts';

/** Rules that only one of both has. */
export function changedRules(before: Rules, after: Rules): readonly Rule[] {
  const [old, fresh] = [keyed(before), keyed(after)];
  const gone = [...old].filter(([key]) => !fresh.has(key));
  const come = [...fresh].filter(([key]) => !old.has(key));
  return [...gone, ...come].map(([, rule]) => rule);
}

/** The rules that may say something of `path` or of what is below it, as they count: two that are the same say the same. */
export function rulesFor(rules: Rules, path: BytePath): string {
  const concerns = ({ pattern: { under } }: Rule): boolean => isWithin(under, path) || isWithin(path, under);
  return rules.all.filter(concerns).map(keyOf).join('\n');
}

/** The same for the journal: one note a rule as it is written. */
export function changeNotes(before: Rules, after: Rules): readonly ChangeNote[] {
  const notes = new Map<string, ChangeNote>();
  for (const { decider } of changedRules(before, after)) {
    const is = (rule: Rule): boolean =>
      rule.decider.layer === decider.layer && rule.decider.pattern === decider.pattern;
    notes.set(`${decider.layer} ${decider.pattern}`, {
      pattern: toBytes(decider.pattern),
      layer: decider.layer,
      before: before.all.findLast(is)?.decider.state,
      after: after.all.findLast(is)?.decider.state,
    });
  }
  return [...notes.values()];
}

/** What the kernel must be told to forget. */
export function revocations(before: Rules, after: Rules, nodePaths: NodePaths): readonly Invalidation[] {
  const changed = changedRules(before, after);
  if (changed.length === 0) return [];
  const found = new Map<string, Invalidation>();
  const add = (one: Invalidation): void => {
    found.set(one.kind === 'entry' ? `${one.parent}/${one.name}` : String(one.nodeId), one);
  };
  for (const node of reachOf(changed, nodePaths)) compare(node, before, after, add);
  // By whichever name the kernel knows it.
  const closing = changed.some(({ decider: { state } }) => isClosed(state));
  if (closing) for (const { nodeId } of nodePaths.elsewhere()) add({ kind: 'inode', nodeId });
  for (const node of listingsOf(changed, nodePaths)) add({ kind: 'inode', nodeId: node.nodeId });
  return [...found.values()];
}

function compare(node: Whereabouts, before: Rules, after: Rules, add: (one: Invalidation) => void): void {
  const [was, is] = [stateOf(node, before), stateOf(node, after)];
  if (was === is) return;
  // What is denied has other attributes on a connection without OPEN, too.
  if (isClosed(is) || was === 'deny') add({ kind: 'inode', nodeId: node.nodeId });
  if (is === 'hidden' && node.parent !== 0) add({ kind: 'entry', parent: node.parent, name: node.name });
}

function stateOf({ view, base }: Whereabouts, rules: Rules): State {
  const state = view === undefined ? 'allow' : rules.stateOf(view);
  const original = base === undefined || base === view ? state : rules.stateOf(base);
  return isClosed(original) ? original : state;
}

/** All that the kernel knows by names that some of these rules match, and below such names. */
export function* reachOf(rules: readonly Rule[], nodePaths: NodePaths): Generator<Whereabouts> {
  for (const { pattern } of rules) {
    if (pattern.path !== undefined) yield* nodePaths.below(pattern.path);
    else {
      const isMeant = (path: BytePath, name: Name): boolean => matches(pattern, path, name);
      yield* nodePaths.found(pattern.under, (name) => mayMatchName(pattern, name), isMeant);
    }
  }
}

/** Directories of which the kernel may remember a listing with or without a name that is, or was, hidden. */
function* listingsOf(changed: readonly Rule[], nodePaths: NodePaths): Generator<Whereabouts> {
  const hiding = changed.filter(({ decider }) => decider.state === 'hidden').map(({ pattern }) => pattern.path);
  if (hiding.includes(undefined)) {
    for (const node of nodePaths.all()) if (node.isDirectory) yield node;
    return;
  }
  for (const path of hiding) {
    const at = path === undefined ? undefined : splitPath(path);
    if (at === undefined) continue;
    const [dir] = nodePaths.below(at.dir);
    if (dir?.view === at.dir) yield dir;
  }
}

/** What comes after a change comes before the next. */
const KEYED = new WeakMap<Rules, ReadonlyMap<string, Rule>>();

function keyed(rules: Rules): ReadonlyMap<string, Rule> {
  const known = KEYED.get(rules);
  if (known !== undefined) return known;
  const fresh = new Map(rules.all.map((rule) => [keyOf(rule), rule]));
  KEYED.set(rules, fresh);
  return fresh;
}

function keyOf({ decider: { layer, state, pattern }, pattern: { key } }: Rule): string {
  return `${layer} ${state} ${pattern} ${key}`;
}
