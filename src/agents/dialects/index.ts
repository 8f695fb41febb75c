/** The dialects by name; only the one that is asked for is loaded. */
import type { Agent } from '../event.ts';
import type { Dialect } from './dialect.ts';

const DIALECTS: Readonly<Record<Agent, () => Promise<Dialect>>> = {
  claude: async () => (await import('./claude.ts')).claude,
  codex: async () => (await import('./codex.ts')).codex,
  gemini: async () => (await import('./gemini.ts')).gemini,
  copilot: async () => (await import('./copilot.ts')).copilot,
  cursor: async () => (await import('./cursor.ts')).cursor,
  opencode: async () => (await import('./opencode.ts')).opencode,
  qwen: async () => (await import('./qwen.ts')).qwen,
};

export const AGENTS_WITH_HOOKS: readonly string[] = Object.keys(DIALECTS);

/** The dialect of `agent`; undefined for a name that is none. */
export async function dialectOf(agent: string): Promise<Dialect | undefined> {
  return Object.hasOwn(DIALECTS, agent) ? DIALECTS[agent as Agent]() : undefined;
}
