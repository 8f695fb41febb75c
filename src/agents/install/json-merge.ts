/**
 * Puts what an agent needs of us into its JSON configuration, and takes it out again; everything else in the text stays
 * as it is written.
 *
 * What is put in is a template: objects are merged key by key, elements of lists are added behind those that are there,
 * plain values have to be what the template says. Ours are, wherever they stand below `hooks`, handlers that start
 * `yolofs hook`; the MCP server called `yolofs`; and the shell prefix that leads to us.
 */
import { type Edited, type Insertion, untouched, withInsertions } from './insertion.ts';
import { additionTo, hasComments, renderJson, withoutChild } from './json-layout.ts';
import {
  isObject,
  isSame,
  type JsonObject,
  type Node,
  parseJson,
  plain,
  propertyOf,
  refusal,
  valueAt,
} from './json-tree.ts';
import { isOwnHandler, isOwnPrefix, SHELL_PREFIX } from './own-handler.ts';

/** A text, and what messages call the file it is from. */
export interface JsonFile {
  readonly text: string;
  readonly file: string;
}

/** Where agents keep their MCP servers. */
const SERVERS = ['mcpServers', 'mcp'];
const SERVER = 'yolofs';

/** Whether the text says already all that the template says, and nothing else of ours. Throws as `parseJson` does. */
export function isInstalled({ text, file }: JsonFile, template: JsonObject): boolean {
  const root = parseJson(text, file);
  return covers(plain(root), template) && ownIn(root).length === ownIn(rendered(template)).length;
}

/** Whether there is anything of ours in the text. Throws as `parseJson` does. */
export function hasOwn({ text, file }: JsonFile): boolean {
  return ownIn(parseJson(text, file)).length > 0;
}

/** Plain values of the handlers that are ours, of our MCP server and of our shell prefix. Throws as `parseJson` does. */
export function ownEntries({ text, file }: JsonFile): (JsonObject | string)[] {
  return ownIn(parseJson(text, file)).map(
    (node) => plain(node.type === 'property' ? node.children?.[1] : node) as JsonObject | string,
  );
}

/** The text with what the template says. Throws a UserError where the text says something else at such a place. */
export function withTemplate({ text, file }: JsonFile, template: JsonObject): Edited {
  if (text.trim() === '') {
    return withInsertions(untouched(text), [{ at: text.length, text: `${renderJson(template, '  ')}\n` }]);
  }
  let edited = untouched(text);
  for (;;) {
    const root = parseJson(edited.text, file);
    const missing = root && firstMissing({ text: edited.text, file }, root, template);
    if (missing === undefined) return edited;
    edited = withInsertions(edited, missing);
  }
}

/** The text without what is ours, and without what that leaves empty. */
export function withoutOwn({ text, file }: JsonFile): string {
  let rest = text;
  for (;;) {
    const root = parseJson(rest, file);
    const [own] = ownIn(root);
    if (own === undefined) return rest;
    const gone = withItsContainers(rest, own);
    rest = withoutChild(rest, gone.parent as Node, gone);
  }
}

/** The template, with what somebody has added to our MCP server (`"trust": true`). */
export function withKeptOptions({ text, file }: JsonFile, template: JsonObject): JsonObject {
  const value = plain(parseJson(text, file));
  const merged = { ...template };
  for (const key of SERVERS) {
    const [ours, theirs] = [serverIn(template, key), serverIn(value, key)];
    if (ours && theirs) merged[key] = { ...(merged[key] as JsonObject), [SERVER]: { ...theirs, ...ours } };
  }
  return merged;
}

/** The template for this text: a prefix of somebody else's stays, and commands are rewritten then. */
export function withoutTakenPrefix({ text, file }: JsonFile, template: JsonObject): JsonObject {
  const value = plain(parseJson(text, file));
  const env = isObject(value) && isObject(value.env) ? value.env : {};
  if (env[SHELL_PREFIX] === undefined || isOwnPrefix(env[SHELL_PREFIX])) return template;
  const { env: _ours, ...rest } = template;
  return rest;
}

function serverIn(value: unknown, key: string): JsonObject | undefined {
  const servers = isObject(value) ? value[key] : undefined;
  const server = isObject(servers) ? servers[SERVER] : undefined;
  return isObject(server) ? server : undefined;
}

function rendered(template: JsonObject): Node | undefined {
  return parseJson(JSON.stringify(template), '');
}

/** Handlers and the property of our server. */
function ownIn(root: Node | undefined): Node[] {
  if (root === undefined) return [];
  const servers = SERVERS.map((key) => valueAt(root, key)).map((found) => found && propertyOf(found, SERVER));
  const others = [...servers, ownPrefix(root)].filter((one) => one !== undefined);
  return [...ownHandlers(valueAt(root, 'hooks')), ...others];
}

function ownPrefix(root: Node): Node | undefined {
  const env = valueAt(root, 'env');
  const prefix = env && propertyOf(env, SHELL_PREFIX);
  return isOwnPrefix(plain(prefix?.children?.[1])) ? prefix : undefined;
}

function ownHandlers(node: Node | undefined): Node[] {
  if (node?.type === 'object' && node.parent?.type === 'array' && isOwnHandler(plain(node))) return [node];
  return (node?.children ?? []).flatMap(ownHandlers);
}

/** What to remove so that nothing empty is left of what held `own`; containers with comments in them stay. */
function withItsContainers(text: string, own: Node): Node {
  let gone = own;
  for (let parent = gone.parent; parent?.parent !== undefined; parent = gone.parent) {
    const holds = parent.type === 'property' ? 1 : (parent.children?.length ?? 0);
    if (parent.type !== 'property' && (holds > 1 || hasComments(text, parent)) && !isGroup(parent, gone)) return gone;
    gone = parent;
  }
  return gone;
}

/** `{ "matcher": …, "hooks": [ours] }`: without its hooks the rest means nothing. */
function isGroup(object: Node, property: Node): boolean {
  return object.type === 'object' && object.parent?.type === 'array' && property.children?.[0]?.value === 'hooks';
}

/** What to insert for the first thing of the template that is missing. */
function firstMissing(source: JsonFile, object: Node, template: JsonObject): Insertion[] | undefined {
  for (const [key, wanted] of Object.entries(template)) {
    const present = valueAt(object, key);
    if (present === undefined) return additionTo(source.text, object, { key, value: wanted });
    const missing = Array.isArray(wanted)
      ? missingElement(source, present, wanted)
      : missingBelow(source, present, { key, wanted });
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function missingBelow(
  source: JsonFile,
  present: Node,
  { key, wanted }: { key: string; wanted: unknown },
): Insertion[] | undefined {
  const at = { ...source, at: present.offset };
  if (isObject(wanted)) {
    if (present.type !== 'object') throw refusal(at, `"${key}" is not an object`);
    return firstMissing(source, present, wanted);
  }
  if (present.value !== wanted) throw refusal(at, `"${key}" is not ${JSON.stringify(wanted)}`);
  return undefined;
}

function missingElement(source: JsonFile, present: Node, wanted: readonly unknown[]): Insertion[] | undefined {
  if (isSame(plain(present), wanted)) return undefined;
  if (present.type !== 'array') throw refusal({ ...source, at: present.offset }, 'this is not a list');
  const there = present.children?.map(plain) ?? [];
  const missing = wanted.find((one) => !there.some((other) => coversElement(other, one)));
  return missing === undefined ? undefined : additionTo(source.text, present, { value: missing });
}

/** Whether `value` says what `template` says, and perhaps more. */
function covers(value: unknown, template: unknown): boolean {
  if (Array.isArray(template)) {
    if (!template.some(isObject)) return isSame(value, template);
    return Array.isArray(value) && template.every((one) => value.some((other) => coversElement(other, one)));
  }
  if (!isObject(template)) return value === template;
  return isObject(value) && Object.entries(template).every(([key, one]) => covers(value[key], one));
}

/** A handler has to be the same to the last option; a group of handlers may have others besides. */
function coversElement(value: unknown, template: unknown): boolean {
  if (!isObject(template) || !isObject(value) || !Array.isArray(template.hooks)) return isSame(value, template);
  const { hooks: wanted, ...rest } = template;
  const { hooks: there, ...options } = value;
  return isSame(options, rest) && covers(there, wanted);
}
