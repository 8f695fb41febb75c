/** Boots an emulated machine, and takes what its job says. No KVM is needed, and none used, so that all hosts do the same. */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exec } from '../../support/exec.ts';
import { HOMES } from '../places.ts';
import { makeInitrd } from './initrd.ts';
import { diskOf, kernelsOf, rootOf, type System } from './root.ts';

export interface Boot {
  readonly system: System;
  /** A kernel of its own, with all that it needs built in; without it, the system's. */
  readonly kernel?: string;
  /** Ends the version of the system's kernel that is meant. */
  readonly flavour?: RegExp;
  /** Words for the kernel. */
  readonly append?: string;
  /** The second disk. */
  readonly program: string;
  readonly timeout: number;
}

const CONSOLE = { amd64: 'ttyS0', arm64: 'ttyAMA0' } as const;
const EMULATORS = {
  amd64: ['qemu-system-x86_64', '-cpu', 'max'],
  // Without the real algorithm for signed pointers, which takes an emulator half of its time.
  arm64: ['qemu-system-aarch64', '-machine', 'virt,gic-version=3', '-cpu', 'max,pauth-impdef=on'],
} as const;
/** What programs of ours in Perl and Node take, twice. */
const MEMORY_MIB = '2048';

/** What the console has shown, to the end of the machine or to the time limit. */
export async function boot(options: Boot): Promise<string> {
  const { system, append = '', program, timeout } = options;
  const tty = `console=${CONSOLE[system.arch]}`;
  const words = `root=/dev/vda rw init=/usr/sbin/yolofs-init ${tty} net.ifnames=0 panic=-1 quiet ${append}`;
  const disks = [
    `file=${await diskOf(system)},format=raw,if=none,id=root,snapshot=on`,
    `file=${program},format=raw,if=none,id=program,readonly=on`,
  ];
  const shared = share();
  const argv = [
    ['nice', '-n', '10', 'timeout', String(timeout / 1000)],
    [...EMULATORS[system.arch], '-accel', 'tcg,thread=multi', '-smp', '2', '-m', MEMORY_MIB],
    ['-display', 'none', '-nodefaults', '-no-reboot', '-serial', 'stdio', '-append', words],
    await kernelOf(options),
    disks.flatMap((disk) => ['-drive', disk]),
    ['-device', 'virtio-blk-pci,drive=root', '-device', 'virtio-blk-pci,drive=program'],
    ['-netdev', 'user,id=net', '-device', 'virtio-net-pci,netdev=net,romfile='],
    // Each mount of it takes one of its own.
    ['share', 'other'].flatMap((tag) => [
      '-virtfs',
      `local,path=${shared},mount_tag=${tag},security_model=passthrough`,
    ]),
  ].flat();
  try {
    const { stdout, stderr } = await exec(argv, { cwd: '/', timeout: timeout + 60_000, onStdout: shown });
    return stdout === '' ? stderr : stdout;
  } finally {
    rmSync(shared, { recursive: true });
  }
}

/** A directory of this host that the machine can mount by 9p, twice. */
function share(): string {
  const place = mkdtempSync(join(HOMES, 'share-'));
  chmodSync(place, 0o777);
  return place;
}

async function kernelOf({ system, kernel, flavour = /\d-(?:amd64|arm64)$/ }: Boot): Promise<string[]> {
  if (kernel !== undefined) return ['-kernel', kernel];
  const root = await rootOf(system);
  const version = kernelsOf(root).find((name) => flavour.test(name));
  if (version === undefined) throw new Error(`no kernel of ${root} is called ${flavour}`);
  const initrd = `${root}.${version}.initrd`;
  if (!existsSync(initrd)) await makeInitrd(root, version, initrd);
  return ['-kernel', join(root, `boot/vmlinuz-${version}`), '-initrd', initrd];
}

/** With `YOLOFS_TEST_CONSOLE=1` whoever waits sees how far it is. */
function shown(piece: Buffer): void {
  if (process.env.YOLOFS_TEST_CONSOLE === '1') process.stderr.write(piece);
}
