/** Numbers of system calls by architecture are those of the kernel's headers, for both architectures on either. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** arm64 has the generic numbers, and renameat besides. */
const HEADERS = {
  x64: ['/usr/include/x86_64-linux-gnu/asm/unistd_64.h'],
  arm64: ['/usr/include/asm-generic/unistd.h'],
  i386: ['/usr/include/x86_64-linux-gnu/asm/unistd_32.h'],
} as const;
type Architecture = keyof typeof HEADERS;
const ARCHITECTURES = Object.keys(HEADERS) as Architecture[];

/** Names that differ: the kernel's of ours. */
const KERNEL_NAMES: Readonly<Record<string, string>> = { prlimit: 'prlimit64' };

/** `name=number`, or a row `name: [x64, arm64, i386]` of a table; `NONE` and what the header does not have are the same. */
function rowsOf(file: string): { name: string; numbers: Partial<Record<Architecture, string>> }[] {
  const text = readFileSync(file, 'utf8');
  const rows = [...text.matchAll(/^ {2}(\w+): \[([-\w]+), ([-\w]+), ([-\w]+)\],/gm)].map(
    ([, name = '', x64 = '', arm64 = '', i386 = '']) => ({ name, numbers: { x64, arm64, i386 } }),
  );
  const words = (['x64', 'arm64'] as const).flatMap((architecture) => {
    const part = new RegExp(`^ {2}${architecture}: ([\`[][^\`\\]]*)`, 'm').exec(text)?.[1] ?? '';
    return [...part.matchAll(/(\w+)=(\d+)/g)].map(([, name = '', number = '']) => ({
      name,
      numbers: { [architecture]: number },
    }));
  });
  return [...rows, ...words];
}

test('numbers of system calls are those of the kernel, on x86-64 and arm64', (t) => {
  const missing = ARCHITECTURES.flatMap((one) => HEADERS[one]).filter((path) => !existsSync(path));
  if (missing.length > 0) {
    t.diagnostic(`nothing to compare with: no ${missing.join(', ')}`);
    return;
  }
  const read = (one: Architecture): Map<string, string> => {
    const text = HEADERS[one].map((path) => readFileSync(path, 'utf8')).join('\n');
    const lines = text.matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)\s*$/gm);
    return new Map([...lines].map(([, name = '', number = '']) => [name, number]));
  };
  const known = { x64: read('x64'), arm64: read('arm64'), i386: read('i386') };
  const files = ['src/sandbox/system-calls.ts', 'src/sandbox/cage.ts', 'src/sandbox/holder/perl-common.ts'];
  const rows = files.flatMap(rowsOf);
  const wrong = rows.flatMap(({ name, numbers }) =>
    ARCHITECTURES.flatMap((one) => {
      const [ours, kernels] = [numbers[one], known[one].get(KERNEL_NAMES[name] ?? name) ?? 'NONE'];
      return ours === undefined || ours === kernels ? [] : [`${name} on ${one}: ${ours}, and not ${kernels}`];
    }),
  );
  assert.deepEqual(wrong, []);
  assert.ok(rows.length > 70, `${rows.length} rows found`);
});
