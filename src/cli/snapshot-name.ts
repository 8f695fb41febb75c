/** The name that a person or an agent gives a snapshot. */
import { UserError } from '../sys/user-error.ts';

/** It is kept for ever, and whoever is in the view may give it. */
const LONGEST = 1000;

/** The name, if it may be one. Throws a UserError for one that is too long, and for a number: `travel 7` goes to generation 7, whatever is called so. */
export function snapshotName(name: string): string {
  if (name.length > LONGEST) throw new UserError(`the name is too long: ${name.length} of ${LONGEST} characters`);
  if (/^\d+$/.test(name)) throw new UserError(`the name is a number: '${name}' means a generation`);
  return name;
}
