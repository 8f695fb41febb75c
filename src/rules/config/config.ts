/**
 * `.yolofs.toml`: parsed and checked as a whole, never guessed at. A key that is not known is an error, since it
 * would be a setting that somebody relies on and that does nothing. Errors name file, line, column and key.
 */
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import * as v from 'valibot';
import type { Layout } from '../../history/layout.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import type { AskSettings } from '../questions/questions.ts';
import { type Rule, Rules } from '../rules.ts';
import { type AgentPlaces, loadAgents } from './agents.ts';
import { type AskTable, askSettings, askTable } from './ask-table.ts';
import { type CageSettings, cageEntries, cageSettings, limitsTable, tightened } from './cage-settings.ts';
import { loadRules, loadUserFile, userConfigFile } from './load-rules.ts';
import { parseTable, readSettings } from './parse-table.ts';
import { checkProjectLines, type RuleLine, ruleLines, ruleTable } from './rule-lines.ts';
import { mayBeDirect, sharedEntries, sharedSettings, together } from './settings.ts';

/** The configuration of a session, of all files. */
export interface Config extends ProjectConfig {
  /** Of all layers. */
  readonly rules: readonly Rule[];
  readonly ask: AskSettings;
  /** Directories that agents keep of their own in this session. */
  readonly own: readonly string[];
  /** Paths that the project's file may not pass through. */
  readonly ignoredDirect: readonly string[];
}

/** What a project's file says. */
export interface ProjectConfig {
  readonly session: {
    /** Absolute host paths, normalised, that the view passes straight through. */
    readonly direct: readonly string[];
    /** Whether `run` takes a snapshot after a command that changed something. */
    readonly autoSnapshot: boolean;
    /** What fsync(2) in the view is worth: `full` survives a power cut, `process` the death of any process. */
    readonly durability: 'full' | 'process';
    /** Bytes that contents may occupy in the store; undefined: no limit but the disk's. */
    readonly quota: number | undefined;
  };
  readonly cage: CageSettings;
  readonly daemon: {
    /** After so many minutes without a run and without a process in the view the daemon ends; 0 = never. */
    readonly idleMinutes: number;
  };
  /** What the file says of questions. */
  readonly askTable: AskTable;
  /** What the file says of paths, in its order. */
  readonly ruleLines: readonly RuleLine[];
}

const schema = v.strictObject({
  session: v.optional(
    v.strictObject({
      ...sharedEntries,
      auto_snapshot: v.optional(v.boolean('has to be true or false'), true),
      durability: v.optional(v.picklist(['full', 'process'], "has to be 'full' or 'process'"), 'full'),
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
});

/** Every file that it is read from. */
export function configFiles(layout: Layout): readonly string[] {
  return [layout.config, layout.rules, layout.agents, userConfigFile()];
}

/** The configuration of a session; a missing file is an empty one. Throws a UserError that names the place. */
export function loadConfig(layout: Layout): Config {
  const config = parseConfig(readSettings(layout.config), layout.config);
  const user = loadUserFile();
  const cage = tightened(cageSettings(user.tables), config.cage);
  const ask = askSettings(user.tables.ask, config.askTable);
  const rules = loadRules(layout, user, config.ruleLines);
  const agents = loadAgents(layout);
  const checked = new Rules(rules);
  const { ignored, ...shared } = together(sharedSettings(user.tables.session), config.session, checked);
  const direct = [...new Set([...shared.direct, ...directOf(agents, checked)])];
  const session = { ...config.session, ...shared, direct };
  return { ...config, session, cage, ask, rules, own: agents.own, ignoredDirect: ignored };
}

/** What agents keep outside, where it is still there and a person's rules do not say otherwise. */
function directOf({ direct }: AgentPlaces, rules: Rules): string[] {
  return direct.filter((path) => lookAt(path)?.isDirectory() && mayBeDirect(path, rules));
}

/** Parses `text`, the content of `file`. Throws a UserError that names the place. */
export function parseConfig(text: string, file: string): ProjectConfig {
  const { session, limits, daemon, ask, rules } = parseTable(schema, text, file);
  const places = { home: homedir(), project: dirname(file) };
  const lines = ruleLines(rules, { text, file, places });
  checkProjectLines(lines, places);
  return {
    session: {
      ...sharedSettings(session),
      autoSnapshot: session.auto_snapshot,
      durability: session.durability,
    },
    cage: cageSettings({ session, limits }),
    daemon: { idleMinutes: daemon.idle_minutes },
    askTable: ask,
    ruleLines: lines,
  };
}
