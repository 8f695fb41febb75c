/** D3: an extended attribute that the base could not have is refused when it is set, with the errno that the base would give. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { BytePath, NodeId } from '../../../src/sys/bytes.ts';
import { ENODATA, ENOSPC, EOPNOTSUPP, type Errno, OK } from '../../../src/sys/errno.ts';
import * as libc from '../../../src/sys/libc.ts';
import { openView } from '../session-parts.ts';
import { CALLER, ViewDriver } from '../view-driver.ts';

const TYPES = ['file', 'directory', 'symlink', 'fifo'] as const;
type Type = (typeof TYPES)[number];

interface Twins {
  /** Sets it on a file of the view and on one of the host that is the same; returns both answers. */
  set(type: Type, name: string, size: number): readonly [view: Errno, host: Errno];
  /** How large each attribute of the view's is. */
  sizes(type: Type): Readonly<Record<string, number>>;
  inStore(): string[];
}

function makeAll(path: (type: Type) => string): void {
  writeFileSync(path('file'), 'x');
  mkdirSync(path('directory'));
  symlinkSync('nowhere', path('symlink'));
  libc.mknodAt(libc.AT_FDCWD, path('fifo'), 0o010600, 0);
}

/** `born`: the view's are made in the view; otherwise they are the base's. */
function twins(t: TestContext, born: boolean): Twins {
  const v = openView();
  t.after(() => v.close());
  mkdirSync(`${v.dir}/host`, { recursive: true });
  const [view, host] = [(type: Type) => `${v.dir}/${type}` as BytePath, (type: Type) => `${v.dir}/host/${type}`];
  makeAll(host);
  const driver = new ViewDriver(v.overlay);
  if (!born) makeAll(view);
  else {
    const node = { mode: 0o010600, rdev: 0, umask: 0 };
    driver.create(view('file'), 0o644);
    driver.mkdir(view('directory'), 0o755);
    driver.symlink('nowhere', view('symlink'));
    v.overlay.mknod(driver.resolve(v.dir) as NodeId, 'fifo' as never, node, CALLER);
  }
  const nodeOf = (type: Type): NodeId => driver.resolve(view(type)) as NodeId;
  return {
    set: (type, name, size) => {
      const value = Buffer.alloc(size, 'v');
      const native = libc.setxattrAt(libc.AT_FDCWD, host(type), name, value);
      return [v.overlay.setxattr(nodeOf(type), name, value, 0, CALLER), native < 0 ? (-native as Errno) : OK];
    },
    sizes: (type) => {
      const list = v.overlay.listxattr(nodeOf(type));
      const names = typeof list === 'number' ? [] : list.toString('latin1').split('\0').filter(Boolean);
      const size = (name: string): number => {
        const value = v.overlay.getxattr(nodeOf(type), name, CALLER);
        return typeof value === 'number' ? -value : value.length;
      };
      return Object.fromEntries(names.map((name) => [name, size(name)]));
    },
    inStore: () => readdirSync(`/proc/self/fd/${v.store.dirfd}`).filter((name) => !/^\d+$/.test(name)),
  };
}

const NAMES = ['foo', 'bogus.x', 'system.foo', 'osx.a', 'user.a', `user.${'n'.repeat(250)}`];

for (const born of [true, false]) {
  const whose = born ? 'born in the view' : 'of the base';
  test(`D3: what is ${whose} takes the attributes that it would take outside`, (t) => {
    const both = twins(t, born);
    for (const type of TYPES) {
      for (const name of NAMES) {
        const [view, host] = both.set(type, name, 1);
        assert.equal(view, host, `${name.slice(0, 20)} of a ${type}`);
      }
    }
    assert.equal(both.set('file', 'foo', 1)[0], EOPNOTSUPP);
    assert.deepEqual(Object.keys(both.sizes('file')).sort(), ['user.a', NAMES.at(-1)]);
    assert.deepEqual(both.inStore(), [], 'the trial leaves nothing behind');
  });

  test(`D3: what is ${whose} has as much room for attributes, together, as it would have outside`, (t) => {
    const both = twins(t, born);
    for (const type of ['file', 'directory'] as const) {
      const answers = new Set<Errno>();
      for (const [i, size] of [900, 900, 60_000, 900, 900, 900, 900, 65_536, 10].entries()) {
        const [view, host] = both.set(type, `user.${i}`, size);
        assert.equal(view, host, `attribute ${i} of a ${type}, ${size} bytes`);
        answers.add(view);
      }
      assert.ok(answers.has(OK));
      // Some file systems have room for all that the kernel lets through.
      if (answers.size > 1) assert.ok(answers.has(ENOSPC));
      // What is there can be made smaller.
      assert.deepEqual(both.set(type, 'user.0', 1), [OK, OK]);
      assert.equal(both.sizes(type)['user.0'], 1);
    }
  });
}

test('D3: what a base directory says of a kind of attribute holds for what is made in it', (t) => {
  const v = openView();
  t.after(() => v.close());
  mkdirSync(v.dir);
  const driver = new ViewDriver(v.overlay);
  driver.mkdir(`${v.dir}/new` as BytePath, 0o755);
  driver.create(`${v.dir}/new/file` as BytePath, 0o644);
  const { base } = v;
  const getxattr = base.getxattr.bind(base);
  const asked: string[] = [];
  base.getxattr = (path, name) => {
    if (path === v.dir) asked.push(name);
    return path === v.dir ? EOPNOTSUPP : getxattr(path, name);
  };
  const node = driver.resolve(`${v.dir}/new/file` as BytePath) as NodeId;
  assert.equal(v.overlay.setxattr(node, 'user.a', Buffer.from('1'), 0, CALLER), EOPNOTSUPP);
  assert.deepEqual(asked, ['user.a']);
  assert.equal(v.overlay.getxattr(node, 'user.a', CALLER), ENODATA);
});
