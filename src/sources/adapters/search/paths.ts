/** Between what documents say their path is, and the paths of entries. */

const LONGEST_NAME = 255;
const LONGEST_PATH = 4_000;

/**
 * The path of an entry; undefined where no file can have it. A slug without an extension gets the one that the table names.
 */
export function entryPath(stored: unknown, extension: string): string | undefined {
  if (typeof stored !== 'string') return undefined;
  const slug = stored.replace(/^\//, '');
  const path = hasExtension(slug) ? slug : `${slug}${extension}`;
  return isPath(slug) && isPath(path) ? path : undefined;
}

/** Every form in which a document may say this path. */
export function storedForms(path: string, extension: string): string[] {
  const slug = slugOf(path, extension);
  const forms = slug === path ? [path] : [path, slug];
  return forms.flatMap((form) => [form, `/${form}`]);
}

/** What a new document says: the form without an extension, where the table names one. */
export function slugOf(path: string, extension: string): string {
  const slug = path.slice(0, path.length - extension.length);
  return extension !== '' && path.endsWith(extension) && !hasExtension(slug) ? slug : path;
}

/** Whether its last name ends in one: `oauth.md`, and not `v1.2/oauth` or `.env`. */
function hasExtension(path: string): boolean {
  return /[^/]\.[^/.]+$/.test(path);
}

function isPath(path: string): boolean {
  return Buffer.byteLength(path) <= LONGEST_PATH && path.split('/').every(isName);
}

function isName(name: string): boolean {
  const isSpecial = name === '' || name === '.' || name === '..';
  // Half of a surrogate pair has no bytes of its own.
  return !isSpecial && !/[\0\p{Surrogate}]/u.test(name) && Buffer.byteLength(name) <= LONGEST_NAME;
}
