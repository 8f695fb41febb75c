/**
 * Entries of the registry: one directory a session, named after the device and inode of its `.yolofs`, or after the project's path where
 * these numbers do not last (apart.ts).
 */

import { randomHex, sha256Hex } from '../../sys/crypto-lazy.ts';
import { ENOENT, SystemError } from '../../sys/errno.ts';
import { type Found, inspect, renameDirectory, withPlainDirectory } from '../../sys/files/plain-directory.ts';
import { lookAt, namesIn, readText, removeTree, replaceText, saveText } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import { hasSessions, sessionsDirectory } from './state-directory.ts';

/** What an entry says of its session. */
export interface Registered {
  /** The directory that says so. */
  readonly entry: string;
  /** The project's real path when it was last seen; empty: nobody knows where it is now. */
  readonly project: string;
  readonly device: string;
  readonly inode: string;
  /** The name of the directory in `.yolofs` that is believed. */
  readonly token: string;
  readonly place: StorePlace;
}

/** Where the store lies: in the project, or in the entry (apart.ts), of which the project bears a mark if it can be written to. */
export type StorePlace = 'project' | 'entry' | 'entry, unmarked';

/** Which directory, for as long as it exists and the machine is not started anew. */
export type Identity = Pick<Found, 'device' | 'inode'>;

const RECORD = 'session';
const VERSIONS: Readonly<Record<string, StorePlace>> = {
  'yolofs session 1': 'project',
  'yolofs session 1, store in the entry': 'entry',
  'yolofs session 1, store in the entry, unmarked': 'entry, unmarked',
};
const TOKEN = /^[0-9a-f]{32}$/;
/** What has been set aside has something more at its end. */
const NAME = /^(\d+-\d+|path-[0-9a-f]{32})(-[0-9a-f]+)?$/;
/** In the place of a device number: the other half is of the project's path. */
const BY_PATH = 'path';
const KEPT_MS = 30 * 24 * 3600 * 1000;

/** The directory of an entry. */
export function entryOf(dir: Identity): string {
  return `${sessionsDirectory()}/${nameOf(dir)}`;
}

function nameOf({ device, inode }: Identity): string {
  return `${device}-${inode}`;
}

/** What stands for the numbers of a `.yolofs` where these do not last. */
export function identityByPath(project: string, token = ''): Identity {
  return { device: BY_PATH, inode: sha256Hex(`${token}${project}`).slice(0, 32) };
}

/** Whether a name in a `.yolofs` can be a token. */
export function isToken(name: string): boolean {
  return TOKEN.test(name);
}

/** The entry of a `.yolofs`; undefined when there is none. Throws a UserError for one that makes no sense. */
export function registeredAs(dir: Identity): Registered | undefined {
  return hasSessions() ? readEntry(nameOf(dir)) : undefined;
}

/** All entries; those that make no sense are left out. */
export function allRegistered(): Registered[] {
  return registeredUnder((name) => NAME.test(name));
}

/** The entries that go by a project's path; nothing that is loaded for digests is needed to find them. */
export function registeredByPath(): Registered[] {
  return registeredUnder((name) => name.startsWith(`${BY_PATH}-`) && NAME.test(name));
}

function registeredUnder(isMeant: (name: string) => boolean): Registered[] {
  if (!hasSessions()) return [];
  return namesIn(sessionsDirectory())
    .filter(isMeant)
    .flatMap((name) => {
      try {
        return readEntry(name) ?? [];
      } catch (error) {
        if (error instanceof UserError) return [];
        throw error;
      }
    });
}

/** Writes a new entry, durably: without it, what is staged is not believed. The directory must exist. */
export function saveEntry(registered: Registered): void {
  saveText(`${registered.entry}/${RECORD}`, textOf(registered));
}

/** The session has been found somewhere else, or no longer where it was. */
export function moveEntry(registered: Registered, project: string): void {
  replaceText(`${registered.entry}/${RECORD}`, textOf({ ...registered, project }), 0o600);
}

/** The file system of a session has another device number than before. */
export function renumberEntry(registered: Registered, now: Identity): Registered {
  // Somebody who has found it at the same moment was faster.
  const there = registeredAs(now);
  if (there?.token === registered.token) return there;
  setAside(now);
  const { device, inode } = now;
  const entry = entryOf(now);
  renameDirectory(registered.entry, entry);
  return { ...registered, device, inode, entry };
}

/** Who has that number now is another: the session that had it may come back by another one. */
export function setAside(dir: Identity): void {
  const entry = entryOf(dir);
  if (inspect(entry) !== undefined) renameDirectory(entry, `${entry}-${randomHex(8)}`);
}

/** Removes what is left of sessions that nobody has seen for a month. */
export function dropForgotten(): void {
  for (const registered of allRegistered()) {
    const { entry, project } = registered;
    const time = lookAt(`${entry}/${RECORD}`)?.mtimeMs ?? Date.now();
    const isAside = entry !== entryOf(registered);
    if ((isAside || project === '') && Date.now() - time > KEPT_MS) removeTree(entry);
  }
}

function readEntry(name: string): Registered | undefined {
  const entry = `${sessionsDirectory()}/${name}`;
  if (inspect(entry) === undefined) return undefined;
  try {
    return readOpened(entry, name);
  } catch (error) {
    // Somebody who was faster in making the same session has taken it away since.
    if (error instanceof SystemError && error.errno === ENOENT) return undefined;
    throw error;
  }
}

function readOpened(entry: string, name: string): Registered {
  return withPlainDirectory(entry, (at, { owner, mode }) => {
    const isOurs = owner === process.geteuid?.() && (mode & 0o077) === 0;
    const record = isOurs ? parse(readText(`${at}/${RECORD}`)) : undefined;
    if (record === undefined)
      throw new UserError(`${entry} is no entry of a session that yolofs has written`, 'remove it');
    const [device = '', inode = ''] = name.split('-');
    return { entry, device, inode, ...record };
  });
}

/** A line each; a path may have a newline in it. */
function parse(text: string | undefined): Pick<Registered, 'project' | 'token' | 'place'> | undefined {
  const [version = '', token = '', ...project] = (text ?? '').split('\n');
  const place = VERSIONS[version];
  if (place === undefined || !TOKEN.test(token) || project.pop() !== '') return undefined;
  return { token, project: project.join('\n'), place };
}

function textOf({ project, token, place }: Registered): string {
  const version = Object.keys(VERSIONS).find((one) => VERSIONS[one] === place);
  return `${version}\n${token}\n${project}\n`;
}
