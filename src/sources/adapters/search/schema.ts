/** What the mapping of an index says about the fields that the adapter asks for. */
import { EIO } from '../../../sys/errno.ts';
import { SourceError } from '../../source.ts';
import type { Metadata } from './answers.ts';
import { type Fields, isObject, part } from './fields.ts';

/** One concrete index; the configured name may be an alias of several. */
export interface ConcreteIndex {
  readonly name: string;
  /** Another one whenever the index was made anew. */
  readonly uuid: string;
  readonly shards: number;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export interface CoarseField {
  readonly name: string;
  /** Whether it is made of pieces of three characters, with NUL at the ends: a text with NUL in it is not found by all of its parts. */
  readonly isPieces: boolean;
}

export interface Schema {
  /** Undefined where the person's credentials allow to search, and not to look at the mapping. */
  readonly indices: readonly ConcreteIndex[] | undefined;
  /** The fields that hold path and groups as they are, to be asked for by value. */
  readonly path: string;
  readonly acl: string;
  /** The field that finds parts of the content, if there is one whose answer can be relied on. */
  readonly coarse: CoarseField | undefined;
  /** Whether the content itself is kept in base64. */
  readonly isContentBinary: boolean;
}

/** Without a mapping the names are taken as they are, and nothing can be said about the content. */
export function blindSchema(fields: Fields): Schema {
  return { indices: undefined, path: fields.path, acl: fields.acl, coarse: undefined, isContentBinary: false };
}

/** Throws where an index has no such path: a search for it would find nothing, and the tree would be empty. */
export function schemaOf(metadata: Metadata, fields: Fields, index: string): Schema {
  const found = Object.values(metadata).map(({ mappings }) => mappings.properties ?? {});
  const path = common(found.map((properties) => exactField(properties, fields.path)));
  if (path === undefined) {
    throw new SourceError(EIO, `index '${index}' has no field '${fields.path}' that holds a path as one keyword`);
  }
  const indices = Object.entries(metadata).map(([name, { settings }]) => ({
    name,
    uuid: settings.index.uuid,
    shards: Number(settings.index.number_of_shards),
    created: Number(settings.index.creation_date),
  }));
  return {
    indices,
    path,
    acl: common(found.map((properties) => exactField(properties, fields.acl))) ?? fields.acl,
    coarse: coarseOf(found, fields.content),
    isContentBinary: found.some((properties) => mappingOf(properties, fields.content)?.type === 'binary'),
  };
}

/** What all of them say; undefined if they differ. */
function common(names: readonly (string | undefined)[]): string | undefined {
  return names.every((name) => name === names[0]) ? names[0] : undefined;
}

/** The field, or the subfield of an analysed one, that is searched by its whole value. */
function exactField(properties: Record<string, unknown>, name: string): string | undefined {
  return candidates(properties, name).find(({ mapping }) => mapping.type === 'keyword' && isPlain(mapping))?.name;
}

/**
 * A field of type `wildcard` or `keyword` indexes the whole value, or nothing where the value is longer than its
 * `ignore_above`: then the field does not exist in the document, which the query asks for. Of an analysed text no answer
 * is certain: it knows words, not what stands between them.
 */
function coarseOf(found: readonly Record<string, unknown>[], content: string): CoarseField | undefined {
  const named = (type: string): string | undefined =>
    common(
      found.map((properties) => {
        const plain = candidates(properties, content).filter(({ mapping }) => isPlain(mapping));
        return plain.find(({ mapping }) => mapping.type === type)?.name;
      }),
    );
  const pieces = named('wildcard');
  if (pieces !== undefined) return { name: pieces, isPieces: true };
  const whole = named('keyword');
  return whole === undefined ? undefined : { name: whole, isPieces: false };
}

/** Whether values are indexed, and as they are. */
function isPlain(mapping: Record<string, unknown>): boolean {
  return mapping.normalizer === undefined && mapping.index !== false && mapping.null_value === undefined;
}

/** A field and its subfields. */
function candidates(
  properties: Record<string, unknown>,
  name: string,
): { name: string; mapping: Record<string, unknown> }[] {
  const mapping = mappingOf(properties, name);
  if (mapping === undefined) return [];
  const fields = isObject(mapping.fields) ? Object.entries(mapping.fields) : [];
  const inner = fields.map(([key, value]) => ({ name: `${name}.${key}`, mapping: isObject(value) ? value : {} }));
  return [{ name, mapping }, ...inner];
}

function mappingOf(properties: Record<string, unknown>, name: string): Record<string, unknown> | undefined {
  const mapping = part(properties, name.replaceAll('.', '.properties.'));
  return isObject(mapping) ? mapping : undefined;
}
