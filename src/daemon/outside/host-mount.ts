/** The view at a directory of the host, for the person's own programs: one at a time, as long as the daemon lives. */
import type { Layout } from '../../history/layout.ts';
import { MountGuard, mountOnHost } from '../../sandbox/host-mount.ts';
import { mountsNamed, unmountFromHost } from '../../sandbox/unmount.ts';
import { toBytePath } from '../../sys/bytes.ts';
import { removeEmptyDirectory } from '../../sys/files/text-files.ts';
import { close } from '../../sys/libc.ts';
import { log } from '../../sys/log.ts';
import { UserError } from '../../sys/user-error.ts';
import type { FuseWorker } from '../fuse-worker.ts';
import type { EventLine, Replies, Request } from '../protocol.ts';
import type { Guest, ServiceRequest } from '../sockets/control.ts';
import { sourceOf } from './source.ts';

type MountRequest = Extract<Request, { op: 'mount' }>;

/** What it needs of the service. */
interface Snapshots {
  admit(tell: (line: EventLine) => void): Guest<ServiceRequest>;
  snapshotOf(command: string): Promise<void>;
}

interface Mounted extends MountRequest {
  readonly fd: number;
  readonly guard: MountGuard;
}

export class HostMount {
  readonly #layout: Layout;
  readonly #worker: FuseWorker;
  #mounted: Mounted | undefined;
  #onEnded: () => void = () => undefined;
  #isBeingMade = false;

  constructor(layout: Layout, worker: FuseWorker) {
    this.#layout = layout;
    this.#worker = worker;
  }

  get isMounted(): boolean {
    return this.#mounted !== undefined;
  }

  /** Takes away what a daemon that was killed has left. */
  clean(): void {
    for (const dir of mountsNamed(sourceOf(this.#layout))) {
      try {
        unmountFromHost(dir, true);
        log(`unmounted ${dir}: an earlier daemon had left it`);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        log(error.message);
      }
    }
  }

  /** A client of the service, whose requests of this kind are answered here. */
  admit(service: Snapshots, tell: (line: EventLine) => void): Guest<Exclude<Request, { op: 'debug' }>> {
    const guest = service.admit(tell);
    return {
      answer: async (request, onProgress) => {
        if (request.op === 'mount') return this.mount(request);
        if (request.op === 'unmount') return this.unmount(() => service.snapshotOf('yolofs mount --write'));
        return guest.answer(request, onProgress);
      },
      left: () => guest.left(),
    };
  }

  /** Rejects with a UserError. */
  async mount(request: MountRequest): Promise<Replies['mount']> {
    const { dir, write } = request;
    if (this.#mounted !== undefined || this.#isBeingMade) {
      throw new UserError(`the view is mounted at ${this.#mounted?.dir ?? dir}`, "'yolofs unmount' takes that away");
    }
    this.#isBeingMade = true;
    const at = toBytePath(dir);
    try {
      // The view must not see itself, from before it could.
      await this.#worker.order('hideView', { at });
      const fd = await mountOnHost({
        dir,
        writes: write,
        source: sourceOf(this.#layout),
      });
      this.#mounted = { ...request, fd, guard: new MountGuard(dir) };
      await this.#worker.order('attach', { fd, at, writes: write });
      return { dir };
    } catch (error) {
      if (this.#mounted === undefined) await this.#worker.order('hideView', { at: undefined });
      throw error;
    } finally {
      this.#isBeingMade = false;
    }
  }

  /** Resolves when it is gone; `snapshot` takes one of what was written by it. Rejects with a UserError. */
  async unmount(snapshot: () => Promise<void>): Promise<Replies['unmount']> {
    const mounted = this.#mounted;
    if (mounted === undefined) throw new UserError('the view is not mounted on this host');
    const ended = new Promise<void>((resolve) => {
      this.#onEnded = resolve;
    });
    unmountFromHost(mounted.dir, false);
    await ended;
    if (mounted.write) await snapshot();
    return { dir: mounted.dir };
  }

  /** Somebody, we or another, has unmounted it. */
  ended(): void {
    const mounted = this.#mounted;
    this.#mounted = undefined;
    if (mounted === undefined) return;
    this.#tidy(mounted);
    close(mounted.fd);
    this.#onEnded();
  }

  /** The daemon ends. Whoever is in it stays there, and finds nothing any more. The FUSE thread may still read the device. */
  stop(): void {
    const mounted = this.#mounted;
    if (mounted === undefined) return;
    try {
      unmountFromHost(mounted.dir, true);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // The guard tries again when this process is gone.
      log(error.message);
      return;
    }
    this.#tidy(mounted);
  }

  #tidy({ guard, temporary, dir }: Mounted): void {
    guard.dismiss();
    if (temporary) removeEmptyDirectory(dir);
  }
}
