/** The identity map of all ids for a nested user namespace: every file keeps its owner, no right over mounts comes with it. */
import { writeText } from '../sys/files/files.ts';
import { readText } from '../sys/files/text-files.ts';
import { UserError } from '../sys/user-error.ts';

/** Gives the fresh user namespace of process `pid` all ids this process has, each mapped to itself. */
export function mapAllIds(pid: number): void {
  for (const file of ['uid_map', 'gid_map']) {
    const own = readText(`/proc/self/${file}`);
    if (own === undefined) throw new UserError(`user namespace: /proc/self/${file} is missing`);
    writeText(`/proc/${pid}/${file}`, identityMap(own));
  }
}

/** `inside outside count` a line; seen from inside, each range is mapped to itself. */
export function identityMap(map: string): string {
  const ranges = map.split('\n').filter((line) => line.trim() !== '');
  return ranges
    .map((line) => line.trim().split(/\s+/))
    .map(([inside = '0', , count = '1']) => `${inside} ${inside} ${count}\n`)
    .join('');
}
