/** Conditions on metadata and documents as Chroma 1.5.9 understands them, as far as our adapter asks them. */

/** What the server answers 400 to. */
export class Unfit extends Error {}

type Metadata = Readonly<Record<string, unknown>>;

/** Whether metadata meets a `where`. */
export function meets(metadata: Metadata, where: unknown): boolean {
  if (where === undefined || where === null) return true;
  const [[key, operand] = ['', undefined], ...more] = Object.entries(where);
  if (key === '' || more.length > 0) throw new Unfit('Invalid where clause');
  if (key === '$and') return parts(operand).every((part) => meets(metadata, part));
  if (key === '$or') return parts(operand).some((part) => meets(metadata, part));
  return meetsKey(metadata[key], operand);
}

/** Whether a document meets a `where_document`. */
export function meetsDocument(document: string, condition: unknown): boolean {
  if (condition === undefined || condition === null) return true;
  const [[key, operand] = ['', undefined]] = Object.entries(condition);
  if (key === '$or') return parts(operand).some((part) => meetsDocument(document, part));
  if (key === '$regex') return toExpression(String(operand)).test(document);
  throw new Unfit(`Invalid operator ${key}`);
}

function parts(operand: unknown): unknown[] {
  if (Array.isArray(operand) && operand.length >= 2) return operand;
  throw new Unfit('Invalid where clause');
}

function meetsKey(value: unknown, operand: unknown): boolean {
  if (typeof operand !== 'object' || operand === null) return value === operand;
  const { $in: among, $contains: member } = operand as { $in?: unknown[]; $contains?: unknown };
  if (member !== undefined) return Array.isArray(value) && value.includes(member);
  if (among === undefined || among.length === 0) throw new Unfit('Invalid where clause');
  return among.includes(value);
}

/** Rust's notation in JavaScript's: `(?i)` in front is a flag, `\z` is the end, and any punctuation may be escaped. */
function toExpression(rust: string): RegExp {
  const folds = rust.startsWith('(?i)');
  const source = (folds ? rust.slice('(?i)'.length) : rust)
    .replace(/\\z$/, '$')
    .replace(/\\([&~#-])/g, (_, mark: string) => `\\x${mark.charCodeAt(0).toString(16)}`);
  return new RegExp(source, folds ? 'iu' : 'u');
}
