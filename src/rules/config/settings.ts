/** Settings that both the user's file and a project's may have, and how a project's file can only tighten them. */
import { homedir } from 'node:os';
import { normalize } from 'node:path';
import * as v from 'valibot';
import { isWithin, toBytePath } from '../../sys/bytes.ts';
import { parseSize } from '../../sys/size.ts';
import { realOf } from '../follow.ts';
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
};

export interface Shared {
  /** Absolute host paths, normalised. */
  readonly direct: readonly string[];
  /** Bytes; undefined: no limit. */
  readonly quota: number | undefined;
}

export function sharedSettings(session: { readonly direct: readonly string[]; readonly quota: string }): Shared {
  return { direct: session.direct.map(expand), quota: parseSize(session.quota) };
}

/**
 * Both together. What a project's file passes through counts where nobody would be asked anyway; `ignored` is the rest.
 */
export function together(
  user: Shared,
  project: Shared,
  rules: Rules,
): Shared & { readonly ignored: readonly string[] } {
  const ignored = project.direct.filter((one) => !user.direct.includes(one) && !mayBeDirect(one, rules));
  const direct = [...new Set([...user.direct, ...project.direct.filter((one) => !ignored.includes(one))])];
  const quotas = [user.quota, project.quota].filter((quota) => quota !== undefined);
  return { direct, quota: quotas.length === 0 ? undefined : Math.min(...quotas), ignored };
}

/** Rules do not reach what is passed through, so all of it has to be allowed. */
export function mayBeDirect(one: string, rules: Rules): boolean {
  const real = toBytePath(realOf(one));
  const isStricter = rules.all.some(({ pattern, decider }) => {
    const below = pattern.path !== undefined && pattern.path !== real && isWithin(pattern.path, real);
    return below && decider.state !== 'allow' && decider.layer !== 'project';
  });
  return !isStricter && rules.trustedStateOf(real) === 'allow';
}

function expand(text: string): string {
  const absolute = text.startsWith('~') ? `${homedir()}${text.slice(1)}` : text;
  const normal = normalize(absolute);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}
