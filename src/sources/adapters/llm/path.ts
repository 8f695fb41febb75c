const MAX_NAME = 255;
const MAX_PATH = 2000;

/** Whether a text that came from outside can be a path of an entry. */
export function isPath(path: string): boolean {
  if (path.length === 0 || Buffer.byteLength(path) > MAX_PATH || path.includes('\0') || /\p{Cs}/u.test(path))
    return false;
  return path.split('/').every((name) => !['', '.', '..'].includes(name) && Buffer.byteLength(name) <= MAX_NAME);
}
