/** The real Codex with a scripted model, hooks of this build, and a home of its own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventKey, trustedHash } from '../../../src/agents/codex-trust.ts';
import { guardedHook, shellHook } from '../../../src/agents/install/shapes.ts';
import { self } from '../../support/accounts.ts';
import { exec, type Result } from '../../support/exec.ts';
import { giveTo, MAIN, PROGRAM, type Session } from '../../support/session.ts';
import type { ScriptedModel } from '../model-servers/loopback.ts';
import { clientEnvironment, installClient } from './clients.ts';

const TIMEOUT = 60_000;
/** As `install` writes it. */
export const SERVER = `[mcp_servers.yolofs]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([MAIN, 'mcp'])}\n`;
/** What `wrap` and a person with yolofs around Codex say: its own sandbox keeps commands from reaching yolofs. */
const NO_SANDBOX = ['--sandbox', 'danger-full-access'];

interface Handler {
  readonly event: 'PreToolUse' | 'PostToolUse' | 'SessionStart';
  readonly matcher?: string;
  readonly command: string;
  readonly statusMessage?: string;
}

/** The hooks of hooks/codex/hooks.json, with the path of this build. */
export const HOOKS: readonly Handler[] = [
  {
    event: 'PreToolUse',
    matcher: '^(Bash|apply_patch)$',
    command: guardedHook([PROGRAM], 'codex'),
    statusMessage: 'yolofs',
  },
  { event: 'PostToolUse', matcher: '^(Bash|apply_patch)$', command: shellHook([PROGRAM], 'codex') },
  { event: 'SessionStart', command: shellHook([PROGRAM], 'codex') },
];

export interface CodexOptions {
  readonly hooks?: readonly Handler[];
  /** Whether the person has reviewed the hooks in Codex. */
  readonly trusted?: boolean;
  readonly config?: string;
  readonly args?: readonly string[];
  /** What runs Codex: words before its own. */
  readonly through?: readonly string[];
}

/** One `codex exec` in the session's project, to its end. */
export async function runCodex(s: Session, model: ScriptedModel, options: CodexOptions = {}): Promise<Result> {
  const { hooks = HOOKS, trusted = true, args = NO_SANDBOX } = options;
  const home = join(s.home, '.codex');
  mkdirSync(home, { recursive: true });
  const file = join(home, 'hooks.json');
  writeFileSync(file, JSON.stringify({ hooks: byEvent(hooks) }));
  const trust = trusted ? hooks.map((handler) => trustOf(file, handler)).join('') : '';
  writeFileSync(join(home, 'config.toml'), configuration(model) + (options.config ?? '') + trust);
  const program = await installClient('codex');
  const argv = [...(options.through ?? [program]), 'exec', '--skip-git-repo-check', '--json', ...args, 'go on'];
  const env = clientEnvironment(s.home);
  if (s.account.uid !== self.uid) await giveTo(s.account, home);
  return exec(argv, {
    account: s.account,
    cwd: s.project,
    env: { ...env, PATH: `${dirname(program)}:${env.PATH}` },
    timeout: TIMEOUT,
  });
}

function configuration(model: ScriptedModel): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${model.url}/v1"
wire_api = "responses"
[analytics]
enabled = false
`;
}

function byEvent(hooks: readonly Handler[]): Record<string, object[]> {
  const made: Record<string, object[]> = {};
  for (const { event, matcher, ...handler } of hooks) {
    const group = { matcher, hooks: [{ type: 'command', timeout: 30, ...handler }] };
    made[event] = [...(made[event] ?? []), group];
  }
  return made;
}

/** What Codex writes when a person trusts a hook, below file, event and position. */
function trustOf(file: string, hook: Handler): string {
  const hash = trustedHash({ ...hook, timeout: 30 });
  return `[hooks.state."${file}:${eventKey(hook.event)}:0:0"]\ntrusted_hash = "${hash}"\n`;
}
