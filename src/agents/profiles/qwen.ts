/**
 * Qwen Code, a fork of Gemini CLI. The hook comes as an extension, in a directory for extensions that is the session's own: its settings
 * are the person's.
 */
import { join } from 'node:path';
import { quoteWord } from '../shell-quote.ts';
import { objectionToTokens } from './json-state.ts';
import type { Launch, LaunchOptions, Places, Profile, Surroundings } from './profile.ts';
import { noRoom, roomIn } from './room.ts';

/** Chats, logs and plans of all projects lie together; its checkpoints write files back. */
const OWN = ['debug', 'history', 'insights', 'plans', 'projects', 'tmp', 'todos'];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\n?$/;

export const qwen: Profile = {
  agent: 'qwen',
  program: 'qwen',
  hint: "'npm install -g @qwen-code/qwen-code' installs it",
  variables: ['QWEN_*', 'OPENAI_*', 'DASHSCOPE_*', 'BAILIAN_*'],
  places,
  launch,
};

function directory({ home, env }: Pick<Surroundings, 'home' | 'env'>): string {
  return env.QWEN_HOME?.startsWith('/') ? env.QWEN_HOME : join(home, '.qwen');
}

function places(at: Surroundings): Places {
  const dir = directory(at);
  return {
    direct: [],
    own: [...OWN, ...(roomIn(dir, 'extensions', 'yolofs').isFree ? ['extensions'] : [])].map((name) => join(dir, name)),
    staged: [dir],
    files: [
      { path: join(dir, 'oauth_creds.json'), objection: objectionToTokens },
      { path: join(dir, 'installation_id'), objection: objectionToNumber },
    ],
  };
}

/** It gives itself one, once. */
function objectionToNumber(before: string | undefined, after: string): string | undefined {
  return before === undefined && UUID.test(after) ? undefined : 'is another installation';
}

function launch({ args, hook, home, env }: LaunchOptions): Launch {
  const dir = directory({ home, env });
  const off = { QWEN_SANDBOX: 'false' };
  if (!roomIn(dir, 'extensions', 'yolofs').isFree) return { args, env: off, notice: noRoom('.qwen/extensions') };
  const matcher = '^(run_shell_command|write_file|edit)$';
  const entry = { type: 'command', name: 'yolofs', command: hook.map(quoteWord).join(' '), timeout: 60_000 };
  const after = [{ matcher, hooks: [entry] }];
  const at = (name: string): string => join(dir, 'extensions/yolofs', name);
  const files = {
    [at('qwen-extension.json')]: JSON.stringify({ name: 'yolofs', version: '1.0.0' }),
    [at('hooks/hooks.json')]: JSON.stringify({ hooks: { PostToolUse: after, PostToolUseFailure: after } }),
  };
  return { args, env: off, files };
}
