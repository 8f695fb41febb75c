/**
 * `npm run test:homes`: the steps of a session in containers, as root and as others, with podman and the root directory of this host, or
 * those of other Debians, which debootstrap makes below /var/tmp/yolofs-homes, once; writes `TABLE.md` beside its README. Takes root, podman,
 * debootstrap and some minutes. Not a part of `npm test`.
 */
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot } from '../support/accounts.ts';
import { CLEAN_ENV, exec, succeed } from '../support/exec.ts';
import { MAIN } from '../support/session.ts';
import { REPOSITORY } from '../support/source-files.ts';
import { CONTAINERS, type Container, type Suite } from './containers.ts';

/** All that a session is for; says in one line how far it came. */
const STEPS = `
yolofs() { "$NODE" "$MAIN" "$@"; }
fail() { echo "result: $(echo "$2" | sed -n '/^yolofs: /{p;q}' | sed 's/^yolofs: [a-z]*: //')"; exit 0; }
dir=$(mktemp -d) && cd "$dir" && echo base > base || exit 1
if [ -n "\${NEWHOME-}" ]; then mkdir home; export HOME=$dir/home; fi
mkdir project && cd project || exit 1
said=$(yolofs init 2>&1) || fail init "$said"
said=$(yolofs run --quiet -- sh -c 'echo staged > file && cat file' 2>&1) || fail run "$said"
[ "$said" = staged ] && [ ! -e file ] || { echo "result: nothing was staged: $said"; exit 0; }
yolofs run --quiet -- sh -c ': >> /proc/sys/kernel/core_pattern' 2>/dev/null && { echo 'result: settings of the kernel are open'; exit 0; }
proc=$(yolofs status 2>&1 >/dev/null | grep -c 'has the /proc')
said=$(yolofs commit --yes 2>&1) || fail commit "$said"
[ "$(cat file)" = staged ] || { echo 'result: nothing was committed'; exit 0; }
said=$(yolofs doctor 2>&1) || { echo "$said"; echo 'result: doctor finds faults'; exit 0; }
yolofs stop
if [ "$proc" = 0 ]; then echo 'result: holds'; else echo "result: holds, with the container's /proc"; fi
`;

/** Podman takes neither control groups of two versions, nor a layer that lies below another. */
const PODMAN = `
[ -e /sys/fs/cgroup/cgroup.controllers ] || { umount -R /sys/fs/cgroup; mount -t tmpfs none /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; }
mount -t tmpfs none "$0"
exec podman --root "$0/root" --runroot "$0/run" run --rm --cgroups=disabled --network host \
  --ulimit nofile=1024:1024 --ulimit nproc=1000:1000 -e "NODE=$NODE" -e "MAIN=$MAIN" "$@" --rootfs "$ROOT:O" sh -c "$STEPS"
`;

/** Where the root directories of other Debians are kept. */
const ROOTS = '/var/tmp/yolofs-homes';

process.exitCode = await main();

async function main(): Promise<number> {
  const lacks = ['podman', 'unshare', 'debootstrap'].find((name) => !isInstalled(name));
  if (!isRoot || lacks !== undefined) {
    process.stderr.write(`not tried: this takes ${isRoot ? lacks : 'root'}\n`);
    return 1;
  }
  const rows: string[] = [];
  let failures = 0;
  for (const container of CONTAINERS) {
    const result = await tryIn(container);
    const isExpected = container.expected.test(result);
    if (!isExpected) failures++;
    rows.push(
      `| ${container.suite ?? 'this host'} | ${container.user} | ${container.flags.map(shown).join(' ') || 'none'} | ${result} |`,
    );
    process.stdout.write(`${isExpected ? 'ok    ' : 'not ok'} ${rows.at(-1)}\n`);
  }
  const columns = '| system | user | flags of podman | result |';
  const head = ['# Made by `npm run test:homes`', '', columns, '| --- | --- | --- | --- |'];
  if (failures === 0) writeFileSync(join(REPOSITORY, 'test/homes/TABLE.md'), `${[...head, ...rows].join('\n')}\n`);
  return failures === 0 ? 0 : 1;
}

function isInstalled(program: string): boolean {
  return (CLEAN_ENV.PATH ?? '').split(':').some((directory) => existsSync(join(directory, program)));
}

function shown(flag: string): string {
  return `\`${flag.replace(REPOSITORY, '.')}\``;
}

/** The root directory of a Debian, made where there is none. */
async function rootOf(suite: Suite): Promise<string> {
  const root = join(ROOTS, suite);
  // It gets its name when it is whole.
  if (existsSync(root)) return root;
  const fresh = `${root}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const argv = ['debootstrap', '--variant=minbase', '--include=perl', suite, fresh];
  await succeed(argv, { cwd: '/', timeout: 900_000 });
  renameSync(fresh, root);
  return root;
}

async function tryIn({ user, flags, suite }: Container): Promise<string> {
  const place = mkdtempSync('/var/tmp/yolofs-homes-');
  try {
    const own = user === 'root' ? [] : ['--user', user === 'nameless' ? '42424' : '1000'];
    const home = user === 'ordinary' ? ['-e', 'NEWHOME=yes'] : [];
    const root = suite === undefined ? '/' : await rootOf(suite);
    const program = [process.execPath, REPOSITORY].map((path) => `--volume=${path}:${path}:ro`);
    const argv = [
      'unshare',
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      PODMAN,
      place,
      ...own,
      ...home,
      ...flags,
      ...(suite === undefined ? [] : program),
    ];
    const env = { NODE: process.execPath, MAIN, STEPS, ROOT: root };
    const { stdout, stderr } = await exec(argv, { cwd: '/', env, timeout: 180_000 });
    return /^result: (.*)$/m.exec(stdout)?.[1] ?? `podman: ${stderr.trim().split('\n').at(-1)}`;
  } finally {
    rmSync(place, { recursive: true });
  }
}
