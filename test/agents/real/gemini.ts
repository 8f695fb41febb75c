/** Gemini CLI in a project, as a script would start it, with a scripted model. */
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exec, type Result } from '../../support/exec.ts';
import type { Session } from '../../support/session.ts';
import type { ScriptedModel } from '../model-servers/loopback.ts';
import { clientEnvironment } from './clients.ts';

/** Below this name, so that it asks no other model which one to take. */
const MODEL = 'gemini-2.5-flash';
const LONGEST = 120_000;

export interface GeminiRun {
  readonly session: Session;
  readonly model: ScriptedModel;
  /** Its program, or `yolofs wrap` and more words that lead to it. */
  readonly program: readonly string[];
  /** Added to the person's settings. */
  readonly settings?: object;
  readonly env?: Readonly<Record<string, string>>;
}

/** One prompt without a person, all tools allowed. What the model says is set before. */
export function runGemini({ session, model, program, settings = {}, env = {} }: GeminiRun): Promise<Result> {
  writeSettings(session, settings);
  const argv = [...program, '-m', MODEL, '--approval-mode', 'yolo', '-p', 'go on'];
  return exec(argv, {
    cwd: session.project,
    account: session.account,
    timeout: LONGEST,
    env: {
      ...clientEnvironment(session.home),
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: '1',
      ...env,
    },
  });
}

function writeSettings({ home, account }: Session, more: object): void {
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    ...more,
  };
  const [directory, file] = [join(home, '.gemini'), join(home, '.gemini/settings.json')];
  mkdirSync(directory, { recursive: true });
  writeFileSync(file, JSON.stringify(settings));
  for (const made of [directory, file]) chownSync(made, account.uid, account.gid);
}
