/** Probes of rules in a view. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Session } from '../support/session.ts';

export type Probe = readonly [what: string, path: string, other?: string];

/** How each access comes out in the view; paths that are not absolute are in the project. */
export async function outcomes(s: Session, probes: readonly Probe[]): Promise<string[]> {
  const asked = probes.map(([what, ...paths]) => [
    what,
    ...paths.filter((path) => path !== undefined).map((path) => join(path.startsWith('/') ? '/' : s.project, path)),
  ]);
  return JSON.parse(await s.program('rules/access-main.js', [JSON.stringify(asked)])) as string[];
}

/** The same as lines such as `read a: ok`, to compare many at once. */
export async function outcomeLines(s: Session, probes: readonly Probe[]): Promise<string[]> {
  const found = await outcomes(s, probes);
  return probes.map((probe, i) => `${probe.join(' ')}: ${found[i]}`);
}

/** Files with some content; a path that ends in `/` is a directory, a name that ends in `.sh` a program. */
export function seedFiles(dir: string, paths: readonly string[]): void {
  for (const path of paths) {
    const at = join(dir, path);
    mkdirSync(path.endsWith('/') ? at : dirname(at), { recursive: true });
    if (!path.endsWith('/'))
      writeFileSync(at, path.endsWith('.sh') ? '#!/bin/sh\n' : `in ${path}\n`, {
        mode: path.endsWith('.sh') ? 0o755 : 0o644,
      });
  }
}

/** A project's file with these rules. */
export function rulesText(rules: Readonly<Record<string, string>>): string {
  return `[rules]\n${Object.entries(rules)
    .map(([path, state]) => `${JSON.stringify(path)} = "${state}"\n`)
    .join('')}`;
}
