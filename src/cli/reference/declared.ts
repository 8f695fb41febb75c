/** What the commands declare of themselves, as data: completion and manual pages are made of it, and of nothing else. */
import type { Argument, Command, Help, Option } from 'commander';
import { declareAll, type Entry } from '../program.ts';

export interface DeclaredOption {
  /** `--json`, `-c`: those it has. */
  readonly flags: readonly string[];
  /** The name of its value, as `<dir>`; undefined: it takes none. */
  readonly value: string | undefined;
  readonly description: string;
}

export interface DeclaredArgument {
  readonly name: string;
  readonly description: string;
  /** The words that can stand for it, where there are only so many. */
  readonly words: readonly string[];
}

export interface Declared {
  /** From the program on: `rule`, `list`; of the program itself nothing. */
  readonly path: readonly string[];
  readonly alias: string | undefined;
  readonly summary: string;
  readonly usage: string;
  readonly options: readonly DeclaredOption[];
  readonly arguments: readonly DeclaredArgument[];
  readonly commands: readonly Declared[];
}

/** The program and, in it, all its commands. */
export async function declared(commands: readonly Entry[]): Promise<Declared> {
  const program = await declareAll(commands);
  return describe(program, [], program.createHelp());
}

/** A command and all that are in it, the outer first. */
export function* everyOne(command: Declared): Generator<Declared, void> {
  yield command;
  for (const inner of command.commands) yield* everyOne(inner);
}

/** Where completion stands in the tree of commands: `/rule/list`, of the program itself nothing. */
export function placeOf({ path }: Declared): string {
  return path.map((name) => `/${name}`).join('');
}

function describe(command: Command, path: readonly string[], help: Help): Declared {
  const inner = command.commands.filter((one) => one.name() !== 'help');
  return {
    path,
    alias: command.alias(),
    summary: command.summary() || command.description(),
    usage: command.usage(),
    options: help.visibleOptions(command).map(describeOption),
    arguments: command.registeredArguments.map(describeArgument),
    commands: inner.map((one) => describe(one, [...path, one.name()], help)),
  };
}

function describeOption({ short, long, flags, description }: Option): DeclaredOption {
  const value = /[<[].*[>\]]/.exec(flags)?.[0];
  return { flags: [short, long].filter((flag) => flag !== undefined), value, description };
}

/** A description that is a list names all there is: `on|off` as a name does, too. */
function describeArgument(argument: Argument): DeclaredArgument {
  const name = argument.name();
  const listed = name.includes('|') ? name.split('|') : argument.description.replace(/^[^:]*: /, '').split(', ');
  const words = listed.filter((word) => /^[\w-]+$/.test(word));
  return { name, description: argument.description, words: words.length > 1 ? words : [] };
}
