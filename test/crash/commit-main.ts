/** Commits, or undoes, a session, and kills itself at a system call. argv: `commit` or `undo`, root of the place, number. */
import { watchCalls } from './calls.ts';
import { ALL, openLive, placeAt } from './commit-session.ts';

const [what, root = '', at] = process.argv.slice(2);
const live = await openLive(placeAt(root));
const watch = watchCalls({ at: Number(at), does: 'kill', changing: true });
await (what === 'commit' ? live.commit(ALL, () => undefined) : live.undo(() => undefined));
process.stdout.write(`${watch.count()}`);
watch.end();
await live.close();
