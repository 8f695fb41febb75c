/**
 * Contents that searches have read of mirrors lately, so that the next search need not open each file. Who keeps one says when it may
 * be another by now: Present (present.ts), by its directory. All mirrors of the thread share the room.
 */

/** Bytes of all that are kept; what comes after that is read anew, unless those have been there for a while. */
const MOST_BYTES = 16 * 2 ** 20;
const A_WHILE_MS = 10_000;
/** An agent searches several times in a minute, and then for long not at all. */
const KEPT_MS = 60_000;

const contents = new Map<string, Buffer>();
let bytes = 0;
let since = 0;
let ending: NodeJS.Timeout | undefined;

/** The content of a file, by its path as text; nobody may change it. */
export function recentContent(file: string): Buffer | undefined {
  return contents.get(file);
}

export function keepRecent(file: string, content: Buffer): void {
  if (bytes + content.length > MOST_BYTES && Date.now() - since > A_WHILE_MS) forgetRecent();
  if (bytes + content.length > MOST_BYTES) return;
  if (contents.size === 0) since = Date.now();
  dropRecent(file);
  contents.set(file, content);
  bytes += content.length;
  ending ??= setTimeout(forgetRecent, KEPT_MS).unref();
}

export function dropRecent(file: string): void {
  bytes -= contents.get(file)?.length ?? 0;
  contents.delete(file);
}

/** All of them. */
export function forgetRecent(): void {
  contents.clear();
  bytes = 0;
  clearTimeout(ending);
  ending = undefined;
}
