/**
 * Slugs of a collection and paths of the view: `auth/oauth` is shown as `auth/oauth.mdx`. A slug that has an extension
 * is a path as it is, and so is one whose path another slug has already.
 */

/** The paths of slugs, each once. Slugs that no path can be made of (`..`, NUL, names beyond 255 bytes) have none. */
export function pathsOf(slugs: Iterable<string>, extension: string): Map<string, string> {
  const paths = new Map<string, string>();
  const short: string[] = [];
  for (const slug of [...slugs].sort()) {
    const plain = slug.replace(/^\//, '');
    if (!isPath(plain) || paths.has(plain)) continue;
    if (hasExtension(plain) || extension === '') paths.set(plain, slug);
    else short.push(slug);
  }
  for (const slug of short) {
    const plain = slug.replace(/^\//, '');
    const path = paths.has(plain + extension) || !isPath(plain + extension) ? plain : plain + extension;
    if (!paths.has(path)) paths.set(path, slug);
  }
  return paths;
}

/** The slugs that a path may stand for, the likeliest first. */
export function slugsOf(path: string, extension: string): string[] {
  const short = path.slice(0, path.length - extension.length);
  const isShort = extension !== '' && path.endsWith(extension) && !hasExtension(short) && isPath(short);
  return [path, `/${path}`, ...(isShort ? [short, `/${short}`] : [])];
}

/** The slug for a path that is new. */
export function newSlug(path: string, extension: string): string {
  return slugsOf(path, extension)[2] ?? path;
}

/** The paths that a slug may have, whatever other slugs there are. */
export function possiblePaths(slug: string, extension: string): string[] {
  const plain = slug.replace(/^\//, '');
  return hasExtension(plain) || extension === '' ? [plain] : [plain + extension, plain];
}

function hasExtension(slug: string): boolean {
  return /[^/]\.[^./]+$/.test(slug);
}

function isPath(text: string): boolean {
  return !/\p{Surrogate}/u.test(text) && !text.includes('\0') && text.split('/').every(isName);
}

function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= 255;
}
