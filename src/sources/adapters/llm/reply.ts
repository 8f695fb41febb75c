/**
 * What a model replies with: one JSON object. Its schema goes to the server (`response_format`), which may or may not
 * hold itself to it, so that every reply is checked here before anything of it is believed.
 */
import * as v from 'valibot';
import type { Errno } from '../../../sys/errno.ts';
import {
  EACCES,
  EDQUOT,
  EEXIST,
  EINVAL,
  EIO,
  EISDIR,
  ENOENT,
  ENOSPC,
  ENOTDIR,
  EPERM,
  EROFS,
} from '../../../sys/errno.ts';
import type { Answer, Effect, Operation } from '../../model/model.ts';
import { isPath } from './path.ts';

/** The errors that a model may refuse with; a program must be able to make sense of them. */
const ERRNOS: Readonly<Record<string, Errno>> = {
  ENOENT,
  EACCES,
  EPERM,
  EROFS,
  EEXIST,
  EISDIR,
  ENOTDIR,
  EINVAL,
  ENOSPC,
  EDQUOT,
  EIO,
};

const MAX_FILES = 100;
const MAX_NAMES = 1000;

/**
 * JSON Schema for `response_format`, by hand: strict servers want every field required, and none besides. What has no
 * place in a reply is an empty list or null.
 */
export const REPLY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['error', 'reason', 'files', 'directories', 'removed', 'names'],
  properties: {
    error: { type: ['string', 'null'], enum: [...Object.keys(ERRNOS), null] },
    reason: { type: ['string', 'null'] },
    files: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['path', 'encoding', 'data'],
        properties: {
          path: { type: 'string' },
          encoding: { type: 'string', enum: ['utf8', 'base64'] },
          data: { type: 'string' },
        },
      },
    },
    directories: { type: 'array', items: { type: 'string' } },
    removed: { type: 'array', items: { type: 'string' } },
    names: { type: 'array', items: { type: 'string' } },
  },
} as const;

const Path = v.pipe(v.string(), v.check(isPath, 'a path that leads out of the source, or is none'));
const Name = v.pipe(
  v.string(),
  v.check((name) => isPath(name.replace(/\/$/, '')) && !/\/./.test(name), 'a name with a slash in it'),
);
const Reply = v.object({
  error: v.optional(v.nullable(v.picklist(Object.keys(ERRNOS))), null),
  reason: v.optional(v.nullable(v.string()), null),
  files: v.optional(
    v.pipe(
      v.array(
        v.object({
          path: Path,
          encoding: v.optional(v.picklist(['utf8', 'base64']), 'utf8'),
          data: v.string(),
        }),
      ),
      v.maxLength(MAX_FILES),
    ),
    [],
  ),
  directories: v.optional(v.pipe(v.array(Path), v.maxLength(MAX_FILES)), []),
  removed: v.optional(v.pipe(v.array(Path), v.maxLength(MAX_FILES)), []),
  names: v.optional(v.pipe(v.array(Name), v.maxLength(MAX_NAMES)), []),
});

/** The answer that a reply's text stands for, or what is wrong with it, in words that the model is told. */
export function parseReply(text: string, operation: Operation): Answer | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `not one JSON object: ${(error as Error).message}`;
  }
  const parsed = v.safeParse(Reply, value);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return `${v.getDotPath(issue) ?? 'the object'}: ${issue.message}`;
  }
  return answerOf(parsed.output, operation);
}

function answerOf(reply: v.InferOutput<typeof Reply>, operation: Operation): Answer | string {
  if (reply.error !== null) {
    if (operation.kind === 'written') return 'error: what is written cannot be refused any more';
    const errno = ERRNOS[reply.error] ?? EIO;
    return { refusal: { errno, cause: oneLine(reply.reason ?? 'the model gave no reason') }, effects: [], names: [] };
  }
  const effects: Effect[] = [
    ...reply.removed.map((path) => ({ kind: 'remove', path }) as const),
    ...reply.directories.map((path) => ({ kind: 'directory', path }) as const),
    ...reply.files.map(
      ({ path, encoding, data }) => ({ kind: 'file', path, content: Buffer.from(data, encoding) }) as const,
    ),
  ];
  const { path } = operation;
  if (operation.kind === 'find' && !effects.some((effect) => effect.kind !== 'remove' && effect.path === path)) {
    return `neither files nor directories has ${JSON.stringify(path)}, and error is null`;
  }
  return { refusal: undefined, effects, names: operation.kind === 'list' ? reply.names : [] };
}

/** What a person reads in `audit`: no control characters, and not a page of it. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 300);
}
