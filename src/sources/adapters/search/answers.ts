/** What the server answers, checked before anything believes it. */
import * as v from 'valibot';
import { EACCES, EAGAIN, EFBIG, EINVAL, EIO } from '../../../sys/errno.ts';
import type { HttpAnswer } from '../../http.ts';
import { SourceError, type SourceFault } from '../../source.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const hit = v.object({
  _index: v.string(),
  _id: v.string(),
  _routing: v.optional(v.string()),
  _seq_no: v.optional(count),
  _primary_term: v.optional(count),
  _source: v.record(v.string(), v.unknown()),
  sort: v.optional(v.array(v.unknown())),
});

const whole = {
  timed_out: v.literal(false, 'the server has run out of time and answers with a part'),
  _shards: v.object({ failed: v.literal(0, 'not all shards have answered') }),
};

const page = v.object({
  ...whole,
  pit_id: v.optional(v.string()),
  hits: v.object({ total: v.optional(v.object({ value: count, relation: v.literal('eq') })), hits: v.array(hit) }),
});

const figure = v.object({ value: v.nullable(v.number()) });

const summary = v.object({
  ...whole,
  hits: v.object({ total: v.object({ value: count, relation: v.literal('eq') }), hits: v.array(hit) }),
  aggregations: v.object({ max: figure, sum: figure }),
});

const summaries = v.object({ responses: v.array(v.unknown()) });

const written = v.object({
  status: count,
  _seq_no: v.optional(count),
  _primary_term: v.optional(count),
  error: v.optional(v.object({ type: v.optional(v.string()) })),
});

const bulk = v.object({ items: v.array(v.record(v.string(), written)) });

const found = v.object({ docs: v.array(v.unknown()) });

const isFound = v.object({ found: v.literal(true) });

const metadata = v.record(
  v.string(),
  v.object({
    mappings: v.optional(v.object({ properties: v.optional(v.record(v.string(), v.unknown())) }), {}),
    settings: v.object({
      index: v.object({ uuid: v.string(), number_of_shards: v.string(), creation_date: v.string() }),
    }),
  }),
);

export type Hit = v.InferOutput<typeof hit>;
export type Page = v.InferOutput<typeof page>;
export type Summary = v.InferOutput<typeof summary>;
export type Written = v.InferOutput<typeof written>;
export type Metadata = v.InferOutput<typeof metadata>;

/** The server understood who asks and could not do what it was asked. */
export class Refusal extends SourceError {}

/** One page of a search. Throws what makes it less than the whole truth: a timeout, shards that did not answer. */
export function pageOf(answer: HttpAnswer, index: string): Page {
  return checked(page, success(answer, index), index);
}

export function summariesOf(answer: HttpAnswer, index: string): Summary[] {
  const { responses } = checked(summaries, success(answer, index), index);
  return responses.map((response) => checked(summary, success({ status: 200, body: response }, index), index));
}

export function writtenOf(answer: HttpAnswer, index: string): Written[] {
  const { items } = checked(bulk, success(answer, index), index);
  return items.flatMap((item) => Object.values(item));
}

/** Of a request for documents by their ids: each, or undefined where there is none. */
export function foundOf(answer: HttpAnswer, index: string): (Hit | undefined)[] {
  const { docs } = checked(found, success(answer, index), index);
  return docs.map((doc) => (v.is(isFound, doc) ? checked(hit, doc, index) : undefined));
}

export function metadataOf(answer: HttpAnswer, index: string): Metadata {
  return checked(metadata, success(answer, index), index);
}

/** A text at the top of an answer. */
export function textOf(answer: HttpAnswer, key: string, index: string): string {
  const object = checked(v.record(v.string(), v.unknown()), success(answer, index), index);
  return checked(v.string(), object[key], index);
}

/** Why one document of several was not written. The server's own words may hold content, so its kind of error must do. */
export function faultOf({ status, error }: Written): SourceFault {
  const cause = `the server refuses the document: ${status} ${error?.type ?? 'without a reason'}`;
  const errno = { 400: EINVAL, 401: EACCES, 403: EACCES, 413: EFBIG, 429: EAGAIN }[status] ?? EIO;
  return { errno, cause };
}

/** The body of an answer that says no error. */
function success({ status, body }: HttpAnswer, index: string): unknown {
  const said = v.safeParse(v.object({ error: v.unknown() }), body);
  if (status < 300 && !said.success) return body;
  if (status === 413) throw new SourceError(EFBIG, `index '${index}': the server takes no request of this size`);
  throw new Refusal(EIO, `index '${index}': the server refuses the request: ${status}${reason(body)}`);
}

/** `{"error": {"type": …, "reason": …, "root_cause": […]}}`, in short. */
function reason(body: unknown): string {
  const cause = v.object({ type: v.optional(v.string(), ''), reason: v.optional(v.nullable(v.string()), '') });
  const shape = v.object({ error: v.object({ root_cause: v.optional(v.array(cause)), ...cause.entries }) });
  const parsed = v.safeParse(shape, body);
  if (!parsed.success) return '';
  const { error } = parsed.output;
  const root = error.root_cause?.[0] ?? error;
  return ` ${root.type}: ${root.reason ?? ''}`.slice(0, 200);
}

function checked<S extends v.GenericSchema>(schema: S, value: unknown, index: string): v.InferOutput<S> {
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  // Other messages repeat what was received, which may be content.
  const what = issue.type === 'literal' ? issue.message : `the answer has another form: ${v.getDotPath(issue)}`;
  throw new SourceError(EIO, `index '${index}': ${what}`);
}
