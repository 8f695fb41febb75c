/** What the person's own git settings say. Those of a repository are an agent's to write, and are never asked. */
import { findTool } from '../../sys/process/process.ts';
import { runFed } from '../../sys/process/run-fed.ts';

const TIMEOUT_MS = 5000;
/** Each of them would lead to a repository, or put settings among the person's. */
const LEADING = /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|NAMESPACE|CONFIG|CONFIG_PARAMETERS)$/;

/** This process' environment, without what is not set. */
export function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The same, for git started outside of any repository. */
export function gitEnvironment(): Record<string, string> {
  return Object.fromEntries(Object.entries(ownEnvironment()).filter(([name]) => !LEADING.test(name)));
}

/** Of the person's file, else of the system's; undefined: neither has it, or git is not there. */
export function ownGitSetting(name: string): string | undefined {
  const git = findTool('git');
  if (git === undefined) return undefined;
  for (const file of ['--global', '--system']) {
    const argv = [git, 'config', file, '--includes', '--get', name];
    const { code, stdout } = runFed(argv, { input: '', cwd: '/', env: gitEnvironment(), timeout: TIMEOUT_MS });
    if (code === 0) return stdout.replace(/\n$/, '');
  }
  return undefined;
}
