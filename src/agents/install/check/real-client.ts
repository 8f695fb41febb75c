/**
 * How a real client is started so that it reads the configuration that is installed, and nothing else of the person's: a copy of
 * the file in a directory of its own, a model on loopback, no question, no word to anybody.
 */
import { basename, join } from 'node:path';
import type { Level } from '../description.ts';
import type { ToolCall } from './model-api.ts';

export interface RealClient {
  readonly program: string;
  /** What the model says so that the client runs `command` in its shell. */
  call(command: string): ToolCall;
  /** Where the copy of the file at `path` goes: below `own`, or below `project`. */
  place(path: string, level: Level, at: { readonly own: string; readonly project: string }): string;
  /** Its arguments, for a model at `url`. */
  args(url: string): readonly string[];
  /** Added to its environment. */
  env(url: string, own: string): Readonly<Record<string, string>>;
}

const KEY = 'none-is-needed';

const CLAUDE: RealClient = {
  program: 'claude',
  call: (command) => ({ tool: 'Bash', input: { command, description: 'Try the hook' } }),
  place: (path, level, { own, project }) =>
    level === 'user' ? join(own, 'settings.json') : join(project, '.claude', basename(path)),
  args: (url) => [
    ...['-p', 'go on', '--output-format', 'json', '--allowedTools', 'Bash', '--strict-mcp-config'],
    // Variables that the file itself sets would lead to the person's own model.
    ...['--settings', JSON.stringify({ env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY } })],
  ],
  env: (url, own) => ({
    CLAUDE_CONFIG_DIR: own,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  }),
};

const CODEX: RealClient = {
  program: 'codex',
  call: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
  place: (path, _level, { own }) => join(own, basename(path)),
  args: (url) => [
    // Whether the hooks are trusted is looked at in the file; Codex' own sandbox would keep the command from yolofs.
    ...['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', '--dangerously-bypass-hook-trust'],
    ...['-c', 'model="gpt-5.5"', '-c', 'model_provider="yolofs"', '-c', 'analytics.enabled=false'],
    ...['-c', `model_providers.yolofs={name="yolofs",base_url="${url}/v1",wire_api="responses"}`],
    'go on',
  ],
  env: (_url, own) => ({ CODEX_HOME: own }),
};

/** Clients that can be started like this, by the word after `install`. */
export const REAL_CLIENTS: Readonly<Record<string, RealClient>> = { claude: CLAUDE, codex: CODEX };
