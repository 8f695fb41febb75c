/** The name that a person or an agent gives a snapshot. */
import { UserError } from '../../sys/user-error.ts';

/** It is kept for ever, and whoever is in the view may give it. */
const LONGEST = 1000;

/** What `status`, `diff` and `log` call something else. */
const TAKEN = /^(?:all|now|\d*\.\.\d*)$/;

/**
 * The name, if it may be one. Throws a UserError for one that is too long, for a range, and for a number: `travel 7` goes to generation 7,
 * whatever is called so.
 */
export function snapshotName(name: string): string {
  if (name.length > LONGEST) throw new UserError(`the name is too long: ${name.length} of ${LONGEST} characters`);
  if (TAKEN.test(name)) throw new UserError(`'${name}' is a range, and no name of a snapshot`, 'choose another one');
  if (/^\d+$/.test(name)) throw new UserError(`the name is a number: '${name}' means a generation`);
  return name;
}
