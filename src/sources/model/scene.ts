/** What is there below a source, as a model is told: all names up to a number, and the files nearest to what is asked. */
import { S_IFDIR, S_IFREG } from '../../sys/stat.ts';
import type { Files } from './files.ts';
import type { Scene } from './model.ts';

const MOST_PATHS = 500;
/** Bytes of files in one scene, and of one of them. */
const MOST_BYTES = 48 * 1024;
const LONGEST_FILE = 16 * 1024;

/** The scene for an operation at `path`. Looks, and changes nothing. */
export function sceneOf(files: Files, path: string): Scene {
  const found = [...walk(files, '')].sort();
  const near = found
    .filter((each) => !each.endsWith('/'))
    .map((each) => ({ each, shared: sharedParts(each, path) }))
    .sort((a, b) => b.shared - a.shared || (a.each < b.each ? -1 : 1));
  const taken: { path: string; content: Uint8Array }[] = [];
  let room = MOST_BYTES;
  for (const { each } of near) {
    const size = files.with(each, ({ stat }) => stat.size);
    if (size > Math.min(room, LONGEST_FILE)) continue;
    const content = files.read(each);
    if (typeof content === 'number') continue;
    room -= content.length;
    taken.push({ path: each, content });
  }
  return { paths: found.slice(0, MOST_PATHS), more: Math.max(0, found.length - MOST_PATHS), files: taken };
}

/** Names that are text; what else there may be no model can say. */
function* walk(files: Files, dir: string): Generator<string> {
  const names = files.list(dir);
  for (const { name, type } of typeof names === 'number' ? [] : names) {
    const text = Buffer.from(name, 'latin1').toString('utf8');
    if (text.includes('\uFFFD')) continue;
    const path = dir === '' ? text : `${dir}/${text}`;
    if (type === S_IFREG) yield path;
    if (type !== S_IFDIR) continue;
    yield `${path}/`;
    yield* walk(files, path);
  }
}

function sharedParts(a: string, b: string): number {
  const [as, bs] = [a.split('/'), b.split('/')];
  let shared = 0;
  while (shared < as.length && as[shared] === bs[shared]) shared++;
  return shared;
}
