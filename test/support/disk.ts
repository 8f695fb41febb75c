/** A small ext4 of one's own, for tests of full, broken and measured disks. Root only. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exec, succeed } from './exec.ts';

export interface Disk {
  /** Where it is mounted. */
  readonly mountPoint: string;
  /** Makes the file system turn read-only, as it does by itself after an error of the hardware. */
  fail(): void;
  /** Unmounts and deletes it. */
  remove(): Promise<void>;
}

export interface DiskOptions {
  /** As mount(8) takes them. */
  readonly mount?: string;
  /** Room for this many files; by default what mkfs finds right for the size. */
  readonly inodes?: number;
}

/** Makes, formats and mounts an image of `megabytes` below /var/tmp. */
export async function loopDisk(megabytes: number, options: DiskOptions = {}): Promise<Disk> {
  const root = mkdtempSync('/var/tmp/yolofs-disk-');
  const image = join(root, 'image');
  const mountPoint = join(root, 'disk');
  mkdirSync(mountPoint);
  await succeed(['truncate', '-s', `${megabytes}M`, image]);
  const inodes = options.inodes === undefined ? [] : ['-N', String(options.inodes)];
  await succeed(['mkfs.ext4', '-q', '-F', '-m', '0', ...inodes, image]);
  await succeed(['mount', '-o', `loop,${options.mount ?? 'errors=remount-ro'}`, image, mountPoint]);
  const device = (await succeed(['findmnt', '-n', '-o', 'SOURCE', mountPoint])).trim();
  return {
    mountPoint,
    fail: () => {
      writeFileSync(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, '1');
      // Older kernels change the mount to `ro`; newer ones keep `rw` and add a word.
      const mount = readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .find((line) => line.includes(` ${mountPoint} `));
      if (!/ ext4 ro,|emergency_ro/.test(mount ?? '')) throw new Error(`the disk did not turn read-only: ${mount}`);
    },
    remove: async () => {
      // The kernel takes a namespace's mounts down after its last process is gone.
      let unmounted = await exec(['umount', mountPoint]);
      for (let i = 0; i < 50 && unmounted.code !== 0; i++) {
        await sleep(50);
        unmounted = await exec(['umount', mountPoint]);
      }
      if (unmounted.code !== 0) await succeed(['umount', '-l', mountPoint]);
      rmSync(root, { recursive: true });
      if (unmounted.code !== 0) throw new Error(`something still used the disk: ${unmounted.stderr}`);
    },
  };
}
