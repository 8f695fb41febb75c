/**
 * The sessions that are compared: the same files, with no rules, the same once more, with the rules that everybody has, and with a
 * thousand more. The second one without rules is the control: how far it is from the first says how much a ratio means.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BenchSession } from '../history/bench-session.ts';

export interface Sizes {
  /** Files of a directory that is read again and again, and of each that is looked at for the first time. */
  readonly files: number;
  readonly fresh: number;
  /** How often a directory is gone through in one run, and in how many runs. */
  readonly passes: number;
  readonly rounds: number;
  /** Runs of what can be done once only. */
  readonly pairs: number;
}

export type Variant = 'off' | 'again' | 'on' | 'on1000';
export const VARIANTS: readonly Variant[] = ['off', 'again', 'on', 'on1000'];

/** Directories that are read again and again, in turn: where the kernel keeps their names makes a difference of some per cent. */
export const KEPT = 8;

/** Beside the project: nothing is opened there without OPEN. */
const OUTSIDE = 'outside';

/** A session of a variant below `dir`, with files in the project and outside. */
export async function makeVariant(dir: string, variant: Variant, sizes: Sizes): Promise<BenchSession> {
  const home = join(dir, variant);
  // `home/home` is the home directory of its commands (BenchSession).
  const config = join(home, 'home/.config/yolofs');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.toml'), configOf(home, variant));
  fill(join(home, OUTSIDE), sizes);
  return BenchSession.make(home, 'project', (project) => fill(project, sizes));
}

function fill(dir: string, { files, fresh, pairs }: Sizes): void {
  for (let i = 0; i < KEPT; i++) makeFiles(join(dir, `keep${i}`), files);
  for (let i = 0; i < pairs; i++) for (const kind of ['stat', 'open']) makeFiles(join(dir, `${kind}${i}`), fresh);
}

/** Named as worker.c expects. */
function makeFiles(dir: string, count: number): void {
  mkdirSync(dir, { recursive: true });
  for (let i = 0; i < count; i++) writeFileSync(join(dir, `f${String(i).padStart(5, '0')}`), 'x'.repeat(4096));
}

/** A thousand rules: exact paths and globs, in the project and elsewhere, of all states that leave the project without OPEN. */
function configOf(home: string, variant: Variant): string {
  if (variant === 'off' || variant === 'again') return 'default_rules = false\n';
  const rules = [`"${home}/${OUTSIDE}" = "allow"`];
  for (let i = 0; variant === 'on1000' && i < 250; i++) {
    rules.push(
      `"${home}/project/keep0/secret${i}" = "deny"`,
      `"${home}/project/hidden${i}" = "hidden"`,
      `"**/*.secret${i}" = "deny"`,
      `"${home}/other/place${i}" = "ask"`,
    );
  }
  return `[rules]\n${rules.join('\n')}\n`;
}
