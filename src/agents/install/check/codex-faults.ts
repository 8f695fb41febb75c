/** What keeps hooks of Codex from working besides what is in their file: nobody has trusted them, or its sandbox is on. */
import { parse, TomlError } from 'smol-toml';
import { readText, realPath } from '../../../sys/files/text-files.ts';
import { type CodexHook, eventKey, trustedHash } from '../../codex-trust.ts';
import type { Places } from '../description.ts';
import { fieldAt, isObject, type JsonObject } from '../json-tree.ts';
import { isOwnHandler } from '../own-handler.ts';
import { type Fault, fault } from './fault.ts';

/** `path` is the hooks.json that ours are in. */
export function codexFaults(path: string, { home, environment }: Places): Fault[] {
  const file = `${environment.CODEX_HOME ?? `${home}/.codex`}/config.toml`;
  const config = settingsIn(readText(file) ?? '');
  // Its other checks say what is wrong with a file that makes no sense.
  if (config === undefined) return [];
  const hooks = ownHooks(readText(path) ?? '');
  const untrusted = hooks.filter((hook) => !isTrusted(hook, path, config)).map(({ event }) => event);
  const sandbox = config.sandbox_mode ?? 'its default';
  return [
    ...(untrusted.length > 0
      ? [fault(`nobody has trusted ${untrusted.join(', ')} yet: Codex skips them in silence`, "in codex: '/hooks'")]
      : []),
    ...(sandbox === 'danger-full-access'
      ? []
      : [
          fault(
            `sandbox_mode is ${sandbox}: in Codex' own sandbox a command cannot reach yolofs, and does not run`,
            `sandbox_mode = "danger-full-access" in ${file}, or codex --sandbox danger-full-access`,
          ),
        ]),
  ];
}

function isTrusted(hook: CodexHook, path: string, config: JsonObject): boolean {
  const hooks = isObject(config.hooks) ? config.hooks : {};
  const states = Object.entries(isObject(hooks.state) ? hooks.state : {});
  const names = [path, realPath(path)].map((name) => `${name}:${eventKey(hook.event)}:`);
  return states.some(
    ([key, state]) =>
      names.some((name) => key.startsWith(name)) && isObject(state) && state.trusted_hash === trustedHash(hook),
  );
}

function ownHooks(text: string): CodexHook[] {
  const events = fieldAt(text, ['hooks']);
  return Object.entries(isObject(events) ? events : {}).flatMap(([event, groups]) =>
    listOf(groups).flatMap(({ matcher, hooks }) =>
      listOf(hooks)
        .filter(isOwnHandler)
        .map((handler) => ({
          event,
          matcher: textOf(matcher),
          command: String(handler.command),
          timeout: Number(handler.timeout),
          statusMessage: textOf(handler.statusMessage),
        })),
    ),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function settingsIn(text: string): JsonObject | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}
