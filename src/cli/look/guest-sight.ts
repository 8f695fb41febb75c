/** What a command shows that is carried out for somebody inside the view: only what the rules let them read there. */
import { FOR_GUEST } from '../../daemon/sockets/guest.ts';
import type { PathChange } from '../../history/changes.ts';
import type { Layout } from '../../history/layout.ts';
import { loadConfig } from '../../rules/config/config.ts';
import { Rules } from '../../rules/rules.ts';
import { answerOf } from '../../rules/states.ts';

/**
 * The changes whose content may be shown to whoever asked; says on stderr how many are left out. Throws a UserError when
 * a guest asks and the rules cannot be read.
 */
export function* visibleTo(session: Layout, changes: Iterable<PathChange>): Generator<PathChange, void> {
  if (process.env[FOR_GUEST] === undefined) return yield* changes;
  const rules = new Rules(loadConfig(session).rules);
  let withheld = 0;
  for (const change of changes) {
    const paths = change.from === undefined ? [change.path] : [change.path, change.from];
    if (paths.every((path) => answerOf(rules.stateOf(path), 'read') === 'pass')) yield change;
    else withheld += 1;
  }
  if (withheld > 0)
    process.stderr.write(`not shown inside the view: ${withheld} that the rules keep from being read\n`);
}
