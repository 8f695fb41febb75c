/** All operations, by family. */
import { attributes } from './attributes.ts';
import { create } from './create.ts';
import { data } from './data.ts';
import { directories } from './directories.ts';
import { links } from './links.ts';
import type { Operation } from './operation.ts';
import { permissions } from './permissions.ts';
import { rename } from './rename.ts';
import { special } from './special.ts';

export const OPERATIONS: readonly Operation[] = [
  ...data,
  ...create,
  ...directories,
  ...rename,
  ...links,
  ...attributes,
  ...special,
  ...permissions,
];
