/**
 * The seccomp filter of the cage: a list of what is refused, and all else allowed. Refused is what no build needs and
 * what reaches beyond files and processes: the kernel itself, keys, traces, other kinds of sockets, a terminal's input.
 * Sources: syscall tables of Linux 6.18, seccomp(2), linux/filter.h. A filter cannot look at what pointers lead to.
 */

/** By architecture, as `process.arch` says: what seccomp_data calls it, and its column in the table. */
const ARCHITECTURES = {
  x64: { token: 0xc000003e, column: 0 },
  arm64: { token: 0xc00000b7, column: 1 },
} as const;
/** Also a 64-bit program can make the system calls of 32-bit ones. */
const I386 = { token: 0x40000003, column: 2 };
/** Numbers from here on are those of x32, an ABI that hardly any kernel still has. */
const X32 = 0x40000000;

type Numbers = readonly [x64: number, arm64: number, i386: number];

const NONE = -1;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Refused with EPERM: a program may not. */
const FORBIDDEN: Readonly<Record<string, Numbers>> = {
  acct: [163, 89, 51],
  add_key: [248, 217, 286],
  bpf: [321, 280, 357],
  delete_module: [176, 106, 129],
  finit_module: [313, 273, 350],
  init_module: [175, 105, 128],
  ioperm: [173, NONE, 101],
  iopl: [172, NONE, 110],
  kexec_file_load: [320, 294, NONE],
  kexec_load: [246, 104, 283],
  keyctl: [250, 219, 288],
  open_by_handle_at: [304, 265, 342],
  perf_event_open: [298, 241, 336],
  quotactl: [179, 60, 131],
  quotactl_fd: [443, 443, 443],
  reboot: [169, 142, 88],
  request_key: [249, 218, 287],
  swapoff: [168, 225, 115],
  swapon: [167, 224, 87],
  syslog: [103, 116, 103],
  userfaultfd: [323, 282, 374],
};

/** Refused with ENOSYS, as by a kernel without them: programs then do it another way. */
const ABSENT: Readonly<Record<string, Numbers>> = {
  io_uring_setup: [425, 425, 425],
  io_uring_enter: [426, 426, 426],
  io_uring_register: [427, 427, 427],
  /** Its flags lie behind a pointer; C libraries go on with clone. */
  clone3: [435, 435, 435],
  /** Of 32-bit programs: one call for all of sockets, whose arguments cannot be looked at. */
  socketcall: [NONE, NONE, 102],
};

const IOCTL: Numbers = [16, 29, 54];
/** TIOCSTI and TIOCLINUX: both put characters into the input of a terminal. */
const TERMINAL_INPUT = [0x5412, 0x541c];
const UNSHARE: Numbers = [272, 97, 310];
const CLONE: Numbers = [56, 220, 120];
/** CLONE_NEWCGROUP: whoever has a cgroup namespace can mount the control groups of the host, writable. */
const CGROUP_NAMESPACE = 0x02000000;
const SOCKET: Numbers = [41, 198, 359];
/** It makes the two sockets, and loads the module of their family, before it finds that the family has no pairs. */
const SOCKETPAIR: Numbers = [53, 199, 360];
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Others lead to hypervisors, devices and seldom used corners of the kernel. */
const FAMILIES = [1, 2, 10, 16];

/** Offsets in struct seccomp_data; the low half of an argument is what the kernel looks at here. */
const AT_NUMBER = 0;
const AT_ARCHITECTURE = 4;
const AT_FIRST = 16;
const AT_SECOND = 24;

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const HAS_BIT = 0x45;
const RETURN = 0x06;
const JUMP = 0x05;
const ALLOW = 0x7fff0000;
const REFUSE = 0x00050000;

/** struct sock_filter: where to go on when the comparison holds, and when not, counted from the next instruction. */
interface Instruction {
  readonly code: number;
  readonly yes: number;
  readonly no: number;
  readonly value: number;
}

export interface FilterOptions {
  /** Whether io_uring is left to programs. */
  readonly ioUring: boolean;
}

/** The filter as an array of struct sock_filter; undefined for an architecture whose numbers are not known here. */
export function systemCallFilter(arch: string, options: FilterOptions): Buffer | undefined {
  if (arch !== 'x64' && arch !== 'arm64') return undefined;
  const native = ARCHITECTURES[arch];
  const isX64 = arch === 'x64';
  const foreign = isX64
    ? [...when(EQUAL, I386.token, jump(1)), refuse(ENOSYS), load(AT_NUMBER), ...rules(I386.column, options)]
    : [refuse(ENOSYS)];
  return encode([
    load(AT_ARCHITECTURE),
    // A conditional jump would not reach so far.
    ...when(EQUAL, native.token, jump(foreign.length)),
    ...foreign,
    load(AT_NUMBER),
    ...(isX64 ? when(AT_LEAST, X32, refuse(ENOSYS)) : []),
    ...rules(native.column, options),
  ]);
}

/** One architecture's; the number is loaded. Every path through it returns. */
function rules(column: number, { ioUring }: FilterOptions): Instruction[] {
  const refusals = [
    ...numbersOf(FORBIDDEN, column).map((number) => ({ number, errno: EPERM })),
    ...numbersOf(ABSENT, column, ioUring ? /^io_uring/ : undefined).map((number) => ({ number, errno: ENOSYS })),
  ];
  const terminal = TERMINAL_INPUT.flatMap((request) => when(EQUAL, request, refuse(EPERM)));
  const families = FAMILIES.flatMap((family) => when(EQUAL, family, allow()));
  const spaces = [load(AT_FIRST), ...when(HAS_BIT, CGROUP_NAMESPACE, refuse(EPERM)), allow()];
  return [
    ...block(UNSHARE[column] ?? NONE, spaces),
    ...block(CLONE[column] ?? NONE, spaces),
    ...block(IOCTL[column] ?? NONE, [load(AT_SECOND), ...terminal, allow()]),
    ...[SOCKET, SOCKETPAIR].flatMap((call) =>
      block(call[column] ?? NONE, [load(AT_FIRST), ...families, refuse(EAFNOSUPPORT)]),
    ),
    ...refusals.flatMap(({ number, errno }) => when(EQUAL, number, refuse(errno))),
    allow(),
  ];
}

function numbersOf(table: Readonly<Record<string, Numbers>>, column: number, except?: RegExp): number[] {
  return Object.entries(table)
    .filter(([name]) => except?.test(name) !== true)
    .map(([, numbers]) => numbers[column] ?? NONE)
    .filter((number) => number !== NONE);
}

/** `then` when the loaded value compares so, otherwise on. */
function when(code: number, value: number, then: Instruction): Instruction[] {
  return [{ code, yes: 0, no: 1, value }, then];
}

/** `body`, every path of which returns, for the loaded value alone. */
function block(value: number, body: readonly Instruction[]): Instruction[] {
  return [{ code: EQUAL, yes: 0, no: body.length, value }, ...body];
}

function load(offset: number): Instruction {
  return { code: LOAD, yes: 0, no: 0, value: offset };
}

function jump(over: number): Instruction {
  return { code: JUMP, yes: 0, no: 0, value: over };
}

function allow(): Instruction {
  return { code: RETURN, yes: 0, no: 0, value: ALLOW };
}

function refuse(errno: number): Instruction {
  return { code: RETURN, yes: 0, no: 0, value: REFUSE | errno };
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [i, { code, yes, no, value }] of program.entries()) {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(yes, i * 8 + 2);
    bytes.writeUInt8(no, i * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, i * 8 + 4);
  }
  return bytes;
}
