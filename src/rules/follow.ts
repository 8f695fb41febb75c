/** Rules hold for what symlinks of the host lead to: whoever denies `~/.ssh` means the directory, wherever it lies. */
import { dirname } from 'node:path';
import { type BytePath, isWithin, toBytePath } from '../sys/bytes.ts';
import { SystemError } from '../sys/errno.ts';
import { realPath } from '../sys/files/text-files.ts';
import type { Rule } from './rules.ts';

/** The rules, and after each one whose path leads elsewhere one for where it leads. */
export function followed(rules: readonly Rule[]): readonly Rule[] {
  return rules.flatMap((rule) => {
    const { path } = rule.pattern;
    if (path === undefined) return [rule];
    const real = toBytePath(realOf(Buffer.from(path, 'latin1').toString()));
    // What leads above itself (a link to a directory it is in) would say something of everything there.
    if (real === path || isWithin(path, real)) return [rule];
    return [rule, { ...rule, pattern: { ...rule.pattern, path: real as BytePath, under: real as BytePath } }];
  });
}

/** An absolute path with the symlinks resolved of as much as exists. */
export function realOf(path: string): string {
  try {
    const real = realPath(path);
    if (real !== undefined) return real;
  } catch (error) {
    // Closed to us, or a circle: as written.
    if (error instanceof SystemError) return path;
    throw error;
  }
  const above = dirname(path);
  if (above === path) return path;
  const real = realOf(above);
  return `${real === '/' ? '' : real}${path.slice(above === '/' ? 0 : above.length)}`;
}
