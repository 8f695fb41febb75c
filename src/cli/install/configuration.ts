/** What `install` and `uninstall` share: which files are meant, how a change is shown, who agrees to it. */
import type { Command } from 'commander';
import { createTwoFilesPatch } from 'diff';
import { amount } from '../../agents/amount.ts';
import { applyChanges } from '../../agents/install/apply.ts';
import type { Places, Target } from '../../agents/install/description.ts';
import { DESCRIPTIONS, targetsOf } from '../../agents/install/descriptions.ts';
import type { Change } from '../../agents/install/plan.ts';
import type { Layout } from '../../history/layout.ts';
import { isInsideView } from '../../sandbox/inside.ts';
import { label, toBytes } from '../../sys/bytes.ts';
import { realPath } from '../../sys/files/text-files.ts';
import { homeDirectory } from '../../sys/host/home.ts';
import { UserError } from '../../sys/user-error.ts';
import { lastingProgram } from '../own-program.ts';
import { requirePerson, requireYes } from '../questions/ask.ts';
import { findSession } from '../session.ts';
import { diffPiece } from '../text/diff-text.ts';
import { writePieces } from '../text/output.ts';
import { paintFor } from '../text/terminal.ts';
import { UsageError } from '../usage-error.ts';

export interface Options {
  readonly user?: true;
  readonly project?: true;
  readonly yes?: true;
  readonly dryRun?: true;
}

/** Adds what both commands take. */
export function defineOptions(command: Command, verb: string): Command {
  return command
    .argument('<agent>', Object.keys(DESCRIPTIONS).join(', '))
    .option('--user', `${verb} for all your projects (this is the default)`)
    .option('--project', `${verb} for this project alone`)
    .option('--dry-run', 'show the change and leave everything as it is')
    .option('--yes', 'do not ask');
}

export interface Wanted {
  readonly places: Places;
  readonly targets: readonly Target[];
}

/** The files that a command line means. Throws a UsageError for an agent nobody knows, a UserError inside the view. */
export function wantedFiles(agent: string, options: Options): Wanted {
  if (isInsideView()) throw new UserError('not possible inside the view', 'run it in a shell outside');
  if (!Object.hasOwn(DESCRIPTIONS, agent)) {
    throw new UsageError(`unknown agent: ${agent}`, `known agents: ${Object.keys(DESCRIPTIONS).join(', ')}`);
  }
  if (options.user && options.project) {
    throw new UsageError('--user and --project exclude each other');
  }
  const places = placesOf(options.project ? 'project' : 'user');
  return { places, targets: targetsOf(agent, places, lastingProgram()) };
}

/** Where agents look on behalf of this person, in `project`: that of the session at hand by default, for which this throws as `findSession`. */
export function placesOf(level: Places['level'], project = projectOf(findSession(process.cwd()))): Places {
  return { level, home: homeDirectory(), project, environment: process.env };
}

/** Where there is no session, the working directory. */
export function projectOf(session: Layout | undefined): string {
  return session?.project ?? realPath(process.cwd()) ?? '/';
}

/** Shows the change and makes it real when the person agrees; false when it was only to be shown. */
export async function carryOut(changes: readonly Change[], places: Places, options: Options): Promise<boolean> {
  await writePieces(changes.flatMap(renderChange));
  if (options.dryRun) return false;
  if (!options.yes) {
    requirePerson('nothing was changed');
    const question = changes.length === 1 ? 'Write this file?' : `Write these ${changes.length} files?`;
    await requireYes(question, 'nothing was changed');
  }
  applyChanges(changes, places);
  for (const { state, after } of changes) {
    process.stderr.write(`${after === undefined ? 'removed' : 'wrote'} ${shown(state.real)}\n`);
  }
  return true;
}

function renderChange({ state, after, entry, lost }: Change): string[] {
  const [paint, isTerminal] = [paintFor(process.stdout), process.stdout.isTTY === true];
  const [from, to] = [
    state.seen === undefined ? '/dev/null' : state.real,
    after === undefined ? '/dev/null' : state.real,
  ];
  const patch = createTwoFilesPatch(shown(from), shown(to), state.text ?? '', after ?? '');
  const lines = patch.split(/(?<=\n)/).filter((line) => !/^(=+|Index: .*)\n$/.test(line));
  const moved = state.real === state.path ? [] : [`# ${shown(state.path)} is a symlink, or below one\n`];
  return [...moved, ...strictNote(entry), ...lost.map(lostNote), ...lines].map((line) =>
    diffPiece(line, paint, isTerminal),
  );
}

/** What the person wrote goes for a while: said before they agree. */
function strictNote(entry: Change['entry']): string[] {
  if (entry === undefined || entry.cut.length === 0) return [];
  return [
    `# ${amount(entry.cut.length, 'piece')} that plain JSON does not have (comments, commas at the end) will be taken out:\n`,
    '# the agent ignores a file with any of them. uninstall puts them back\n',
  ];
}

function lostNote(comment: string): string {
  return `# was taken out before, and cannot be put back since the file was changed: ${shown(comment)}\n`;
}

function shown(path: string): string {
  return label(toBytes(path));
}
