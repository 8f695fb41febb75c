/** Claude Code. What it keeps in its directory was found out with 2.1.329; what a later version adds is staged. */
import { join } from 'node:path';
import { readText } from '../../sys/files/text-files.ts';
import { changedKeys, isTable, parseTable } from './json-state.ts';
import { addedLines, isOfProject } from './of-project.ts';
import type { Launch, LaunchOptions, Places, Profile, Surroundings } from './profile.ts';

type Json = Record<string, unknown>;

/** Sourced by shells, written back by `/rewind`, of one run only, or of all projects together. */
const OWN = [
  ...['todos', 'tasks', 'plans'],
  ...['shell-snapshots', 'session-env', 'file-history', 'sessions', 'paste-cache', 'backups'],
  ...['debug', 'cache', 'statsig', 'telemetry', 'jobs', 'daemon', 'plugins/store'],
];
/** Counters and the like in `.claude.json`: nothing that decides what is run or what is asked about. */
const HARMLESS = [
  /^(num|first|last|tips|seen|has(Seen|Shown|Used)|promptQueue|memoryUsage|pluginUsage|skillUsage|toolUsage)/,
  /^(userID|anonymousId|machineID|migrationVersion|opusProMigrationComplete|changelogLastFetched|btwUseCount|theme)$/,
  /^(subscription(Notice|Upsell)|feedbackSurvey|officialMarketplaceAutoInstall|hasResetAutoModeOptInForDefaultOffer$)/,
];
const HARMLESS_OF_PROJECT = /^(last|example|hasCompletedProjectOnboarding|projectOnboardingSeenCount|reactVulner)/;

export const claude: Profile = {
  agent: 'claude',
  program: 'claude',
  hint: "'npm install -g @anthropic-ai/claude-code' installs it",
  variables: ['ANTHROPIC_*', 'CLAUDE_*', 'AWS_BEARER_TOKEN_BEDROCK'],
  places,
  launch,
};

function places({ home, env, cwd }: Surroundings): Places {
  const asked = env.CLAUDE_CONFIG_DIR;
  const dir = asked?.startsWith('/') ? asked : join(home, '.claude');
  const file = asked?.startsWith('/') ? join(dir, '.claude.json') : join(home, '.claude.json');
  const at = (name: string): string => join(dir, name);
  const transcripts = join(dir, 'projects', slugOf(cwd));
  const isShared = sharesSlug(cwd, file);
  return {
    direct: isShared ? [] : [transcripts],
    // What it has learned is read as orders by every later session of the project.
    own: [...OWN.map(at), isShared ? transcripts : join(transcripts, 'memory')],
    asked: [at('projects')],
    staged: [dir, file, `${file}.*`, join(home, '.local/state/claude')],
    files: [
      { path: file, objection: (before, after) => objectionToConfig(before, after, cwd) },
      { path: at('.credentials.json'), objection: objectionToCredentials },
      { path: at('history.jsonl'), objection: (before, after) => objectionToHistory(before, after, cwd) },
      { path: at('.last-cleanup'), objection: objectionToTime },
    ],
  };
}

/** The directory of a project's transcripts, as Claude Code names it. One that it names otherwise is staged. */
function slugOf(cwd: string): string {
  return cwd.replace(/[^A-Za-z0-9]/g, '-');
}

/** Whether another project that Claude Code knows has its transcripts in the same directory: `/a-b` and `/a/b`. */
function sharesSlug(cwd: string, file: string): boolean {
  const known = parseTable(readText(file) ?? '')?.projects;
  const others = isTable(known) ? Object.keys(known).filter((path) => path !== cwd) : [];
  return others.some((path) => slugOf(path) === slugOf(cwd));
}

function objectionToTime(_before: string | undefined, after: string): string | undefined {
  return /^[\d:.TZ+\s-]{0,40}$/.test(after) ? undefined : 'is no point in time';
}

/** What the person has typed is added at the end. What was typed elsewhere, or is carried out when it is sent again, may be forged. */
function objectionToHistory(before: string | undefined, after: string, cwd: string): string | undefined {
  const added = addedLines(before, after);
  if (added === undefined) return 'changes what was there before';
  if (added.some(({ project }) => !isOfProject(project, cwd))) return 'adds what was typed in another project';
  const isPlain = ({ display }: Json): boolean => typeof display === 'string' && !/^\s*[!/#]/.test(display);
  return added.every(isPlain) ? undefined : 'adds a command that could be sent again';
}

/** A rotated token is applied: the old one is worth nothing any more. Who has signed in, or out, is for the person to say. */
function objectionToCredentials(before: string | undefined, after: string): string | undefined {
  const [old, fresh] = [parseTable(before ?? ''), parseTable(after)];
  if (old === undefined || fresh === undefined) return 'somebody has signed in or out';
  const changed = changedKeys(old, fresh);
  if (changed.some((key) => key !== 'claudeAiOauth')) return `changes ${changed.join(', ')}`;
  const [was, is] = [old.claudeAiOauth, fresh.claudeAiOauth];
  if (!isTable(was) || !isTable(is)) return 'somebody has signed in or out';
  const others = changedKeys(was, is).filter(
    (key) => !/^(accessToken|refreshToken|(refreshToken)?[eE]xpiresAt)$/.test(key),
  );
  return others.length === 0 ? undefined : `changes ${others.join(', ')}`;
}

function objectionToConfig(before: string | undefined, after: string, cwd: string): string | undefined {
  const [old, fresh] = [parseTable(before ?? '{}'), parseTable(after)];
  if (old === undefined || fresh === undefined) return 'is no JSON object';
  const keys = changedKeys(old, fresh).flatMap((key) => {
    if (key === 'projects') return projectKeys(old.projects, fresh.projects, cwd);
    return HARMLESS.some((pattern) => pattern.test(key)) ? [] : [key];
  });
  return keys.length === 0 ? undefined : `changes ${keys.slice(0, 5).join(', ')}`;
}

function projectKeys(before: unknown, after: unknown, cwd: string): string[] {
  if (!isTable(before ?? {}) || !isTable(after)) return ['projects'];
  const old = (before ?? {}) as Json;
  return changedKeys(old, after).flatMap((project) => {
    const [was, is] = [old[project] ?? {}, after[project]];
    if (!isTable(was) || !isTable(is)) return ['projects'];
    const isDefault = (key: string): boolean => was[key] === undefined && isEmpty(is[key]);
    return changedKeys(was, is)
      .filter((key) => !(isOfProject(project, cwd) && HARMLESS_OF_PROJECT.test(key)) && !isDefault(key))
      .map((key) => `projects.${key}`);
  });
}

/** What a new project's entry says of what nobody has decided. */
function isEmpty(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
}

/** Settings of this run go on top of all others. What the person's own `--settings` say stays. */
function launch({ args, hook, read }: LaunchOptions): Launch {
  const env = { IS_SANDBOX: '1', CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1' };
  const at = args.findIndex((arg) => arg === '--settings' || arg.startsWith('--settings='));
  if (at < 0) return { args: ['--settings', JSON.stringify(settingsWith({}, hook)), ...args], env };
  const isJoined = args[at] !== '--settings';
  const given = (isJoined ? args[at]?.slice('--settings='.length) : args[at + 1]) ?? '';
  const theirs = parseTable(given) ?? parseTable(read(given) ?? '');
  if (theirs === undefined)
    return { args, env, notice: 'your --settings cannot be read, so no hooks were added: no snapshot for each call' };
  const rest = args.filter((_arg, index) => index !== at && (isJoined || index !== at + 1));
  return { args: ['--settings', JSON.stringify(settingsWith(theirs, hook)), ...rest], env };
}

function settingsWith(theirs: Json, [command, ...args]: readonly string[]): Json {
  const entry = { hooks: [{ type: 'command', command, args, timeout: 60 }] };
  const hooks = isTable(theirs.hooks) ? theirs.hooks : {};
  const after = (event: string): Json => ({ [event]: [...(Array.isArray(hooks[event]) ? hooks[event] : []), entry] });
  return {
    // What it does at a start for other sessions is no matter of this one.
    cleanupPeriodDays: 3650,
    disableDeepLinkRegistration: 'disable',
    ...theirs,
    // The view is the sandbox; Claude Code's own would need a namespace in it.
    sandbox: { ...(isTable(theirs.sandbox) ? theirs.sandbox : {}), enabled: false },
    hooks: { ...hooks, ...after('SessionStart'), ...after('PostToolUse'), ...after('PostToolUseFailure') },
  };
}
