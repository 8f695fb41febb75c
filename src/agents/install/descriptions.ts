/** The six agents: which file at which level, and which entries. Each shape is what the host's contract asks for. */
import { lookAt } from '../../sys/files/text-files.ts';
import type { Installed } from '../event.ts';
import type { Description, Places, ProgramWords, Target } from './description.ts';
import type { JsonObject } from './json-tree.ts';
import { opencodePlugin } from './opencode-plugin.ts';
import { SHELL_PREFIX } from './own-handler.ts';
import { execHook, guardedHook, mcpServer, mcpServers, shellHook, shellPrefix, TIMEOUT } from './shapes.ts';

/** The hooks of Claude Code's settings and of our plugin for it. */
export function claudeHooks(program: ProgramWords): JsonObject {
  const [command, args] = execHook(program, 'claude');
  const hook = { type: 'command', command, args, timeout: TIMEOUT };
  return {
    hooks: {
      // Without onFailure a hook that cannot run lets the call pass.
      PreToolUse: [
        { matcher: 'Bash|Monitor|PowerShell|Write|Edit|NotebookEdit', hooks: [{ ...hook, onFailure: 'block' }] },
      ],
      // Not PostToolBatch: it comes after every tool, and a call that was denied looks there like one that ran.
      PostToolUse: [{ matcher: 'Bash|Monitor', hooks: [hook] }],
      PostToolUseFailure: [{ matcher: 'Bash|Monitor', hooks: [hook] }],
      SessionStart: [{ matcher: 'startup|resume|clear|compact', hooks: [hook] }],
    },
  };
}

/** With it the model's commands stay as they are, and are staged even when a hook breaks unnoticed. A plugin cannot have it. */
function claudeShell(program: ProgramWords): JsonObject {
  const prefix = shellPrefix(program);
  return prefix === undefined ? {} : { env: { [SHELL_PREFIX]: prefix } };
}

const CLAUDE: Description = {
  title: 'Claude Code',
  targets: ({ level, home, project, environment }, program) => {
    const own = environment.CLAUDE_CONFIG_DIR;
    // In a project: the file that is one person's own, since the path of the program is, too.
    const settings =
      level === 'user' ? `${own ?? `${home}/.claude`}/settings.json` : `${project}/.claude/settings.local.json`;
    const servers = level === 'user' ? `${own ?? home}/.claude.json` : `${project}/.mcp.json`;
    return [
      { kind: 'json', path: settings, template: { ...claudeHooks(program), ...claudeShell(program) } },
      { kind: 'json', path: servers, template: mcpServers(program) },
    ];
  },
  next: (level) =>
    level === 'user' ? [] : ['start claude in the project and accept its trust question: project hooks wait for it'],
};

const CODEX: Description = {
  title: 'Codex',
  targets: ({ level, home, project, environment }, program) => {
    const directory = level === 'user' ? (environment.CODEX_HOME ?? `${home}/.codex`) : `${project}/.codex`;
    const hook = { type: 'command', timeout: TIMEOUT };
    const matcher = '^(Bash|apply_patch)$';
    const [before, after] = [guardedHook(program, 'codex'), shellHook(program, 'codex')];
    const hooks = {
      PreToolUse: [{ matcher, hooks: [{ ...hook, command: before }] }],
      PostToolUse: [{ matcher, hooks: [{ ...hook, command: after }] }],
      SessionStart: [{ hooks: [{ ...hook, command: after }] }],
    };
    const table = { parent: 'mcp_servers', name: 'yolofs', values: { ...mcpServer(program) } };
    return [
      // Not in config.toml: a defect there keeps codex from starting at all.
      { kind: 'json', path: `${directory}/hooks.json`, template: { hooks } },
      { kind: 'toml', path: `${directory}/config.toml`, table },
    ];
  },
  next: (level) => [
    ...(level === 'user' ? [] : ['trust the project in codex: it reads the configuration of no other']),
    "start codex and review the hooks with '/hooks': it runs none that nobody has trusted",
    "switch Codex' own sandbox off (--sandbox danger-full-access): no command in it reaches yolofs, so none runs",
  ],
};

const GEMINI: Description = {
  title: 'Gemini CLI',
  targets: ({ level, home, project }, program) => {
    // Milliseconds.
    const hook = { type: 'command', timeout: TIMEOUT * 1000 };
    const [before, after] = [guardedHook(program, 'gemini'), shellHook(program, 'gemini')];
    const matcher = '^(run_shell_command|write_file|replace)$';
    const hooks = {
      BeforeTool: [{ matcher, hooks: [{ name: 'yolofs', ...hook, command: before }] }],
      AfterTool: [{ matcher, hooks: [{ name: 'yolofs-summary', ...hook, command: after }] }],
      SessionStart: [{ hooks: [{ name: 'yolofs-start', ...hook, command: after }] }],
    };
    const path = `${level === 'user' ? home : project}/.gemini/settings.json`;
    return [{ kind: 'json', path, template: { hooks, ...mcpServers(program) }, isLenient: true }];
  },
  next: (level) =>
    level === 'user' ? [] : ['start gemini in the project and trust the folder: it runs no hooks of others'],
};

const COPILOT: Description = {
  title: 'GitHub Copilot CLI',
  targets: ({ level, home, project, environment }, program) => {
    const own = environment.COPILOT_HOME ?? `${home}/.copilot`;
    const [exec, args] = execHook(program, 'copilot');
    const hook = { type: 'command', exec, args, timeoutSec: TIMEOUT };
    // Event names in camel case: the others come with another dialect of the payload.
    const before = { type: 'command', bash: guardedHook(program, 'copilot'), timeoutSec: TIMEOUT };
    const hooks = {
      preToolUse: [{ ...before, matcher: 'bash|create|edit|str_replace_editor|apply_patch' }],
      postToolUse: [{ ...hook, matcher: 'bash' }],
      postToolUseFailure: [hook],
    };
    const server = { mcpServers: { yolofs: { type: 'local', ...mcpServer(program), tools: ['*'] } } };
    return [
      {
        kind: 'json',
        path: level === 'user' ? `${own}/hooks/yolofs.json` : `${project}/.github/hooks/yolofs.json`,
        template: { version: 1, hooks },
        isOurs: true,
      },
      {
        kind: 'json',
        path: level === 'user' ? `${own}/mcp-config.json` : `${project}/.github/mcp.json`,
        template: server,
      },
    ];
  },
  next: () => ["copilot -p needs '--add-dir' with the directory of yolofs: it asks about the path of each program"],
};

const CURSOR: Description = {
  title: 'Cursor',
  targets: ({ level, home, project }, program) => {
    const directory = `${level === 'user' ? home : project}/.cursor`;
    const command = shellHook(program, 'cursor');
    const hooks = {
      preToolUse: [{ command, matcher: 'Shell|Write|Delete', timeout: TIMEOUT, failClosed: true }],
      postToolUse: [{ command, matcher: 'Shell', timeout: TIMEOUT }],
    };
    return [
      { kind: 'json', path: `${directory}/hooks.json`, template: { version: 1, hooks } },
      { kind: 'json', path: `${directory}/mcp.json`, template: mcpServers(program) },
    ];
  },
  next: () => [],
};

const OPENCODE: Description = {
  title: 'OpenCode',
  targets: (places, program) => {
    const { level, home, project, environment } = places;
    const user = `${environment.XDG_CONFIG_HOME ?? `${home}/.config`}/opencode`;
    const directory = level === 'user' ? user : `${project}/.opencode`;
    const { command, args } = mcpServer(program);
    const server = { type: 'local', command: [command, ...args], enabled: true };
    return [
      { kind: 'text', path: `${directory}/plugins/yolofs.ts`, text: opencodePlugin(program) },
      {
        kind: 'json',
        path: opencodeConfig(level === 'user' ? user : project),
        template: { mcp: { yolofs: server } },
        isLenient: true,
      },
    ];
  },
  next: () => ['tell the model in AGENTS.md that its commands are wrapped: it sees the wrapped text'],
};

/** Keyed by the word after `install`. */
export const DESCRIPTIONS: Readonly<Record<string, Description>> = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  copilot: COPILOT,
  cursor: CURSOR,
  opencode: OPENCODE,
} satisfies Readonly<Record<Installed, Description>>;

/** All files of one agent at one level; `path` is absolute. */
export function targetsOf(agent: string, places: Places, program: ProgramWords): readonly Target[] {
  return DESCRIPTIONS[agent]?.targets(places, program) ?? [];
}

/** OpenCode reads both; a second one beside a person's own would be a surprise. */
function opencodeConfig(directory: string): string {
  const withComments = `${directory}/opencode.jsonc`;
  return lookAt(withComments) === undefined ? `${directory}/opencode.json` : withComments;
}
