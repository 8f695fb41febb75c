/**
 * What the manifest of a package makes run: its scripts, and settings that let others' scripts run or name the program that
 * installs and builds it. Pure, on bounded text.
 */
import { parse, TomlError } from 'smol-toml';
import { isNestedTooDeep } from '../../../sys/text/nesting.ts';

type Table = Readonly<Record<string, unknown>>;

/** What `npm install` and `npm rebuild` run of it (npm's documentation, "Life Cycle Operation Order"). */
const RUN_BY_INSTALL = /^[\w-]+\.(?:pre|post)?install$/;

/** Scripts, and what tools run by hooks of git; each of them is told. */
const SCRIPTS = ['scripts', 'tasks', 'husky', 'simple-git-hooks', 'gitHooks', 'lint-staged'];

/** What lets the scripts of dependencies run, or says which package manager is started: npm's, Bun's, pnpm's, Yarn's, Composer's. */
const JSON_SETTINGS = [
  ...['allowScripts', 'trustedDependencies', 'dependenciesMeta', 'lavamoat.allowScripts', 'config.allow-plugins'],
  ...['pnpm.onlyBuiltDependencies', 'pnpm.allowBuilds', 'pnpm.dangerouslyAllowAllBuilds', 'pnpm.configDependencies'],
  ...['packageManager', 'devEngines.packageManager'],
];

/** What builds the package, and the tasks of the tools that keep theirs in it; Cargo's script of the build by another name. */
const TOML_SETTINGS = [
  ...['build-system', 'tool.hatch.build', 'tool.hatch.envs', 'tool.pdm.build', 'tool.pdm.scripts', 'tool.poetry.build'],
  ...['tool.poe.tasks', 'tool.taskipy.tasks', 'tool.pixi.tasks', 'tool.rye.scripts', 'tool.mypy.plugins'],
  ...['tool.pylint.main.init-hook', 'tool.pylint.main.load-plugins', 'package.build'],
];

/** Of `package.json`, `composer.json`, `deno.json`: those first that run without being asked for; of others' packages only those. */
export function jsonManifest(text: string, isOthers: boolean): ReadonlyMap<string, string> {
  const value = jsonOf(text);
  // What is no JSON for us may be some for a package manager.
  if (value === undefined) return new Map(text.trim() === '' ? [] : [['not plain JSON', text]]);
  const scripts = SCRIPTS.flatMap((part) =>
    Object.entries(tableAt(value, part)).map(([name, one]) => [`${part}.${name}`, JSON.stringify(one)] as const),
  );
  const installs = scripts.filter(([key]) => RUN_BY_INSTALL.test(key));
  if (isOthers) return new Map(installs);
  return new Map([...installs, ...settingsOf(value, JSON_SETTINGS), ...scripts]);
}

/** Of `pyproject.toml` and `Cargo.toml`. */
export function tomlManifest(text: string): ReadonlyMap<string, string> {
  const value = tomlOf(text);
  return value === undefined ? new Map([['not plain TOML', text]]) : new Map(settingsOf(value, TOML_SETTINGS));
}

/** Those of the settings that there are, each as text. */
function settingsOf(value: Table, keys: readonly string[]): (readonly [key: string, text: string])[] {
  return keys.flatMap((key) => {
    const one = key.split('.').reduce<unknown>(memberOf, value);
    return one === undefined ? [] : [[key, JSON.stringify(one)] as const];
  });
}

function memberOf(value: unknown, name: string): unknown {
  return isTable(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function tableAt(value: Table, name: string): Table {
  const member = memberOf(value, name);
  return isTable(member) ? member : {};
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null;
}

function jsonOf(text: string): Table | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (isNestedTooDeep(value)) return undefined;
    return isTable(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function tomlOf(text: string): Table | undefined {
  try {
    const value = parse(text);
    return isNestedTooDeep(value) ? undefined : value;
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}
