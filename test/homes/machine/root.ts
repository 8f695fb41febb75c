/**
 * The root directory of a Debian for emulated machines. Its packages are unpacked and not set up, so that a host of another
 * architecture can make it, and nothing is started when it boots but `init.sh`.
 */
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { succeed } from '../../support/exec.ts';
import { REPOSITORY } from '../../support/source-files.ts';
import { HOMES } from '../places.ts';

export interface System {
  readonly suite: 'bookworm' | 'trixie';
  readonly arch: 'amd64' | 'arm64';
}

const PACKAGES = [
  ['apparmor', 'bubblewrap', 'busybox-static', 'fuse3', 'gcc', 'git', 'kmod', 'libc6-dev', 'make', 'mawk', 'perl'],
  ['procps', 'rsync', 'strace', 'dosfstools', 'exfatprogs', 'nfs-kernel-server', 'nfs-common', 'iproute2'],
].flat();

const KERNELS = { amd64: ['linux-image-amd64'], arm64: ['linux-image-arm64', 'linux-image-arm64-16k'] } as const;

/** What a Debian's packages make when they are set up, as far as it matters here. */
const DIRECTORIES = ['dev', 'home/dev', 'mnt', 'opt/yolofs', 'proc', 'root', 'run', 'srv', 'sys', 'tmp', 'var/tmp'];
const MERGED = ['bin', 'sbin', 'lib', 'lib64'];
const DEV = { uid: 1000, gid: 1000 };

/** Made where there is none. */
export async function rootOf({ suite, arch }: System): Promise<string> {
  const root = join(HOMES, `${suite}-${arch}`);
  // It gets its name when it is whole.
  if (existsSync(root)) return root;
  const fresh = `${root}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const include = [...PACKAGES, ...KERNELS[arch]].join(',');
  const argv = [
    'mmdebstrap',
    '--mode=root',
    '--variant=extract',
    `--architectures=${arch}`,
    '--include=?essential',
    `--include=${include}`,
  ];
  const hooks = '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr';
  await succeed(['nice', ...argv, hooks, suite, fresh], { cwd: '/', timeout: 1_800_000 });
  await setUp(fresh);
  renameSync(fresh, root);
  return root;
}

async function setUp(root: string): Promise<void> {
  for (const name of DIRECTORIES) mkdirSync(join(root, name), { recursive: true });
  for (const name of MERGED) {
    if (existsSync(join(root, 'usr', name)) && !existsSync(join(root, name)))
      symlinkSync(`usr/${name}`, join(root, name));
  }
  for (const name of ['tmp', 'var/tmp']) chmodSync(join(root, name), 0o1777);
  for (const name of ['passwd', 'group']) {
    copyFileSync(join(root, `usr/share/base-passwd/${name}.master`), join(root, 'etc', name));
  }
  appendFileSync(join(root, 'etc/passwd'), 'dev:x:1000:1000::/home/dev:/bin/sh\n');
  appendFileSync(join(root, 'etc/group'), 'dev:x:1000:\n');
  chownSync(join(root, 'home/dev'), DEV.uid, DEV.gid);
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  symlinkSync('mawk', join(root, 'usr/bin/awk'));
  copyFileSync(join(REPOSITORY, 'test/homes/machine/init.sh'), join(root, 'usr/sbin/yolofs-init'));
  chmodSync(join(root, 'usr/sbin/yolofs-init'), 0o755);
  for (const name of ['usr/share/doc', 'usr/share/man', 'usr/share/locale']) {
    rmSync(join(root, name), { recursive: true, force: true });
  }
  for (const version of kernelsOf(root)) await succeed(['depmod', '--basedir', root, version]);
}

/** Versions, the plain one first. */
export function kernelsOf(root: string): string[] {
  return readdirSync(join(root, 'usr/lib/modules')).sort();
}

/** A disk with the root directory. */
export async function diskOf(system: System): Promise<string> {
  const root = await rootOf(system);
  const disk = `${root}.ext4`;
  const init = readFileSync(join(REPOSITORY, 'test/homes/machine/init.sh'));
  if (!readFileSync(join(root, 'usr/sbin/yolofs-init')).equals(init)) {
    writeFileSync(join(root, 'usr/sbin/yolofs-init'), init);
    rmSync(disk, { force: true });
  }
  if (!existsSync(disk)) await makeDisk(root, disk, '4G');
  return disk;
}

/** An ext4 image of what a directory holds. */
export async function makeDisk(directory: string, disk: string, size: string): Promise<void> {
  const fresh = `${disk}.new`;
  rmSync(fresh, { force: true });
  await succeed(['nice', 'mke2fs', '-q', '-F', '-t', 'ext4', '-d', directory, fresh, size], {
    cwd: '/',
    timeout: 600_000,
  });
  renameSync(fresh, disk);
}
