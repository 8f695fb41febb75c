/**
 * `.yolofs.toml`: parsed and checked as a whole, never guessed at. A key that is not known is an error, since it
 * would be a setting that somebody relies on and that does nothing. Errors name file, line, column and key.
 */
import { dirname } from 'node:path';
import * as v from 'valibot';
import type { Layout } from '../../history/layout.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import { homeDirectory } from '../../sys/host/home.ts';
import { realOf } from '../follow.ts';
import type { AskSettings } from '../questions/questions.ts';
import { type Rule, Rules } from '../rules.ts';
import { tokenFiles } from '../secrets/token-files.ts';
import { isAtLeastAsStrict } from '../states.ts';
import { type AgentPlaces, loadAgents } from './agents.ts';
import { type AskTable, askSettings, askTable } from './ask-table.ts';
import { type CageSettings, cageEntries, cageSettings, limitsTable, tightened } from './cage-settings.ts';
import { loadRules, loadUserFile, userConfigFile } from './load-rules.ts';
import { parseTable, readSettings } from './parse-table.ts';
import { checkProjectLines, type RuleLine, ruleLines, ruleTable } from './rule-lines.ts';
import {
  loosening,
  mayBeDirect,
  mayPassThrough,
  type SessionSettings,
  type Shared,
  sharedEntries,
  sharedSettings,
  sourceTables,
  together,
} from './settings.ts';

/** Of what does nothing in a project's file, in one line. */
const MOST_TOLD = 5;

/** The configuration of a session, of all files. */
export interface Config extends Omit<ProjectConfig, 'session'> {
  readonly session: SessionSettings;
  /** Of all layers. */
  readonly rules: readonly Rule[];
  readonly ask: AskSettings;
  /** What wrapped agents keep: host paths that the view passes through, and directories that the session has of its own. */
  readonly agents: Pick<AgentPlaces, 'direct' | 'own'>;
  /** What settings do nothing, in a sentence each. */
  readonly ignored: readonly string[];
}

/** What a project's file says. */
export interface ProjectConfig {
  readonly session: Shared;
  readonly cage: CageSettings;
  readonly daemon: {
    /** After so many minutes without a run and without a process in the view the daemon ends; 0 = never. */
    readonly idleMinutes: number;
  };
  /** What the file says of questions. */
  readonly askTable: AskTable;
  /** What the file says of paths, in its order. */
  readonly ruleLines: readonly RuleLine[];
  /** Sources that the file proposes, as its tables are. */
  readonly sources: Readonly<Record<string, unknown>>;
}

const schema = v.strictObject({
  session: v.optional(
    v.strictObject({
      ...sharedEntries,
      ...cageEntries,
    }),
    {},
  ),
  limits: limitsTable,
  daemon: v.optional(
    v.strictObject({
      idle_minutes: v.optional(
        v.pipe(v.number('has to be a number of minutes'), v.minValue(0, 'has to be 0 or more'), v.maxValue(30_000)),
        30,
      ),
    }),
    {},
  ),
  ask: askTable,
  rules: ruleTable,
  sources: sourceTables,
});

/** Every file that it is read from, or that has been looked at for it. */
export function configFiles(layout: Layout): readonly string[] {
  const known = tokenFiles({ home: realOf(homeDirectory()), project: layout.project });
  return [layout.config, layout.rules, layout.agents, userConfigFile(), ...known];
}

/** The configuration of a session; a missing file is an empty one. Throws a UserError that names the place. */
export function loadConfig(layout: Layout): Config {
  const config = parseConfig(readSettings(layout.config), layout.config);
  const user = loadUserFile();
  const own = sharedSettings(user.tables.session);
  const ask = askSettings(user.tables.ask, config.askTable);
  const rules = new Rules(loadRules(layout, user, config.ruleLines));
  const agents = loadAgents(layout);
  const { direct, ...shared } = together(own, config.session);
  const passed = direct.filter((path) => mayPassThrough(path, rules));
  const loose = [
    ...loosening(own, config.session),
    ...(config.askTable.default === 'allow' && !ask.allow ? [`'default = "allow"'`] : []),
    ...looseRules(rules),
  ];
  return {
    ...config,
    session: { ...shared, direct: passed },
    cage: tightened(cageSettings(user.tables), config.cage),
    ask,
    rules: rules.all,
    agents: { direct: directOf(agents, rules), own: agents.own },
    ignored: [
      ...looseningOf(layout.config, loose),
      ...proposals(config.sources, user.tables.sources, layout.config),
      ...leftOut(
        user.file,
        direct.filter((path) => !passed.includes(path)),
      ),
    ],
  };
}

/** A source of a project's file does nothing until the person has taken it into their own. */
function proposals(sources: ProjectConfig['sources'], own: ProjectConfig['sources'], file: string): readonly string[] {
  const names = Object.keys(sources).filter((name) => !(name in own));
  return names.map(
    (name) => `${file}: source '${name}' is a proposal; 'yolofs source add --from-project ${name}' takes it`,
  );
}

/** What agents keep outside, where it is still there and a person's rules do not say otherwise. */
function directOf({ direct }: AgentPlaces, rules: Rules): string[] {
  return direct.filter((path) => lookAt(path)?.isDirectory() && mayBeDirect(path, rules));
}

/** Of a project's file what would loosen, in a sentence. */
function looseningOf(file: string, settings: readonly string[]): readonly string[] {
  if (settings.length === 0) return [];
  const [some, more] = [settings.slice(0, MOST_TOLD), settings.length - MOST_TOLD];
  const list = more > 0 ? [...some, `${more} more`] : some;
  return [`${file}: ${list.join(', ')} would loosen, which a project's file cannot; ${userConfigFile()} can`];
}

function leftOut(file: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`${file}: not direct, for a rule would be lost: ${paths.join(', ')}`];
}

/** Rules of a project's file for paths that other rules open less, as written. */
function looseRules(rules: Rules): readonly string[] {
  const loose = rules.all.filter(({ pattern: { path }, decider: { layer, state } }) => {
    if (layer !== 'project' || path === undefined) return false;
    const trusted = rules.trustedStateOf(path);
    return trusted !== state && isAtLeastAsStrict(trusted, state);
  });
  return [...new Set(loose.map(({ decider: { pattern, state } }) => `'${JSON.stringify(pattern)} = "${state}"'`))];
}

/** Parses `text`, the content of `file`. Throws a UserError that names the place. */
export function parseConfig(text: string, file: string): ProjectConfig {
  const { session, limits, daemon, ask, rules, sources } = parseTable(schema, text, file);
  const places = { home: homeDirectory(), project: dirname(file) };
  const lines = ruleLines(rules, { text, file, places });
  checkProjectLines(lines, places);
  return {
    session: sharedSettings(session),
    cage: cageSettings({ session, limits }),
    daemon: { idleMinutes: daemon.idle_minutes },
    askTable: ask,
    ruleLines: lines,
    sources,
  };
}
