/** Has the FUSE thread serve the connection of a mount on the host, too. */
import type { FuseSession } from '../../fuse/session.ts';
import { type Inode, TOMBSTONE } from '../../staging/inode.ts';
import { type BytePath, components, splitPath } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import type { LiveView } from '../live-view.ts';
import type { MainThread } from '../main-thread.ts';
import type { OrderMessage, Orders } from '../orders/orders.ts';
import { MountedFileSystem } from './mounted-file-system.ts';

/** Nothing is cached for longer than it can be asked for again. */
const WISHES = {
  writeback: false,
  readdirplusAuto: true,
  autoInvalData: true,
  cacheSymlinks: false,
};

/** Throws a UserError for an order that cannot be carried out. */
export function carryOutside(
  live: LiveView,
  session: FuseSession | undefined,
  order: Extract<OrderMessage, { name: 'hideView' | 'attach' }>,
  main: MainThread,
): void {
  if (order.name === 'attach') attach(live, session, order.ask, main);
  else hideView(live, order.ask.at, main);
}

/** `at`: where the view is about to be mounted. */
function hideView(live: LiveView, at: BytePath | undefined, main: MainThread): void {
  if (at !== undefined && isTouched(live, at)) {
    throw new UserError('something is staged in that directory, or above it', 'take another one');
  }
  main.tellChanges(live.host.mountsAt(at));
}

function attach(
  live: LiveView,
  session: FuseSession | undefined,
  { fd, at, writes }: Orders['attach']['ask'],
  main: MainThread,
): void {
  const { gatekeeper, attributions, overlay } = live;
  const fs = new MountedFileSystem({
    inner: gatekeeper.fs,
    at,
    writes,
    pathOf: (node) => overlay.nodePaths.pathOf(node),
    nameOf: (node) => overlay.nodePaths.nameOf(node)?.name,
    outside: (work) => gatekeeper.outside(() => attributions.outside(work)),
    changed: (invalidations) => main.tellChanges(invalidations),
  });
  const onEnded = (): void => {
    hideView(live, undefined, main);
    main.tell({ event: 'detached' });
  };
  session?.addAside({
    fd,
    fs,
    openless: false,
    writes,
    wishes: WISHES,
    onEnded,
  });
}

/** Whether the view shows something else of it than the base, or of what is in it. */
function isTouched({ overlay, tree }: LiveView, at: BytePath): boolean {
  const split = splitPath(at);
  if (split === undefined || !overlay.untouchedIn(split.dir).has(split.name)) return true;
  let inode: Inode | undefined = tree.root;
  for (const name of components(at)) {
    const child: Inode | typeof TOMBSTONE | undefined = inode?.children?.get(name);
    inode = child === TOMBSTONE ? undefined : child;
  }
  return [...(inode?.children?.values() ?? [])].some((child) => child === TOMBSTONE || child.staged !== undefined);
}
