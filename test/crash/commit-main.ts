/** Carries out an order of the crash matrix and is killed at a system call. argv: `commit` or `undo`, root of the place, number. */
import { ALL } from './commit-session.ts';
import { CrashWorld } from './crash-world.ts';
import { Watch } from './faults.ts';

const [what, root = '', at] = process.argv.slice(2);
const world = CrashWorld.at(root);
await world.open();
const watch = new Watch({ at: Number(at), does: 'SIGKILL' });
await (what === 'commit' ? world.live.orders.commit(ALL, () => undefined) : world.live.orders.undo(() => undefined));
watch.end();
await world.leave();
