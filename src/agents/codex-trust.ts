/** What Codex (0.169.0) writes into `hooks.state` of its configuration when a person has reviewed a hook. */
import { createHash } from 'node:crypto';

export interface CodexHook {
  /** As in the configuration: `PreToolUse`. */
  readonly event: string;
  readonly matcher?: string | undefined;
  readonly command: string;
  /** Seconds. */
  readonly timeout: number;
  readonly statusMessage?: string | undefined;
}

/** The event as it is called in the keys of `hooks.state`: `FILE:pre_tool_use:GROUP:HANDLER`. */
export function eventKey(event: string): string {
  return event.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase();
}

/** `trusted_hash`: it is over the hook as JSON, its keys in order, without those that have no value. */
export function trustedHash({ event, matcher, command, timeout, statusMessage }: CodexHook): string {
  const handler = { async: false, command, statusMessage, timeout, type: 'command' };
  const canonical = JSON.stringify({ event_name: eventKey(event), hooks: [handler], matcher });
  return `sha256:${createHash('sha256').update(canonical).digest('hex')}`;
}
