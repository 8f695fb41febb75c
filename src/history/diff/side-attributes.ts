/** Mode and owner of one side of a change. */
import { S_IFMT } from '../../sys/stat.ts';
import { type Facts, typeOf } from './facts.ts';
import type { Side } from './path-change.ts';

/** What is not staged comes from the base entry; undefined: not known. */
export function attributesOf(side: Side, facts: Facts): Pick<Side, 'mode' | 'uid' | 'gid'> {
  const { backing } = side;
  if (side.mode !== undefined && side.uid !== undefined && side.gid !== undefined) return side;
  const path = 'path' in backing ? backing.path : undefined;
  const stat = path === undefined ? undefined : facts.of(path);
  const known = stat === undefined || (stat.mode & S_IFMT) !== typeOf(backing) ? undefined : stat;
  return {
    mode: side.mode ?? (known === undefined ? undefined : known.mode & 0o7777),
    uid: side.uid ?? known?.uid,
    gid: side.gid ?? known?.gid,
  };
}
