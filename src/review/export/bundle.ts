/**
 * A bundle: what is staged in a project as text, for somebody who looks at it elsewhere (README.md has the format). It is read as
 * something that anybody may have made: nothing of it is a path to open, or a program.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { UserError } from '../../sys/user-error.ts';

const VERSION = 1;
/** Bytes of a bundle, packed and not. */
export const MOST_PACKED = 32 << 20;
const MOST_BYTES = 128 << 20;
const CHANGES = ['added', 'modified', 'deleted', 'renamed', 'metadata'];
/** What `label` leaves no name with. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const CONTROL = /[\x00-\x1f\x7f]/;

export interface BundledFile {
  /** Printable, below the project. */
  readonly path: string;
  readonly change: string;
  /** Of a diff, without their ends. */
  readonly lines: readonly string[];
}

export interface Bundle {
  readonly project: string;
  /** RFC 3339. */
  readonly made: string;
  /** Files that are not in it, as rules keep them from being read. */
  readonly omitted: number;
  readonly notices: readonly { readonly path: string; readonly why: string }[];
  readonly files: readonly BundledFile[];
}

/** Throws a UserError for more than can be read again. */
export function packBundle(bundle: Bundle): Buffer {
  const bytes = Buffer.from(JSON.stringify({ yolofsBundle: VERSION, ...bundle }));
  const packed = gzipSync(bytes);
  if (bytes.length > MOST_BYTES || packed.length > MOST_PACKED)
    throw new UserError('that is too much for a bundle', "a RANGE is less, and 'export --git' has no limit");
  return packed;
}

/** Throws a UserError for what is none. */
export function unpackBundle(bytes: Buffer): Bundle {
  const found = parsed(bytes);
  if (!isRecord(found) || typeof found.yolofsBundle !== 'number') throw noBundle('it has no version');
  const { yolofsBundle: version, project, made, omitted, notices, files } = found;
  if (version !== VERSION) throw noBundle(`it has version ${version}, and this program reads ${VERSION}`);
  if (!isName(project) || !isName(made) || !Number.isSafeInteger(omitted)) throw noBundle('its head is incomplete');
  if (!isListOf(notices, isNotice)) throw noBundle('its notices make no sense');
  if (!isListOf(files, isFile)) throw noBundle('its files make no sense');
  return { project, made, omitted: omitted as number, notices, files };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(gunzipSync(bytes, { maxOutputLength: MOST_BYTES }).toString());
  } catch (error) {
    if (error instanceof SyntaxError) throw noBundle('it is no JSON');
    if (error instanceof RangeError || (error instanceof Error && 'code' in error))
      throw noBundle('it cannot be unpacked, or is too large');
    throw error;
  }
}

function noBundle(why: string): UserError {
  return new UserError(`that is no bundle: ${why}`, "'yolofs export --bundle FILE' makes one");
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isOne);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && !CONTROL.test(value);
}

/** It is never opened; but what is shown as one of the project's has to look like one. */
function isPath(value: unknown): value is string {
  return isName(value) && !value.split('/').some((name) => name === '' || name === '.' || name === '..');
}

function isNotice(value: unknown): value is Bundle['notices'][number] {
  return isRecord(value) && isPath(value.path) && isName(value.why);
}

function isFile(value: unknown): value is BundledFile {
  if (!isRecord(value) || !isPath(value.path) || !CHANGES.includes(`${value.change}`)) return false;
  return Array.isArray(value.lines) && value.lines.every((line) => typeof line === 'string' && !line.includes('\n'));
}
