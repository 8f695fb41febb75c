/** A view in use, without a mount, over files that somebody changes outside meanwhile. */
import * as fs from 'node:fs';
import type { TestContext } from 'node:test';
import { LiveView } from '../../../src/daemon/live-view.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { layoutOf } from '../../history/registry/layouts.ts';
import { removeTree } from '../history/image.ts';
import { CALLER, FakeKernel } from '../history/kernel.ts';

const OWNER = { uid: 0, gid: 0, groups: [0], mapsAll: true };
const WISHES = { ours: [], theirs: [], merge: false };

/** A session over these files, and a kernel that believes what it was told. */
export class Used {
  readonly #root = fs.mkdtempSync('/var/tmp/yolofs-outside-');
  readonly project = `${this.#root}/project`;
  readonly live: LiveView;
  readonly kernel: FakeKernel;

  constructor(t: TestContext, files: Readonly<Record<string, string>>, links: readonly [string, string][] = []) {
    fs.mkdirSync(this.project);
    for (const [path, text] of Object.entries(files)) this.put(path, text);
    for (const [from, to] of links) fs.linkSync(`${this.project}/${from}`, `${this.project}/${to}`);
    const layout = layoutOf(this.project);
    fs.mkdirSync(layout.dir);
    this.live = new LiveView({ layout, owner: OWNER, durable: false, maxFiles: 16, rules: [] });
    this.kernel = new FakeKernel(this.live.overlay, this.project);
    t.after(async () => {
      await this.live.close();
      removeTree(this.#root);
    });
  }

  put(path: string, text: string): void {
    const at = `${this.project}/${path}`;
    fs.mkdirSync(at.slice(0, at.lastIndexOf('/')), { recursive: true });
    fs.writeFileSync(at, text);
  }

  /** Does something on the host; the kernel hears what the watch makes of it. */
  outside(act: (project: string) => void): void {
    act(this.project);
    this.kernel.forget(this.live.host.drainWatch());
  }

  /** What the view has at these paths; undefined: nothing. */
  see(...paths: string[]): (string | undefined)[] {
    return paths.map((path) => {
      const node = this.kernel.find(path);
      return node === 0 ? undefined : this.kernel.read(node);
    });
  }

  has(...paths: string[]): string[] {
    return paths.map((path) => fs.readFileSync(`${this.project}/${path}`, 'latin1'));
  }

  /** Writes at the end that the kernel knows. */
  append(path: string, text: string): void {
    const node = this.kernel.node(path);
    this.kernel.write(node, this.kernel.stat(node).size, text);
  }

  make(path: string, text: string): void {
    const node = { mode: 0o100644, rdev: 0, umask: 0 };
    const made = this.kernel.make(path, ({ dir, name }) => this.live.overlay.mknod(dir, name, node, CALLER));
    this.kernel.write(made, 0, text);
  }

  makeDirectory(path: string): void {
    const node = { mode: 0o755, rdev: 0, umask: 0 };
    this.kernel.make(path, ({ dir, name }) => this.live.overlay.mkdir(dir, name, node, CALLER));
  }

  commit(...paths: string[]): Promise<void> {
    return this.commitWhile(() => undefined, ...paths);
  }

  /** `act` is done outside when everything is in its place, and not watched there yet. */
  async commitWhile(act: (project: string) => void, ...paths: string[]): Promise<void> {
    const ask = { paths: paths.map((path) => `${this.project}/${path}` as BytePath), wishes: WISHES };
    const { invalidations } = await this.live.orders.commit(ask, ({ what }) => what === 'done' && act(this.project));
    this.kernel.forget([...invalidations, ...this.live.host.drainWatch()]);
    for (
      let late = this.live.overlay.outside.lookLate();
      late !== undefined;
      late = this.live.overlay.outside.lookLate()
    )
      this.kernel.forget(late);
  }
}
