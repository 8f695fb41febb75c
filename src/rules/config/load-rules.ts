/**
 * The rules of all layers, from their files:
 *
 *     built in                        all but that for the user's file not where that says `default_rules = false`
 *     ~/.config/yolofs/config.toml    the user's, for all projects
 *     rules.toml (the entry's)        this session's: what a person has allowed here; the view cannot see it
 *     .yolofs.toml                    the project's, which can only tighten
 */
import * as v from 'valibot';
import type { Layout } from '../../history/layout.ts';
import { isWithin, toBytePath } from '../../sys/bytes.ts';
import { homeDirectory } from '../../sys/host/home.ts';
import { followed, realOf } from '../follow.ts';
import { exactPattern, type Places } from '../pattern/pattern.ts';
import type { Rule } from '../rules.ts';
import { lookAtTokenFiles } from '../secrets/token-files.ts';
import { type AgentPlaces, agentRules, loadAgents } from './agents.ts';
import { askTable } from './ask-table.ts';
import { limitsTable, userCageEntries } from './cage-settings.ts';
import { defaultRules, ownRules } from './defaults.ts';
import { ownInstallation } from './installation.ts';
import { parseTable, readOwnSettings, readSettings } from './parse-table.ts';
import { type RuleLine, ruleLines, rulesOfLines, ruleTable } from './rule-lines.ts';
import { sharedEntries, sourceTables } from './settings.ts';
import { sharedGitDirectory } from './work-tree.ts';

const userSchema = v.strictObject({
  default_rules: v.optional(v.boolean('has to be true or false'), true),
  session: v.optional(v.strictObject({ ...userCageEntries, ...sharedEntries }), {}),
  limits: limitsTable,
  ask: askTable,
  rules: ruleTable,
  sources: sourceTables,
});

const sessionSchema = v.strictObject({ rules: ruleTable });

/** The user's own file. */
export function userConfigFile(): string {
  return `${homeDirectory()}/.config/yolofs/config.toml`;
}

/** What it says. */
export interface UserFile {
  readonly tables: v.InferOutput<typeof userSchema>;
  readonly text: string;
  readonly file: string;
}

/** A missing file is an empty one. Throws a UserError that names the place. */
export function loadUserFile(): UserFile {
  const file = userConfigFile();
  const text = readOwnSettings(file);
  return { tables: parseTable(userSchema, text, file), text, file };
}

/** The text that was parsed last: an answer for always has the same one looked at several times. */
let latest: { readonly key: string; readonly text: string; readonly lines: readonly RuleLine[] } | undefined;

/** The rules in `text`, the content of the session's own file. Throws a UserError that names the place. */
export function parseSessionRules(text: string, layout: Layout): readonly RuleLine[] {
  const places = { home: realOf(homeDirectory()), project: layout.project };
  const key = `${places.home}\0${layout.rules}`;
  if (latest?.key === key && latest.text === text) return latest.lines;
  const { rules } = parseTable(sessionSchema, text, layout.rules);
  const lines = ruleLines(rules, { text, file: layout.rules, places });
  latest = { key, text, lines };
  return lines;
}

/** `lines` are the project's. Throws a UserError that names the place. */
export function loadRules(layout: Layout, user: UserFile, lines: readonly RuleLine[]): readonly Rule[] {
  const places = { home: realOf(homeDirectory()), project: layout.project };
  const userPlaces = { ...places, project: undefined };
  const { default_rules: hasDefaults, rules } = user.tables;
  const userLines = ruleLines(rules, { text: user.text, file: user.file, places: userPlaces });
  const sessionLines = parseSessionRules(readSettings(layout.rules), layout);
  const all = [
    ...(hasDefaults ? builtIn(places, loadAgents(layout)) : []),
    ...ownRules(places),
    ...sourceRules(user.tables.sources),
    ...rulesOfLines(userLines, 'user', userPlaces),
    ...rulesOfLines(sessionLines, 'session', places),
    ...rulesOfLines(lines, 'project', places),
  ];
  return followed(all, toBytePath(realOf(layout.project)));
}

/** What a source has is to be read and changed: it is staged as everything is, and the person has put it there. */
function sourceRules(sources: UserFile['tables']['sources']): readonly Rule[] {
  return Object.entries(sources).map(([name, table]): Rule => {
    const { at } = table as { at?: unknown };
    const path = typeof at === 'string' ? at : `/sources/${name}`;
    return {
      pattern: exactPattern(toBytePath(path), path),
      decider: { state: 'allow', pattern: path, layer: 'default' },
    };
  });
}

/**
 * What counts where nobody has said otherwise, for wrapped agents, too: each reads what it signs in with, which lies among what it
 * keeps.
 */
function builtIn(places: Places & { readonly project: string }, agents: AgentPlaces): readonly Rule[] {
  const installed = [...ownInstallation(places.home), ...agents.readable];
  const own = [sharedGitDirectory(places.project) ?? [], agents.named].flat();
  const rules = defaultRules(places, { installed, own, files: lookAtTokenFiles(places) });
  const kept = agents.staged.map(toBytePath);
  const isAgents = ({ pattern: { path } }: Rule): boolean =>
    path !== undefined && kept.some((dir) => path !== dir && isWithin(path, dir));
  return [...rules.filter((rule) => rule.decider.state !== 'deny' || !isAgents(rule)), ...agentRules(agents, places)];
}
