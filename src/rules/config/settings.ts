/**
 * Settings that both the user's file and a project's may have. A project's comes from a repository, so it counts where it is the
 * stricter one; what would loosen does nothing, and is told.
 */
import { normalize } from 'node:path';
import * as v from 'valibot';
import { toBytePath } from '../../sys/bytes.ts';
import { homeDirectory } from '../../sys/host/home.ts';
import { parseSize } from '../../sys/text/size.ts';
import { realOf } from '../follow.ts';
import { mayMatchAtOrBelow } from '../pattern/pattern.ts';
import type { Rules } from '../rules.ts';

const path = v.pipe(
  v.string('has to be a list of paths'),
  v.check(
    (text) => /^(\/|~$|~\/)/.test(text),
    ({ input }) => `'${input}' is neither absolute nor below ~/`,
  ),
);

const size = v.pipe(
  v.string('has to be a size such as "2 GiB"'),
  v.check(
    (text) => text === 'none' || (parseSize(text) ?? 0) > 0,
    ({ input }) => `'${input}' is neither a size such as "2 GiB" nor "none"`,
  ),
);

/** Settings of `[session]`. */
export const sharedEntries = {
  direct: v.optional(v.array(path, 'has to be a list of paths'), []),
  quota: v.optional(size, 'none'),
  auto_snapshot: v.optional(v.boolean('has to be true or false')),
  durability: v.optional(v.picklist(['full', 'process'], "has to be 'full' or 'process'")),
};

/** Tables of sources, as they are: `sources/config.ts` knows what they say. */
export const sourceTables = v.optional(v.record(v.string(), v.unknown()), {});

/** What one file says. */
export interface Shared {
  /** Absolute host paths, normalised. */
  readonly direct: readonly string[];
  /** Bytes; undefined: no limit. */
  readonly quota: number | undefined;
  readonly autoSnapshot: boolean | undefined;
  readonly durability: 'full' | 'process' | undefined;
}

/** What counts. */
export interface SessionSettings {
  /** Absolute host paths, normalised, that the view passes straight through. */
  readonly direct: readonly string[];
  /** Bytes that contents may occupy in the store; undefined: no limit but the disk's. */
  readonly quota: number | undefined;
  /** Whether `run` takes a snapshot after a command that changed something. */
  readonly autoSnapshot: boolean;
  /** What fsync(2) in the view is worth: `full` survives a power cut, `process` the death of any process. */
  readonly durability: 'full' | 'process';
}

interface SharedTable {
  readonly direct: readonly string[];
  readonly quota: string;
  readonly auto_snapshot?: boolean | undefined;
  readonly durability?: 'full' | 'process' | undefined;
}

export function sharedSettings({ direct, quota, auto_snapshot, durability }: SharedTable): Shared {
  return { direct: direct.map(expand), quota: parseSize(quota), autoSnapshot: auto_snapshot, durability };
}

/** What counts of both files. */
export function together(user: Shared, project: Shared): SessionSettings {
  const quotas = [user.quota, project.quota].filter((quota) => quota !== undefined);
  return {
    direct: user.direct,
    quota: quotas.length === 0 ? undefined : Math.min(...quotas),
    autoSnapshot: (user.autoSnapshot ?? true) || project.autoSnapshot === true,
    durability: project.durability === 'full' ? 'full' : (user.durability ?? 'full'),
  };
}

/** What a project's file says that would loosen, as written there. */
export function loosening(user: Shared, project: Shared): readonly string[] {
  const counting = together(user, project);
  return [
    ...(project.direct.every((one) => user.direct.includes(one)) ? [] : ["'direct'"]),
    ...(project.autoSnapshot === false && counting.autoSnapshot ? ["'auto_snapshot = false'"] : []),
    ...(project.durability === 'process' && counting.durability === 'full' ? [`'durability = "process"'`] : []),
  ];
}

/**
 * Whether a path that the person passes through may be: no rule that a file has for something in it would be lost. A glob for names
 * anywhere (`**\/*.pem`) says nothing of what is passed through.
 */
export function mayPassThrough(one: string, rules: Rules): boolean {
  return !losesRule(one, rules, ({ pattern, decider }) => decider.layer !== 'default' && pattern.under !== '/');
}

/** The same for what yolofs itself would pass through for an agent: the built-in rules have to allow it, too. */
export function mayBeDirect(one: string, rules: Rules): boolean {
  const isPath = ({ pattern, decider }: Rules['all'][number]): boolean =>
    decider.layer === 'default' && pattern.path !== undefined && pattern.path !== toBytePath(realOf(one));
  return (
    rules.stateOf(toBytePath(realOf(one))) === 'allow' && mayPassThrough(one, rules) && !losesRule(one, rules, isPath)
  );
}

/** Whether one of those rules is stricter than `allow` for something at or below a path: rules do not reach what is passed through. */
function losesRule(one: string, rules: Rules, isMeant: (rule: Rules['all'][number]) => boolean): boolean {
  const real = toBytePath(realOf(one));
  return rules.all.some(
    (rule) => rule.decider.state !== 'allow' && isMeant(rule) && mayMatchAtOrBelow(rule.pattern, real),
  );
}

function expand(text: string): string {
  const absolute = text.startsWith('~') ? `${homeDirectory()}${text.slice(1)}` : text;
  const normal = normalize(absolute);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}
