/** Which changes may be shown to others. */
import type { PathChange } from '../../../history/diff/path-change.ts';
import type { Layout } from '../../../history/layout.ts';
import { loadConfig } from '../../../rules/config/config.ts';
import { defaultRules } from '../../../rules/config/defaults.ts';
import { Rules } from '../../../rules/rules.ts';
import { lookAtTokenFiles } from '../../../rules/secrets/token-files.ts';
import { answerOf } from '../../../rules/states.ts';
import { homeDirectory } from '../../../sys/host/home.ts';

/** What is read freely by the session's rules, and by those that are built in, whether or not these count here. */
export function openPaths(layout: Layout): (change: PathChange) => boolean {
  const places = { home: homeDirectory(), project: layout.project };
  const found = { installed: [], files: lookAtTokenFiles(places), own: [] };
  const all = [new Rules(loadConfig(layout).rules), new Rules(defaultRules(places, found))];
  return ({ path, from }) =>
    [path, from].every(
      (one) => one === undefined || all.every((rules) => answerOf(rules.stateOf(one), 'read') === 'pass'),
    );
}
