/** What the person's shell has for other programs does not come into the view, whichever way a command gets there. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Result } from '../support/exec.ts';
import { PROGRAM, type Session, session, writeUserConfig } from '../support/session.ts';

const SECRET = 'canary-5f1c';
const SECRETS = {
  GITHUB_TOKEN: SECRET,
  AWS_SECRET_ACCESS_KEY: SECRET,
  DATABASE_URL: `postgres://ada:${SECRET}@db/x`,
  ANTHROPIC_API_KEY: `agents-${SECRET}`,
};
/** What it has itself, and what any other process in the view has. */
const LOOK = `env; cat /proc/[0-9]*/environ | tr '\\0' '\\n'; echo shown`;

/** Each way for a command to get into the view. */
const WAYS: Readonly<Record<string, (s: Session, env: Readonly<Record<string, string>>) => Promise<Result>>> = {
  run: (s, env) => s.cli(['run', '--', 'sh', '-c', LOOK], { env }),
  'run -c': (s, env) => s.cli(['run', '-c', LOOK], { env }),
  'the launcher, with the daemon': (s, env) => s.native([PROGRAM, 'run', '-c', LOOK], { env }),
  shell: (s, env) => s.cli(['shell'], { env: { ...env, SHELL: '/bin/sh' }, input: `${LOOK}\n` }),
  'wrap of any program': (s, env) => s.cli(['wrap', 'sh', '-c', LOOK], { env }),
  'wrap of another agent': async (s, env) => {
    await s.stop();
    return s.cli(['wrap', 'cursor'], { env: { ...env, PATH: `${fakeAgents(s)}:${process.env.PATH}` } });
  },
  'a hook': async (s, env) => {
    const event = {
      ...{ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'toolu_1', cwd: s.project },
      tool_input: { command: LOOK },
    };
    const hook = await s.native([PROGRAM, 'hook', 'claude'], { env, input: JSON.stringify(event) });
    const { hookSpecificOutput } = JSON.parse(hook.stdout) as {
      hookSpecificOutput: { updatedInput: { command: string } };
    };
    return s.native(['bash', '-c', hookSpecificOutput.updatedInput.command], { env });
  },
  'the shell prefix': async (s, env) => {
    const prefix = join(s.root, 'yolofs-shell');
    symlinkSync(PROGRAM, prefix);
    const frame = `eval ${quote(LOOK)} < /dev/null && pwd -P >| /tmp/claude-1-cwd`;
    return s.native([prefix, frame], { env: { ...env, CLAUDE_PROJECT_DIR: s.project } });
  },
};

test('secrets in variables stay outside, by each way into the view', async (t) => {
  const s = await session(t);
  for (const [way, look] of Object.entries(WAYS)) {
    const result = await look(s, { ...SECRETS, KEPT: 'kept' });
    assert.match(result.stdout, /^shown$/m, `${way}: ${result.stderr}`);
    assert.match(result.stdout, /^KEPT=kept$/m, way);
    assert.ok(!result.stdout.includes(SECRET), `${way}:\n${result.stdout}`);
  }
});

test('a wrapped agent gets what it signs in with, and nothing else', async (t) => {
  const s = await session(t);
  const env = { ...SECRETS, PATH: `${fakeAgents(s)}:${process.env.PATH}` };
  const { stdout, stderr } = await s.cli(['wrap', 'claude'], { env });
  assert.match(stdout, /^ANTHROPIC_API_KEY=agents-canary-5f1c$/m, stderr);
  assert.ok(!/TOKEN|AWS_|DATABASE/.test(stdout), stdout);
  assert.match(stderr, /not passed to commands: AWS_SECRET_ACCESS_KEY, DATABASE_URL, GITHUB_TOKEN/);
});

test('the first summary names what was withheld, and what the person lets pass is passed', async (t) => {
  const s = await session(t);
  const env = SECRETS;
  const first = await s.cli(['run', '--', 'true'], { env });
  assert.match(
    first.stderr,
    /^yolofs: not passed to commands: ANTHROPIC_API_KEY, AWS_SECRET_ACCESS_KEY, DATABASE_URL, GITHUB_TOKEN \('pass_env' and 'sockets' in .*config\.toml\)$/m,
  );
  assert.ok(!first.stderr.includes(SECRET));
  const second = await s.cli(['run', '--', 'true'], { env: { ...env, NPM_TOKEN: SECRET } });
  assert.match(second.stderr, /not passed to commands: NPM_TOKEN \(/);
  await s.stop();
  writeUserConfig(s.home, 'default_rules = false\n[session]\npass_env = ["GITHUB_TOKEN", "AWS_*"]\n', s.account);
  const passed = await s.cli(['run', '--', 'env'], { env });
  assert.match(passed.stdout, /^GITHUB_TOKEN=canary-5f1c$/m);
  assert.match(passed.stdout, /^AWS_SECRET_ACCESS_KEY=canary-5f1c$/m);
  assert.ok(!/DATABASE_URL|ANTHROPIC/.test(passed.stdout));
  writeFileSync(join(s.project, '.yolofs.toml'), '[session]\npass_env = ["DATABASE_URL"]\n');
  assert.match((await s.cli(['run', '--', 'env'], { env })).stderr, /there is no setting 'session\.pass_env'/);
});

/** Programs by the names of agents that show what they have. */
function fakeAgents(s: Session): string {
  const bin = join(s.root, 'agents');
  mkdirSync(bin, { recursive: true });
  for (const name of ['claude', 'cursor-agent']) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${LOOK}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
