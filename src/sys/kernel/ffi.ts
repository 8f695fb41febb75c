/**
 * The foreign function interface, `koffi`: the only file that knows it. A bound call returns its result (>= 0) or a
 * negative errno, and never throws.
 */
import koffi from 'koffi';
import { cLibraryVersion, isOldLibrary, oldLibrary } from '../host/needs.ts';

const GLIBC = 'libc.so.6';

/** The C library, and whether it is the GNU one, which has more functions than others. */
export const { lib, isGlibc } = openLibc();

function openLibc(): { readonly lib: ReturnType<typeof koffi.load>; readonly isGlibc: boolean } {
  const arch = { x64: 'x86_64', arm64: 'aarch64' }[process.arch as string] ?? process.arch;
  for (const name of [GLIBC, `libc.musl-${arch}.so.1`]) {
    try {
      return { lib: koffi.load(name), isGlibc: name === GLIBC };
    } catch (error) {
      if (name !== GLIBC) throw error;
    }
  }
  throw new Error('no C library found');
}

// Path buffers are reused: a call needs two at most and the callee never keeps them.
const PATH_CAPACITY = 2 * 4096 + 2;
const pathA = Buffer.alloc(PATH_CAPACITY);
export const pathB = Buffer.alloc(PATH_CAPACITY);

/** A byte string as a C string, in a buffer that the next use overwrites: `pathB` for a call's second path. */
export function path(text: string, into: Buffer = pathA): Buffer {
  if (text.length >= PATH_CAPACITY) {
    // Longer than any path the kernel takes: it answers ENAMETOOLONG by itself.
    return Buffer.from(`${text}\0`, 'latin1');
  }
  const end = into.write(text, 0, 'latin1');
  into[end] = 0;
  return into;
}

export type Call = (...args: unknown[]) => number;

/** A function of the C library, by its declaration. Its parameters are passed on one by one: a list of them costs an array a call. */
export function bind(signature: string): Call {
  const f = declared(signature);
  switch (parametersOf(signature)) {
    case 1:
      return (a) => errnoUnless(f(a));
    case 2:
      return (a, b) => errnoUnless(f(a, b));
    case 3:
      return (a, b, c) => errnoUnless(f(a, b, c));
    case 4:
      return (a, b, c, d) => errnoUnless(f(a, b, c, d));
    case 5:
      return (a, b, c, d, e) => errnoUnless(f(a, b, c, d, e));
    default:
      return (...args) => errnoUnless(f(...args));
  }
}

function parametersOf(signature: string): number {
  const list = signature.slice(signature.indexOf('(') + 1, -1);
  return list === '' ? 0 : list.split(',').length;
}

function errnoUnless(result: number): number {
  return result < 0 ? -koffi.errno() : result;
}

/** Throws a UserError where the C library is too old to have it. */
function declared(signature: string): Call {
  try {
    return lib.func(signature) as unknown as Call;
  } catch (error) {
    if (isGlibc && isOldLibrary(cLibraryVersion())) throw oldLibrary();
    throw error;
  }
}

const asyncFunctions = new Map<string, ReturnType<typeof lib.func>>();

/** Calls a function of the C library on a thread of the pool. */
export function callAsync(signature: string, ...args: unknown[]): Promise<number> {
  let f = asyncFunctions.get(signature);
  if (f === undefined) {
    f = lib.func(signature);
    asyncFunctions.set(signature, f);
  }
  const target = f;
  return new Promise((resolve, reject) => {
    target.async(...args, (error: Error | null, result: number) => {
      if (error !== null) reject(error);
      else resolve(result < 0 ? -koffi.errno() : result);
    });
  });
}
