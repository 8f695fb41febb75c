/** The profiles by the name that `yolofs wrap` takes. */
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import type { Profile } from './profile.ts';
import { qwen } from './qwen.ts';

/** Every profile, in the order of the documentation. */
export const PROFILES: readonly Profile[] = [claude, codex, gemini, copilot, cursor, opencode, qwen];

/** Undefined for a command that is no agent we know. */
export function profileOf(name: string): Profile | undefined {
  return PROFILES.find(({ agent }) => agent === name);
}
