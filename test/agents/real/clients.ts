/**
 * Real agents, as the npm registry has them: installed once on a machine, into a directory that is complete or not there.
 * Nothing of them is part of this project.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { exec } from '../../support/exec.ts';

const CLIENTS = {
  claude: '@anthropic-ai/claude-code@2.1.329',
  codex: '@openai/codex@0.169.0',
  gemini: '@google/gemini-cli@0.61.0',
  copilot: '@github/copilot@1.0.102',
  opencode: 'opencode-ai@1.18.33',
  qwen: '@qwen-code/qwen-code@0.15.10',
} as const;

export type Client = keyof typeof CLIENTS;

const INSTALLING = 300_000;
/** npm finds its configuration and its cache through it. */
const OWN_ENVIRONMENT = process.env as Record<string, string>;

/** The absolute path of the agent's program, which is installed now if it was not before. Any account may execute it. */
export async function installClient(name: Client): Promise<string> {
  // Not in /tmp: the view has a private one, and agents run there, too. Caches may stay behind (host-state.ts).
  const home = `/var/tmp/yolofs-clients-${userInfo().uid}-cache`;
  const directory = join(home, CLIENTS[name].replaceAll('/', '+'));
  if (!existsSync(directory)) await install(CLIENTS[name], directory, home);
  return join(directory, 'node_modules/.bin', name);
}

async function install(what: string, directory: string, home: string): Promise<void> {
  mkdirSync(home, { recursive: true, mode: 0o755 });
  const fresh = mkdtempSync(join(home, 'new-'));
  try {
    writeFileSync(join(fresh, 'package.json'), '{"private":true}');
    const argv = ['npm', 'install', '--no-audit', '--no-fund', '--no-save', what];
    const { code, stderr } = await exec(argv, { cwd: fresh, timeout: INSTALLING, env: OWN_ENVIRONMENT });
    if (code !== 0) throw new Error(`npm install ${what}: ${stderr}`);
    await exec(['chmod', '-R', 'a+rX', fresh]);
    renameSync(fresh, directory);
  } catch (error) {
    // Another run of the tests was faster.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The variables an agent runs with: a home of its own, no network but loopback, nothing reported to anybody. */
export function clientEnvironment(home: string): Record<string, string> {
  const closed = 'http://127.0.0.1:9';
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TERM: 'dumb',
    HTTP_PROXY: closed,
    HTTPS_PROXY: closed,
    http_proxy: closed,
    https_proxy: closed,
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
  };
}
