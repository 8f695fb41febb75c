/** JSON Schemas (2020-12) of what `--json` prints, in few words; and the option that prints them. */
import { type Command, CommanderError } from 'commander';
import { ERROR_CODES } from '../../sys/error-codes.ts';

export type Schema = Readonly<Record<string, unknown>>;

export const TEXT: Schema = { type: 'string' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };
export const NUMBER: Schema = { type: 'number', minimum: 0 };
export const SWITCH: Schema = { type: 'boolean' };
export const TIME: Schema = { type: 'string', description: 'RFC 3339' };

export function oneOf(...words: readonly unknown[]): Schema {
  return { enum: words };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function anyOf(...schemas: readonly Schema[]): Schema {
  return { anyOf: schemas };
}

/** An object with these fields and no others; what ends in `?` may be missing. */
export function record(fields: Readonly<Record<string, Schema>>): Schema {
  const names = Object.entries(fields).map(([name, schema]) => [name.replace(/\?$/, ''), schema]);
  const required = Object.keys(fields).filter((name) => !name.endsWith('?'));
  return { type: 'object', properties: Object.fromEntries(names), required, additionalProperties: false };
}

/** An object whose names are not known before. */
export function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}

/** What is printed instead where the command has failed. */
const FAILURE = record({
  error: record({
    code: oneOf(...Object.keys(ERROR_CODES)),
    'errno?': TEXT,
    message: TEXT,
    'hint?': TEXT,
    'details?': listOf(TEXT),
  }),
});

/** Gives a command `--json`, and `--schema`, which prints the schema of it and does nothing else. */
export function jsonOption(command: Command, description: string, schema: Schema): Command {
  command.on('option:schema', () => {
    const document = { $schema: 'https://json-schema.org/draft/2020-12/schema', anyOf: [schema, FAILURE] };
    process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
    throw new CommanderError(0, 'yolofs.schema', 'schema');
  });
  return command.option('--json', description).option('--schema', 'print the JSON Schema of it');
}
