/**
 * The files of the view for a search. Of those of sources the daemon tells what it need not open, and brings contents in bulk; whatever it does not
 * say or bring is opened, as everything else is.
 */

import { askFromInside } from '../../daemon/sockets/guest-client.ts';
import { type GuestRequest, LONGEST_REQUEST } from '../../daemon/sockets/guest-lines.ts';
import type { Formula } from '../../sources/formula.ts';
import { contentOf } from '../../sources/grep/content.ts';
import type { FileAccess, LinesNeeded, Narrowing, Opener } from '../../sources/grep/file-access.ts';
import { HOST_FILES } from '../../sources/grep/host-files.ts';
import { type BytePath, isWithin } from '../../sys/bytes.ts';
import { openFile } from '../../sys/files/file-access.ts';
import { ViewPlaces } from '../../sys/files/view-places.ts';
import { UserError } from '../../sys/user-error.ts';

const NUL = '\0';
/** No name is empty. */
const LINES_FOLLOW = '\0\0\0';
/** Room for what is around the paths of a request. */
const ENVELOPE = 1024;

export class ViewFiles implements FileAccess {
  readonly find = HOST_FILES.find;
  readonly list = HOST_FILES.list;
  readonly input = HOST_FILES.input;
  readonly #places = new ViewPlaces('fuse', 'yolofs');
  /** The directories of sources. */
  #sources: readonly BytePath[] = [];
  /** Undefined while nothing is known of any directory. */
  #known: Narrowed['known'] | undefined;
  /** Those with such names, and those above these. */
  #fertile: ReadonlySet<string> = new Set();
  async narrow(formula: Formula, operands: readonly string[], lines?: LinesNeeded): Promise<Narrowing | undefined> {
    const within = [...new Set(operands.flatMap((path) => (this.#places.leadsTo(path) as BytePath | undefined) ?? []))];
    const asked = lines && { lines: lines.as, ofAll: lines.ofAll };
    const said = within.length === 0 ? undefined : await ask({ narrow: formula, within, ...asked });
    if (said === undefined || !said.isWhole) return undefined;
    const { places, known } = narrowedIn(said.bytes);
    this.#sources = places;
    if (known.size === 0) return undefined;
    this.#known = known;
    this.#fertile = fertileOf(known);
    return (directory) => {
      const place = this.#places.directory(directory);
      const names = place && known.get(place.lies);
      return place && names && ((name) => place.isOver(name) || (names.get(name) ?? names.has(name)));
    };
  }

  isBarren(directory: string): boolean {
    if (this.#known === undefined) return false;
    const at = this.#places.bare(directory);
    return at !== undefined && this.#known.has(at) && !this.#fertile.has(at);
  }

  async open(paths: readonly string[]): Promise<readonly Opener[]> {
    const brought = this.#sources.length === 0 ? undefined : await this.#bring(paths);
    return paths.map((path) => {
      const bytes = brought?.get(path);
      return () => (bytes === undefined ? openFile(path) : contentOf(bytes));
    });
  }

  /** By their paths. */
  async #bring(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const wanted = new Map<BytePath, string>();
    for (const path of paths) {
      const at = this.#at(path);
      if (at !== undefined && this.#sources.some((source) => isWithin(at, source)) && !wanted.has(at))
        wanted.set(at, path);
    }
    const found = new Map<string, Uint8Array>();
    for (const group of groupsOf([...wanted.keys()])) {
      const said = await ask({ bring: group });
      for (const [at, bytes] of contentsIn(said?.bytes ?? Buffer.alloc(0))) {
        const path = wanted.get(group[at] ?? ('' as BytePath));
        if (path !== undefined) found.set(path, bytes);
      }
    }
    return found;
  }

  #at(path: string): BytePath | undefined {
    return this.#places.of(path) as BytePath | undefined;
  }
}

interface Narrowed {
  /** The directories of sources. */
  readonly places: readonly BytePath[];
  /** Directories there, and which names in them may match; with the lines that may, if those are known. */
  readonly known: ReadonlyMap<string, ReadonlyMap<string, Uint8Array | undefined>>;
}

/** Lists, each ended by an empty name (`daemon/sockets/guest-search.ts`): of places, then of a directory and names in it; then lines. */
function narrowedIn(bytes: Buffer): Narrowed {
  const mark = bytes.indexOf(LINES_FOLLOW);
  const words = bytes.toString('latin1', 0, mark < 0 ? bytes.length : mark + 2).split(NUL);
  const lines = mark < 0 ? [] : linesIn(bytes.subarray(mark + LINES_FOLLOW.length));
  const first = words.indexOf('');
  const known = new Map<string, Map<string, Uint8Array | undefined>>();
  let count = 0;
  for (let from = first + 1, end = 0; from < words.length - 1; from = end + 1) {
    end = words.indexOf('', from);
    const names = words.slice(from + 1, end);
    known.set(words[from] ?? '', new Map(names.map((name, i) => [name, lines[count + i]])));
    count += names.length;
  }
  return { places: words.slice(0, first) as BytePath[], known };
}

/** Their lengths, and they themselves. */
function linesIn(bytes: Buffer): (Uint8Array | undefined)[] {
  let at = bytes.indexOf('\n') + 1;
  const lengths = bytes.toString('latin1', 0, Math.max(0, at - 1)).split(' ');
  return lengths.map((length) => {
    if (length === '') return undefined;
    const from = at;
    at += Number(length);
    return bytes.subarray(from, at);
  });
}

function fertileOf(known: Narrowed['known']): Set<string> {
  const found = new Set<string>();
  for (const [dir, names] of known) {
    for (let at = dir; names.size > 0 && at !== '' && !found.has(at); at = at.slice(0, at.lastIndexOf('/')))
      found.add(at);
  }
  return found;
}

interface Said {
  readonly bytes: Buffer;
  /** Nothing went wrong on the way. */
  readonly isWhole: boolean;
}

/** What the daemon says; undefined when nobody answers. */
async function ask(request: GuestRequest): Promise<Said | undefined> {
  const pieces: Buffer[] = [];
  try {
    const code = await askFromInside(request, { out: (bytes) => void pieces.push(bytes), err: () => undefined });
    return { bytes: Buffer.concat(pieces), isWhole: code === 0 };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return undefined;
  }
}

/** As many at a time as a request has room for. */
function* groupsOf(paths: readonly BytePath[]): Generator<readonly BytePath[]> {
  let group: BytePath[] = [];
  let length = ENVELOPE;
  for (const path of paths) {
    const more = JSON.stringify(path).length + 1;
    if (length + more > LONGEST_REQUEST && group.length > 0) {
      yield group;
      [group, length] = [[], ENVELOPE];
    }
    group.push(path);
    length += more;
  }
  if (group.length > 0) yield group;
}

/** Places of files in the request, and their contents; what was cut off is left out. */
function* contentsIn(bytes: Buffer): Generator<readonly [number, Uint8Array]> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    const [at, length] = bytes.toString('latin1', from, Math.max(from, end)).split(' ').map(Number);
    if (end < 0 || at === undefined || length === undefined || end + 1 + length > bytes.length) return;
    from = end + 1 + length;
    yield [at, bytes.subarray(end + 1, from)];
  }
}
