/** What installing or uninstalling would change, without changing it. */

import { UserError } from '../../sys/user-error.ts';
import type { Places, Target } from './description.ts';
import { type FileState, readState } from './file-state.ts';
import { type Edited, type Insertion, untouched, withInsertions, withoutAdded } from './insertion.ts';
import { hasOwn, isInstalled, withKeptOptions, withoutOwn, withoutTakenPrefix, withTemplate } from './json-merge.ts';
import { isObject, parseJson, plain } from './json-tree.ts';
import { PLUGIN_MARK } from './opencode-plugin.ts';
import { type Entry, hashOf, type Records } from './record.ts';
import { strictForm } from './strict-form.ts';
import { hasAnyTable, hasTable, withoutTable, withTable } from './toml-table.ts';

/** One file that becomes another. */
export interface Change {
  readonly state: FileState;
  /** What it will say; undefined = it will be removed. */
  readonly after: string | undefined;
  /** What to record of it. */
  readonly entry: Entry | undefined;
  /** What was once taken out of the file and cannot be put back, since somebody has changed the file. */
  readonly lost: readonly string[];
  /** Directories to remove afterwards when nothing is in them, the innermost first. */
  readonly directories: readonly string[];
}

/** What is ours in a kind of file. */
interface Handling {
  isInstalled(state: FileState, text: string): boolean;
  /** The text without ours; undefined when nothing is left that anybody would want. */
  without(state: FileState, text: string): string | undefined;
  with(state: FileState, text: string): Installed;
}

interface Installed extends Edited {
  /** What was taken out of the text first. */
  readonly cut?: readonly Insertion[];
}

/** What installing changes; none when all is there already. Throws a UserError for a file that cannot be understood. */
export function planInstall(targets: readonly Target[], places: Places, records: Records): Change[] {
  return targets.flatMap((target) => {
    const state = readState(target.path, places);
    const handling = handlingOf(target);
    if (state.text !== undefined && handling.isInstalled(state, state.text)) return [];
    const { text: before, entry, lost = [] } = original(state, handling, records);
    const edited = handling.with(state, before ?? '');
    const created = before === undefined;
    const directories = entry?.directories ?? [...state.missing];
    const added = edited.added.map(([at, length]): [number, number] => [at, length]);
    const cut = [...(edited.cut ?? [])];
    // A byte order mark that is cut belongs to the text; one that stays is written in front of it.
    const written = cut[0]?.text === state.bom ? withBomInText(state) : state;
    const made = { sha256: hashOf(written.bom + edited.text), added, cut, created, directories };
    return [{ state: written, after: edited.text, entry: made, lost, directories: [] }];
  });
}

/** What uninstalling changes; none when nothing of ours is there. Throws as `planInstall` does. */
export function planUninstall(targets: readonly Target[], places: Places, records: Records): Change[] {
  return targets.flatMap((target) => {
    const state = readState(target.path, places);
    if (state.text === undefined) return [];
    const { text: after, entry, lost = [] } = original(state, handlingOf(target), records);
    if (after === state.text) return [];
    const directories = after === undefined ? [...(entry?.directories ?? [])].reverse() : [];
    return [{ state, after, entry: undefined, lost, directories }];
  });
}

/** The file without us: to the byte as it was, when nobody has changed it since; otherwise what is left without ours. */
function original(
  state: FileState,
  handling: Handling,
  records: Records,
): { text: string | undefined; entry: Entry | undefined; lost?: readonly string[] } {
  const { text, bom } = state;
  if (text === undefined) return { text, entry: undefined };
  const entry = records[state.real];
  if (entry?.sha256 === hashOf(bom + text)) {
    const rest = withoutAdded({ text, added: entry.added });
    return { text: entry.created ? undefined : withInsertions(untouched(rest), entry.cut).text, entry };
  }
  const rest = handling.without(state, text);
  const isLeft = rest !== undefined && (!entry?.created || !isBlank(rest));
  const lost = (entry?.cut ?? []).map((piece) => piece.text).filter((piece) => /^\/[/*]/.test(piece));
  return { text: isLeft ? rest : undefined, entry, lost };
}

function handlingOf(target: Target): Handling {
  switch (target.kind) {
    case 'json':
      return jsonHandling(target);
    case 'toml':
      return tomlHandling(target);
    case 'text':
      return textHandling(target);
  }
}

function jsonHandling({ template, isOurs, isLenient }: Target & { kind: 'json' }): Handling {
  const source = (state: FileState, text: string): { text: string; file: string } => ({ text, file: state.path });
  return {
    isInstalled: (state, text) =>
      (isLenient === true || strictForm(state.bom + text).cut.length === 0) &&
      isInstalled(source(state, text), withoutTakenPrefix(source(state, text), template)),
    without: (state, text) => {
      if (!hasOwn(source(state, text))) return text;
      const rest = withoutOwn(source(state, text));
      return isOurs && saysOnly(rest, template) ? undefined : rest;
    },
    with: (state, text) => {
      const kept = state.text === undefined ? template : withKeptOptions(source(state, state.text), template);
      const { text: plain, cut } = isLenient ? { text, cut: [] } : strictForm(state.bom + text);
      return { ...withTemplate(source(state, plain), withoutTakenPrefix(source(state, plain), kept)), cut };
    },
  };
}

function tomlHandling({ table }: Target & { kind: 'toml' }): Handling {
  const source = (state: FileState, text: string): { text: string; file: string } => ({ text, file: state.path });
  return {
    isInstalled: (state, text) => hasTable(source(state, text), table),
    without: (state, text) =>
      hasAnyTable(source(state, text), table) ? withoutTable(source(state, text), table) : text,
    with: (state, text) => withTable(source(state, text), table),
  };
}

function textHandling({ text: wanted }: Target & { kind: 'text' }): Handling {
  return {
    isInstalled: (_state, text) => text === wanted,
    without: (_state, text) => (text.startsWith(PLUGIN_MARK) ? undefined : text),
    with: (state, text) => {
      if (text !== '')
        throw new UserError(`${state.path} is there, and it is not from yolofs`, 'nothing was changed; move it away');
      return withInsertions(untouched(''), [{ at: 0, text: wanted }]);
    },
  };
}

function withBomInText(state: FileState): FileState {
  return { ...state, bom: '', text: state.bom + (state.text ?? '') };
}

/** `{}`, or what we had to write besides (`"version": 1`). */
function saysOnly(text: string, template: Readonly<Record<string, unknown>>): boolean {
  const value = plain(parseJson(text, ''));
  return value === undefined || (isObject(value) && Object.keys(value).every((key) => value[key] === template[key]));
}

function isBlank(text: string): boolean {
  return text.trim() === '' || text.trim() === '{}';
}
