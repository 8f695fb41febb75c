/** What a task destroys, found out natively with find and sha256sum; and what a summary names, read as a person reads it. */
import { succeed } from '../support/exec.ts';

/** Every path below a directory, to the hash of its content, the target of a link, or `directory`. */
export type Look = ReadonlyMap<string, string>;

const LOOK = `find . -mindepth 1 -type d -printf 'directory %P\\0' -o -type l -printf '%l %P\\0'
find . -type f -print0 | xargs -0 -r sha256sum -z | sed -z 's,  \\./, ,'`;

export async function look(dir: string): Promise<Look> {
  const said = await succeed(['sh', '-euc', LOOK], { cwd: dir });
  return new Map(
    said
      .split('\0')
      .filter(Boolean)
      .map((line): [string, string] => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]),
  );
}

export interface Damage {
  /** Paths of any kind that are no more. */
  readonly gone: readonly string[];
  /** Files whose content is another. */
  readonly changed: readonly string[];
}

export function damage(before: Look, after: Look): Damage {
  const paths = [...before.keys()].sort();
  return {
    gone: paths.filter((path) => !after.has(path)),
    changed: paths.filter((path) => after.has(path) && after.get(path) !== before.get(path)),
  };
}

export interface Reading {
  /** What the text says is deleted, emptied, modified or overwritten; directories end in `/`. */
  readonly destroyed: ReadonlySet<string>;
  /** What was somewhere and is somewhere else now. */
  readonly moved: ReadonlySet<string>;
  readonly counts: Readonly<Record<string, number>>;
  /** The generation that the text says leads back. */
  readonly back: string;
}

/** Reads a summary; names in it must need no quotes. */
export function readSummary(text: string): Reading {
  const destroyed = new Set<string>();
  const moved = new Set<string>();
  for (const [, verb = '', body = ''] of text.matchAll(/^ {2}(\w+) +(.*?)(?: {2}\(outside the project\))?$/gm)) {
    for (const word of expand(body)) {
      const [from, to] = word.split(' → ');
      if (verb === 'renamed') moved.add(from ?? '');
      if (verb === 'renamed' && to?.endsWith(' (overwritten)')) destroyed.add(to.replace(/ \(.*/, ''));
      for (const also of (/ \(also (.*)\)$/.exec(word)?.[1] ?? '').split(' and ')) if (also !== '') destroyed.add(also);
      if (['deleted', 'emptied', 'modified'].includes(verb))
        destroyed.add(word.replace(/ \((?:\d+ files?|also .*)\)$/, ''));
    }
  }
  const head = /^yolofs: (.*)$/m.exec(text)?.[1] ?? '';
  const counts = Object.fromEntries([...head.matchAll(/(\d+) (\w+)/g)].map(([, n, word]) => [word ?? '', Number(n)]));
  return { destroyed, moved, counts, back: /'yolofs travel (\d+)'/.exec(text)?.[1] ?? 'nowhere' };
}

/** `a, dir/{b,c}` to its names. */
function expand(body: string): string[] {
  const brace = /^(.*)\{(.*)\}$/.exec(body);
  if (brace === null) return body.split(', ');
  return (brace[2] ?? '').split(',').map((name) => `${brace[1]}${name}`);
}

/** Whether the text names a path, itself or with a directory that went as a whole. */
export function isNamed(path: string, { destroyed, moved }: Reading): boolean {
  if (destroyed.has(path) || destroyed.has(`${path}/`) || moved.has(path)) return true;
  return [...destroyed].some((name) => name.endsWith('/') && path.startsWith(name));
}
