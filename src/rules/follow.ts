/** Rules hold for what symlinks of the host lead to: whoever denies `~/.ssh` means the directory, wherever it lies. */
import { basename, dirname } from 'node:path';
import { type BytePath, isWithin, toBytePath } from '../sys/bytes.ts';
import { SystemError } from '../sys/errno.ts';
import { lookAt, realPath } from '../sys/files/text-files.ts';
import type { Rule } from './rules.ts';

/** The rules, and after each one whose path leads elsewhere one for where it leads. */
export function followed(rules: readonly Rule[]): readonly Rule[] {
  const places = new RealPlaces();
  return rules.flatMap((rule) => {
    const { path } = rule.pattern;
    if (path === undefined) return [rule];
    const real = toBytePath(places.at(Buffer.from(path, 'latin1').toString()).path);
    // What leads above itself (a link to a directory it is in) would say something of everything there.
    if (real === path || isWithin(path, real)) return [rule];
    return [rule, { ...rule, pattern: { ...rule.pattern, path: real as BytePath, under: real as BytePath } }];
  });
}

interface RealPlace {
  readonly path: string;
  readonly isThere: boolean;
}

/** `realOf` for many paths at one go: of a directory that has come up it is known. */
class RealPlaces {
  readonly #known = new Map<string, RealPlace>();

  at(path: string): RealPlace {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const place = this.#look(path);
    this.#known.set(path, place);
    return place;
  }

  #look(path: string): RealPlace {
    const above = dirname(path);
    if (above === path) return { path, isThere: true };
    const dir = this.at(above);
    const real = `${dir.path === '/' ? '' : dir.path}/${basename(path)}`;
    if (!dir.isThere) return { path: real, isThere: false };
    try {
      const found = lookAt(real);
      if (found?.isSymbolicLink() !== true) return { path: real, isThere: found !== undefined };
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      return { path, isThere: true };
    }
    return { path: realOf(path), isThere: true };
  }
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
