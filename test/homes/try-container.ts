/** A container's row. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exec, succeed } from '../support/exec.ts';
import { MAIN } from '../support/session.ts';
import { REPOSITORY } from '../support/source-files.ts';
import { cloneFiles, NPM_PROGRAM } from './clone.ts';
import type { Container, Suite } from './containers.ts';
import { HOMES } from './places.ts';
import { containerKey, type Row } from './table.ts';

/** Podman takes neither control groups of two versions, nor a layer that lies below another. */
const PREPARED = `
[ -e /sys/fs/cgroup/cgroup.controllers ] || { umount -R /sys/fs/cgroup; mount -t tmpfs none /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; }
mount -t tmpfs none "$0"
`;
const RUN = `podman --root "$0/root" --runroot "$0/run" run --rm --cgroups=disabled --network host -e "NODE=$NODE" -e "MAIN=$MAIN" "$@"`;
const PODMAN = `${PREPARED}
exec ${RUN} --ulimit nofile=1024:1024 --ulimit nproc=1000:1000 --rootfs "$ROOT:O" sh -c "$SCRIPT"
`;
/** An ordinary user owns all of the root directory, and has other ids for the other users in it. */
const ROOTLESS = `${PREPARED}
mkdir "$0/home" "$0/runtime"
cp -a "$ROOT" "$0/rootfs"
rm -f "$0/rootfs/etc/mtab"
chown -hR 1000:1000 "$0"
echo 1000:100000:65536 > "$0/ids"
for file in subuid subgid; do touch "/etc/$file"; mount --bind "$0/ids" "/etc/$file"; done
mount --make-rshared /
export HOME="$0/home" XDG_RUNTIME_DIR="$0/runtime"
cd /
exec setpriv --reuid=1000 --regid=1000 --clear-groups ${RUN} --rootfs "$0/rootfs" sh -c "$SCRIPT"
`;

/** Runs all steps of a session in it. */
export async function tryContainer(container: Container): Promise<Row> {
  const result = await resultIn(container);
  return { key: containerKey(container), result, isExpected: container.expected.test(result) };
}

/** The root directory of a system, made where there is none. */
async function rootOf(suite: Suite): Promise<string> {
  const root = join(HOMES, suite);
  // It gets its name when it is whole.
  if (existsSync(root)) return root;
  const fresh = `${root}.new`;
  rmSync(fresh, { recursive: true, force: true });
  if (suite === 'busybox') await makeBusybox(fresh);
  else
    await succeed(['debootstrap', '--variant=minbase', '--include=perl,git', suite, fresh], {
      cwd: '/',
      timeout: 900_000,
    });
  renameSync(fresh, root);
  return root;
}

/** Busybox of this host, and the libraries that it and Node need. */
async function makeBusybox(root: string): Promise<void> {
  for (const name of ['bin', 'dev', 'etc', 'proc', 'run', 'sys', 'tmp', 'usr', 'var/tmp']) {
    mkdirSync(join(root, name), { recursive: true });
  }
  for (const name of ['tmp', 'var/tmp']) chmodSync(join(root, name), 0o1777);
  copyFileSync('/bin/busybox', join(root, 'bin/busybox'));
  for (const program of ['/bin/busybox', process.execPath]) {
    // It says nothing of one that needs none.
    const { stdout } = await exec(['ldd', program], { cwd: '/' });
    for (const [library] of stdout.matchAll(/\/\S+/g)) {
      mkdirSync(join(root, dirname(library)), { recursive: true });
      copyFileSync(library, join(root, library));
    }
  }
  await succeed(['chroot', root, '/bin/busybox', '--install', '-s', '/bin']);
}

async function resultIn({ user, flags, suite, rootless, isFromClone }: Container): Promise<string> {
  const place = mkdtempSync('/var/tmp/yolofs-homes-');
  chmodSync(place, 0o755);
  try {
    const own = user === 'root' ? [] : ['--user', user === 'nameless' ? '42424' : '1000'];
    const home = user === 'ordinary' ? ['-e', 'NEWHOME=yes'] : [];
    const root = suite === undefined ? '/' : await rootOf(suite);
    const volumes = suite === undefined ? [] : [process.execPath, REPOSITORY].map(readOnly);
    const alone = [
      'unshare',
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      rootless === true ? ROOTLESS : PODMAN,
      place,
    ];
    const steps = script('steps.sh');
    const clone = isFromClone === true ? await fromClone(suite !== undefined, steps) : [];
    const env = { NODE: process.execPath, MAIN, SCRIPT: isFromClone === true ? script('clone.sh') : steps, ROOT: root };
    const argv = [...alone, ...own, ...home, ...flags, ...volumes, ...clone];
    const { stdout, stderr } = await exec(argv, { cwd: '/', env, timeout: 600_000 });
    return /^result: (.*)$/m.exec(stdout)?.[1] ?? `podman: ${stderr.trim().split('\n').at(-1)}`;
  } finally {
    rmSync(place, { recursive: true });
  }
}

function script(name: string): string {
  return readFileSync(join(REPOSITORY, 'test/homes', name), 'utf8');
}

function readOnly(path: string): string {
  return `--volume=${path}:${path}:ro`;
}

/** Podman's flags for `clone.sh`; a system of its own lacks the files. */
async function fromClone(isElsewhere: boolean, steps: string): Promise<string[]> {
  const { bundle, npm, network, certificates } = await cloneFiles();
  const trusted = certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates };
  const env = { ...network, ...trusted, BUNDLE: bundle, NPM: join(npm, NPM_PROGRAM), STEPS: steps };
  return [
    ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
    ...(isElsewhere ? [bundle, npm, ...Object.values(trusted)].map(readOnly) : []),
  ];
}
