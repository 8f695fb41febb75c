/** The real Claude Code with a scripted model, hooks of this build, and a home of its own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeHooks } from '../../../src/agents/install/descriptions.ts';
import { exec, type Result } from '../../support/exec.ts';
import { PROGRAM, type Session } from '../../support/session.ts';
import type { ScriptedModel } from '../model-servers/loopback.ts';
import { clientEnvironment, installClient } from './clients.ts';

const TIMEOUT = 60_000;
/** No word of the client to anybody, by its documented variables. */
const SILENT = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
};

/** What `install claude` writes, with this build as the program. */
export const HOOKS = claudeHooks([PROGRAM]) as { readonly hooks: Readonly<Record<string, unknown>> };

export interface ClaudeOptions {
  /** The user's settings.json. */
  readonly settings?: object;
  /** Rules for tools that need no question; all that the tests call, by default. */
  readonly allowed?: string;
  /** More of its arguments. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The variables that Claude Code needs to talk to the scripted model and to nobody else. */
export function claudeEnvironment(s: Session, model: ScriptedModel): Record<string, string> {
  return {
    ...clientEnvironment(s.home),
    ...SILENT,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'none-is-needed',
  };
}

/** One `claude -p` in the session's project, to its end. */
export async function runClaude(s: Session, model: ScriptedModel, options: ClaudeOptions = {}): Promise<Result> {
  const own = join(s.home, '.claude');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'settings.json'), JSON.stringify(options.settings ?? HOOKS));
  const program = await installClient('claude');
  const allowed = options.allowed ?? 'Bash Write Edit';
  return exec([program, '-p', 'go on', '--output-format', 'json', '--allowedTools', allowed, ...(options.args ?? [])], {
    cwd: s.project,
    env: { ...claudeEnvironment(s, model), ...options.env },
    timeout: TIMEOUT,
  });
}
