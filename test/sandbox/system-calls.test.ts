/** The seccomp filter, run by an interpreter of its own: what it answers on every architecture, not just on this one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemCallFilter } from '../../src/sandbox/system-calls.ts';

const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;
const I386 = 0x40000003;
const ALLOWED = 'allowed';

interface Call {
  readonly token: number;
  readonly number: number;
  readonly first?: number;
  readonly second?: number;
}

/** As bpf(4) says and the kernel's checker demands: only forward jumps, and an end on every path. */
function answer(program: Buffer, { token, number, first = 0, second = 0 }: Call): string {
  const data = new Map([
    [0, number],
    [4, token],
    [16, first],
    [24, second],
  ]);
  let loaded = 0;
  for (let i = 0; i < program.length / 8; i++) {
    const code = program.readUInt16LE(i * 8);
    const value = program.readUInt32LE(i * 8 + 4);
    const jump = (holds: boolean): number => program.readUInt8(i * 8 + (holds ? 2 : 3));
    if (code === 0x20) loaded = data.get(value) ?? assert.fail(`loads from ${value}`);
    else if (code === 0x15) i += jump(loaded === value);
    else if (code === 0x35) i += jump(loaded >= value);
    else if (code === 0x45) i += jump((loaded & value) !== 0);
    else if (code === 0x05) i += value;
    else if (code === 0x06) return value === 0x7fff0000 ? ALLOWED : `errno ${value - 0x50000}`;
    else assert.fail(`unknown instruction ${code}`);
  }
  assert.fail('the program runs past its end');
}

function filter(arch: string, ioUring = false): (call: Call) => string {
  const program = systemCallFilter(arch, { ioUring }) ?? assert.fail(`no filter for ${arch}`);
  return (call) => answer(program, call);
}

test('systemCallFilter() refuses by number, by architecture', () => {
  const x64 = filter('x64');
  const arm64 = filter('arm64');
  const keyctl = [
    x64({ token: X64, number: 250 }),
    x64({ token: I386, number: 288 }),
    arm64({ token: ARM64, number: 219 }),
  ];
  assert.deepEqual(keyctl, ['errno 1', 'errno 1', 'errno 1']);
  const read = [x64({ token: X64, number: 0 }), x64({ token: I386, number: 3 }), arm64({ token: ARM64, number: 63 })];
  assert.deepEqual(read, [ALLOWED, ALLOWED, ALLOWED]);
  // 250 is another call for 32-bit programs, and so is 288 for those of 64 bits.
  assert.deepEqual([x64({ token: I386, number: 250 }), x64({ token: X64, number: 288 })], [ALLOWED, ALLOWED]);
});

test('systemCallFilter() lets no other architecture in', () => {
  assert.equal(filter('x64')({ token: ARM64, number: 63 }), 'errno 38');
  assert.equal(filter('arm64')({ token: 0x40000028, number: 3 }), 'errno 38');
  assert.equal(filter('x64')({ token: X64, number: 0x40000000 + 1 }), 'errno 38');
  assert.equal(systemCallFilter('riscv64', { ioUring: false }), undefined);
});

test('systemCallFilter() refuses what types into a terminal, and no other ioctl', () => {
  for (const [arch, token, number] of [
    ['x64', X64, 16],
    ['x64', I386, 54],
    ['arm64', ARM64, 29],
  ] as const) {
    const ioctl = (second: number): string => filter(arch)({ token, number, second });
    assert.deepEqual([0x5412, 0x541c, 0x5413, 0x5401].map(ioctl), ['errno 1', 'errno 1', ALLOWED, ALLOWED], arch);
  }
});

test('systemCallFilter() refuses cgroup namespaces, and no others', () => {
  for (const [arch, token, numbers] of [
    ['x64', X64, [272, 56]],
    ['x64', I386, [310, 120]],
    ['arm64', ARM64, [97, 220]],
  ] as const) {
    for (const number of numbers) {
      const make = (first: number): string => filter(arch)({ token, number, first });
      assert.deepEqual(
        [0x12020000, 0x10020000, 0x1200011].map(make),
        ['errno 1', ALLOWED, ALLOWED],
        `${arch} ${number}`,
      );
    }
    assert.equal(filter(arch)({ token, number: 435 }), 'errno 38');
  }
});

test('systemCallFilter() leaves programs the sockets of builds', () => {
  for (const [arch, token, numbers] of [
    ['x64', X64, [41, 53]],
    ['x64', I386, [359, 360]],
    ['arm64', ARM64, [198, 199]],
  ] as const) {
    for (const number of numbers) {
      const socket = (first: number): string => filter(arch)({ token, number, first });
      assert.deepEqual([1, 2, 10, 16].map(socket), [ALLOWED, ALLOWED, ALLOWED, ALLOWED], `${arch} ${number}`);
      assert.deepEqual([17, 30, 38, 40].map(socket), Array(4).fill('errno 97'), `${arch} ${number}`);
    }
  }
});

test('systemCallFilter() leaves io_uring to programs when told so', () => {
  const setup = { token: X64, number: 425 };
  assert.deepEqual([filter('x64')(setup), filter('x64', true)(setup)], ['errno 38', ALLOWED]);
  assert.equal(filter('x64', true)({ token: I386, number: 102 }), 'errno 38');
});
