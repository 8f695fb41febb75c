/** What is installed where, and whether it is as it should be: what `doctor` can tell from the files alone. */
import { isAbsolute } from 'node:path';
import { isExecutable, realPath } from '../../../sys/files/text-files.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { Level, Places, ProgramWords, Target } from '../description.ts';
import { DESCRIPTIONS, targetsOf } from '../descriptions.ts';
import { readState } from '../file-state.ts';
import { isInstalled, type JsonFile, ownEntries, withoutTakenPrefix } from '../json-merge.ts';
import { isObject, type JsonObject, parseJson, plain } from '../json-tree.ts';
import { PLUGIN_MARK, pluginHandler } from '../opencode-plugin.ts';
import { ownProgram } from '../own-handler.ts';
import { strictForm } from '../strict-form.ts';
import { hasAnyTable, hasTable } from '../toml-table.ts';
import { codexFaults } from './codex-faults.ts';
import { type Fault, fatal, fault } from './fault.ts';

/** One agent's hook at one level. */
export interface Installation {
  readonly agent: string;
  readonly level: Level;
  /** The file that the hook is in. */
  readonly path: string;
  /** Handlers of ours, as they are in the file. */
  readonly handlers: readonly JsonObject[];
  /** What Claude Code starts its shell with, when that is ours. */
  readonly prefix?: string;
  readonly faults: readonly Fault[];
}

/** What there is of one agent at one level; undefined when nothing of ours is there. */
export function inspect(agent: string, places: Places, program: ProgramWords): Installation | undefined {
  const question = { agent, places, program, hint: again(agent, places) };
  const looks = targetsOf(agent, places, program).map((target) => look(target, question));
  const [first] = looks;
  if (first === undefined || !looks.some(({ isOurs }) => isOurs)) return undefined;
  const { path } = first.target;
  const handlers = looks.flatMap((one) => one.handlers);
  const missing = first.isOurs ? [] : [fatal(`no hook in ${path}`, question.hint)];
  const own = agent === 'codex' && first.isOurs ? codexFaults(path, places) : [];
  const faults = [...missing, ...looks.flatMap((one) => one.faults), ...own];
  const [prefix] = looks.flatMap((one) => one.prefixes ?? []);
  return { agent, level: places.level, path, handlers, faults, ...(prefix === undefined ? {} : { prefix }) };
}

/** Every agent at both levels, and what only shows when one looks at all of them. */
export function inspectAll(placesOf: (level: Level) => Places, program: ProgramWords): Installation[] {
  const found = Object.keys(DESCRIPTIONS).flatMap((agent) => {
    const [user, project] = (['user', 'project'] as const).map((level) => inspect(agent, placesOf(level), program));
    // In the home directory some agents' files of both levels are the same.
    const isSame = user?.path === project?.path;
    return [user, isSame ? undefined : project].filter((one) => one !== undefined);
  });
  return found.map((one) => ({ ...one, faults: unrepeated([...one.faults, ...doublesOf(one, found)]) }));
}

/** Handlers of one file mostly have the same fault. */
function unrepeated(faults: readonly Fault[]): Fault[] {
  return faults.filter(({ what }, index) => faults.findIndex((other) => other.what === what) === index);
}

interface Look {
  readonly target: Target;
  readonly isOurs: boolean;
  readonly handlers: readonly JsonObject[];
  readonly prefixes?: readonly string[];
  readonly faults: readonly Fault[];
}

interface Question {
  readonly agent: string;
  readonly places: Places;
  readonly program: ProgramWords;
  /** What mends most faults. */
  readonly hint: string;
}

function look(target: Target, question: Question): Look {
  try {
    return lookInto(target, question);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { target, isOurs: false, handlers: [], faults: [fatal(error.message, error.hint ?? 'mend the file')] };
  }
}

function lookInto(target: Target, question: Question): Look {
  const { text = '', bom } = readState(target.path, question.places);
  const source = { text, file: target.path };
  switch (target.kind) {
    case 'text':
      return lookIntoPlugin(target, source, question);
    case 'toml':
      return lookIntoTable(target, source, question);
    default:
      return lookIntoSettings(target, { ...source, bom }, question);
  }
}

function lookIntoPlugin(target: Target & { kind: 'text' }, { text }: JsonFile, question: Question): Look {
  if (!text.startsWith(PLUGIN_MARK)) return { target, isOurs: false, handlers: [], faults: [] };
  const handlers = [pluginHandler(text)];
  const wrong = handlers.flatMap((one) => wrongProgram(one, question));
  return {
    target,
    isOurs: true,
    handlers,
    faults: [...wrong, ...(text === target.text ? [] : [notOurs(target, question)])],
  };
}

function lookIntoTable(target: Target & { kind: 'toml' }, source: JsonFile, question: Question): Look {
  const isOurs = hasAnyTable(source, target.table);
  const isOther = isOurs && !hasTable(source, target.table);
  const other = fault(`${target.path} has another MCP server`, question.hint);
  return { target, isOurs, handlers: [], faults: isOther ? [other] : [] };
}

interface Settings extends JsonFile {
  readonly bom: string;
}

function lookIntoSettings(target: Target & { kind: 'json' }, source: Settings, question: Question): Look {
  const entries = ownEntries(source);
  const prefixes = entries.filter((entry) => typeof entry === 'string');
  const handlers = entries.filter((entry) => typeof entry !== 'string').filter((entry) => ownProgram(entry));
  const isOurs = entries.length > 0;
  if (!isOurs) return { target, isOurs, handlers, faults: [] };
  const isAsWritten = isInstalled(source, withoutTakenPrefix(source, target.template));
  const faults = [
    ...handlers.flatMap((one) => wrongProgram(one, question)),
    ...prefixes.flatMap((path) => wrongPath(path, question)),
    ...(isAsWritten ? [] : [notOurs(target, question)]),
    ...(target.isLenient ? [] : ignored(source, question)),
    ...settingsFaults(source, remove(question.agent, question.places.level)),
  ];
  return { target, isOurs, handlers, prefixes, faults };
}

/** What the agent's own parser stumbles over, and ours does not. */
function ignored({ bom, text, file }: Settings, { agent, hint }: Question): Fault[] {
  const [first] = strictForm(bom + text).cut;
  if (first === undefined) return [];
  // Of the first piece: in front of it the text is the same.
  const lines = text.slice(0, Math.max(0, first.at - bom.length)).split('\n');
  const what = first.text === bom ? 'a byte order mark' : first.text === ',' ? 'a comma at the end' : 'a comment';
  const where = `${file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
  const title = DESCRIPTIONS[agent]?.title ?? agent;
  return [fatal(`${where}: ${what}: ${title} takes plain JSON only, and ignores the whole file`, hint)];
}

function notOurs(target: Target, question: Question): Fault {
  return fault(`${target.path} is not what this version writes`, question.hint);
}

/** A path that leads nowhere, or to another program. */
function wrongProgram(handler: JsonObject, question: Question): Fault[] {
  return wrongPath(ownProgram(handler)?.at(-1) ?? '', question);
}

function wrongPath(path: string, question: Question): Fault[] {
  if (!isAbsolute(path))
    return [fault(`the hook names '${path}' without a path: it hangs on the agent's PATH`, question.hint)];
  if (!isExecutable(path)) return [fatal(`${path} is not there, or cannot be executed`, question.hint)];
  const isThis = realPath(path) === realPath(question.program.at(-1) ?? '');
  return isThis ? [] : [fault(`${path} is another yolofs than this one`, question.hint)];
}

/** Settings that keep hooks from running, or have ours run twice. */
function settingsFaults(source: JsonFile, hint: string): Fault[] {
  const value = plain(parseJson(source.text, source.file));
  if (!isObject(value)) return [];
  const plugins = isObject(value.enabledPlugins) ? Object.entries(value.enabledPlugins) : [];
  const isTwice = plugins.some(([name, isOn]) => name.startsWith('yolofs@') && isOn === true);
  // Claude Code's switch, and Gemini CLI's: all hooks, or those of a name.
  const gemini = isObject(value.hooksConfig) ? value.hooksConfig : {};
  const disabled = Array.isArray(gemini.disabled) ? gemini.disabled.map(String) : [];
  const switches = [
    ...(value.disableAllHooks === true ? ['disableAllHooks'] : []),
    ...(gemini.enabled === false ? ['hooksConfig.enabled = false'] : []),
    ...(disabled.some((name) => name.includes('yolofs')) ? ['our hook in hooksConfig.disabled'] : []),
  ];
  return [
    ...switches.map((name) => fatal(`${source.file} has ${name}`, 'remove it: the hook does not run')),
    ...(isTwice ? [fault('the plugin is enabled as well: each call is asked about twice', hint)] : []),
  ];
}

/** The same hook from two files that the agent reads both. */
function doublesOf({ agent, level }: Installation, all: readonly Installation[]): Fault[] {
  const twice = level === 'project' && all.some((one) => one.agent === agent && one.level === 'user');
  const claude =
    agent === 'copilot' && all.some((one) => one.agent === 'claude' && one.path.endsWith('/.claude/settings.json'));
  return [
    ...(twice
      ? [fault('it is installed for the user as well: each call is asked about twice', remove(agent, level))]
      : []),
    ...(claude
      ? [
          fault(
            "Copilot may read Claude Code's settings.json besides: each call is asked about twice",
            remove(agent, level),
          ),
        ]
      : []),
  ];
}

function again(agent: string, { level }: Places): string {
  return `yolofs install ${agent} --${level}`;
}

function remove(agent: string, level: Level): string {
  return `yolofs uninstall ${agent} --${level}`;
}
