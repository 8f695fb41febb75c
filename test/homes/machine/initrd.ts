/** What a kernel with modules needs before it finds its disk. */
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { succeed } from '../../support/exec.ts';

const MODULES = ['virtio_blk', 'virtio_pci', 'ext4'];

const INIT = `#!/busybox sh
/busybox mkdir -p /dev /new
/busybox mount -t devtmpfs dev /dev
for module in $(/busybox cat /modules); do /busybox insmod "/$module"; done
i=0
until /busybox mount -t ext4 /dev/vda /new || [ $i = 100 ]; do /busybox sleep 0.1; i=$((i + 1)); done
/busybox mount -o move /dev /new/dev
exec /busybox switch_root /new /usr/sbin/yolofs-init
`;

/** Writes the archive that the kernel of this version, whose modules lie below `root`, begins with. */
export async function makeInitrd(root: string, version: string, to: string): Promise<void> {
  const place = mkdtempSync(`${to}.`);
  try {
    mkdirSync(join(place, 'modules.d'));
    const names: string[] = [];
    for (const path of await modulesOf(root, version)) {
      const name = `modules.d/${basename(path).replace(/\.xz$/, '')}`;
      const unpack = path.endsWith('.xz') ? `xz -dc "$1" > "$2"` : `cp "$1" "$2"`;
      await succeed(['sh', '-c', unpack, 'sh', path, join(place, name)]);
      names.push(name);
    }
    writeFileSync(join(place, 'modules'), `${names.join('\n')}\n`);
    writeFileSync(join(place, 'init'), INIT);
    chmodSync(join(place, 'init'), 0o755);
    copyFileSync(join(root, 'usr/bin/busybox'), join(place, 'busybox'));
    await succeed(['sh', '-c', 'find . | cpio --quiet -o -H newc > "$0"', to], { cwd: place });
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** Paths of the modules, each after those that it needs. */
async function modulesOf(root: string, version: string): Promise<string[]> {
  const paths: string[] = [];
  for (const name of MODULES) {
    const argv = ['modprobe', '--dirname', root, '--set-version', version, '--show-depends', name];
    for (const line of (await succeed(argv)).split('\n')) {
      const path = /^insmod (\S+)/.exec(line)?.[1];
      if (path !== undefined && !paths.includes(path)) paths.push(path);
    }
  }
  return paths;
}
