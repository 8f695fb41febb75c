/** What the documents of an index call their parts: the table's `fields`, and what is taken where it says nothing. */

export interface Fields {
  readonly path: string;
  readonly content: string;
  /** The groups that may read. */
  readonly acl: string;
  /** True where everybody may. */
  readonly public: string | undefined;
  readonly mtime: string;
  /** Where a path has several documents: the number that puts them in order. */
  readonly order: string | undefined;
  /** How many documents the path has, so that one that is missing is noticed at the end too. */
  readonly chunks: string | undefined;
  /** Bytes of the content, for listings that need not read it. */
  readonly size: string | undefined;
  /** Content that is no text, in base64. */
  readonly binary: string | undefined;
  /** Where the content lies, if not in the index: an http address or `source:NAME/PATH`. */
  readonly pointer: string | undefined;
}

export type FieldNames = { readonly [field in keyof Fields]?: string | undefined };

export function withDefaults(names: FieldNames): Fields {
  return {
    path: names.path ?? 'path',
    content: names.content ?? 'content',
    acl: names.acl ?? 'acl',
    public: names.public,
    mtime: names.mtime ?? 'updated_at',
    order: names.order,
    chunks: names.chunks,
    size: names.size,
    binary: names.binary,
    pointer: names.pointer,
  };
}

/** What a listing needs of each document: everything but the content. */
export function listed(fields: Fields): string[] {
  const { path, acl, mtime, order, chunks, size, pointer } = fields;
  return [path, acl, fields.public, mtime, order, chunks, size, pointer].filter((name) => name !== undefined);
}

/** What reading needs: the content too. */
export function read(fields: Fields): string[] {
  return [...listed(fields), fields.content, ...(fields.binary === undefined ? [] : [fields.binary])];
}

/** A part of a document by its dotted name; documents may nest it, or have the dotted name itself as a key. */
export function part(document: unknown, name: string): unknown {
  if (!isObject(document)) return undefined;
  if (name in document) return document[name];
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const found = part(document[name.slice(0, dot)], name.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same, to be merged into a document: in the form that the document has already. */
export function partial(document: unknown, name: string, value: unknown): Record<string, unknown> {
  const dot = name.indexOf('.');
  if (dot === -1 || (isObject(document) && name in document)) return { [name]: value };
  const inner = isObject(document) ? document[name.slice(0, dot)] : undefined;
  return { [name.slice(0, dot)]: partial(inner, name.slice(dot + 1), value) };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
