/** Conditions on metadata and documents as Chroma 1.5.9 understands them, as far as our adapter asks them. */

/** What the server answers 400 to. */
export class Unfit extends Error {}

type Metadata = Readonly<Record<string, unknown>>;

/** Whether metadata meets a `where`. It is read once for all rows, as a server does that has an index. */
export function metadataTest(where: unknown): (metadata: Metadata) => boolean {
  if (where === undefined || where === null) return () => true;
  const [[key, operand] = ['', undefined], ...more] = Object.entries(where);
  if (key === '' || more.length > 0) throw new Unfit('Invalid where clause');
  if (key !== '$and' && key !== '$or') {
    const isMet = valueTest(operand);
    return (metadata) => isMet(metadata[key]);
  }
  const tests = parts(operand).map(metadataTest);
  return key === '$and'
    ? (metadata) => tests.every((isMet) => isMet(metadata))
    : (metadata) => tests.some((isMet) => isMet(metadata));
}

/** Whether a document meets a `where_document`. */
export function documentTest(condition: unknown): (document: string) => boolean {
  if (condition === undefined || condition === null) return () => true;
  const [[key, operand] = ['', undefined]] = Object.entries(condition);
  if (key === '$or') {
    const tests = parts(operand).map(documentTest);
    return (document) => tests.some((isMet) => isMet(document));
  }
  if (key !== '$regex') throw new Unfit(`Invalid operator ${key}`);
  const expression = toExpression(String(operand));
  return (document) => expression.test(document);
}

function parts(operand: unknown): unknown[] {
  if (Array.isArray(operand) && operand.length >= 2) return operand;
  throw new Unfit('Invalid where clause');
}

function valueTest(operand: unknown): (value: unknown) => boolean {
  if (typeof operand !== 'object' || operand === null) return (value) => value === operand;
  const { $in: listed, $contains: member } = operand as { $in?: unknown[]; $contains?: unknown };
  if (member !== undefined) return (value) => Array.isArray(value) && value.includes(member);
  if (listed === undefined || listed.length === 0) throw new Unfit('Invalid where clause');
  const among = new Set(listed);
  return (value) => among.has(value);
}

/** Rust's notation in JavaScript's: `(?i)` in front is a flag, `\z` is the end, and any punctuation may be escaped. */
function toExpression(rust: string): RegExp {
  const folds = rust.startsWith('(?i)');
  const source = (folds ? rust.slice('(?i)'.length) : rust)
    .replace(/\\z$/, '$')
    .replace(/\\([&~#-])/g, (_, mark: string) => `\\x${mark.charCodeAt(0).toString(16)}`);
  return new RegExp(source, folds ? 'iu' : 'u');
}
