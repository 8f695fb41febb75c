/** Holds a value against a schema. */
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ allErrors: true, strict: true });

export function assertFits(schema: object, value: unknown, what: string): void {
  const fits = ajv.validate(schema, value);
  assert.ok(fits, `${what}: ${ajv.errorsText()}\n${JSON.stringify(value, undefined, 2)}`);
}
