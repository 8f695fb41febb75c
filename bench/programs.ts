/** The programs that the base tree has for make, tsc and npm. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { succeed } from '../test/support/exec.ts';

const FILES_OF_A_PACKAGE = 50;

/** `count` sources in C and their Makefile. */
export function makeC(dir: string, count: number): void {
  mkdirSync(dir);
  const ids = Array.from({ length: count }, (_, i) => i);
  for (const i of ids)
    writeFileSync(join(dir, `f${i}.c`), `#include <stdio.h>\nint f${i}(int x) { printf("%d", x); return x * ${i}; }\n`);
  writeFileSync(join(dir, 'main.c'), 'int main(void) { return 0; }\n');
  writeFileSync(
    join(dir, 'Makefile'),
    `OBJECTS = main.o ${ids.map((i) => `f${i}.o`).join(' ')}
program: $(OBJECTS)
\tgcc -o $@ $^
%.o: %.c
\tgcc -O1 -c -o $@ $<
clean:
\trm -f *.o program
`,
  );
}

/** `count` modules, each of which imports the one before. */
export function makeTypeScript(dir: string, count: number): void {
  mkdirSync(dir);
  const options = { target: 'es2022', module: 'nodenext', strict: true, types: [], outDir: 'out' };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
  for (let i = 0; i < count; i++) {
    const [head, more] = i === 0 ? ['', '0'] : [`import { f${i - 1} } from './f${i - 1}.js';\n`, `f${i - 1}(x)`];
    writeFileSync(join(dir, `f${i}.ts`), `${head}export function f${i}(x: number): number { return x + ${more}; }\n`);
  }
}

/** A project whose `npm ci` unpacks `count` packages that lie beside it, without a network. */
export async function makeNpm(dir: string, count: number): Promise<void> {
  mkdirSync(dir);
  const names = Array.from({ length: count }, (_, i) => `package${i}`);
  for (const name of names) {
    const content = join(dir, 'package');
    mkdirSync(content);
    writeFileSync(join(content, 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
    for (let i = 1; i < FILES_OF_A_PACKAGE; i++) writeFileSync(join(content, `f${i}.js`), `// ${name}\n`.repeat(i * 4));
    await succeed(['tar', 'czf', join(dir, `${name}.tgz`), '-C', dir, 'package']);
    rmSync(content, { recursive: true });
  }
  const dependencies = Object.fromEntries(names.map((name) => [name, `file:${name}.tgz`]));
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'bench', version: '1.0.0', dependencies }));
  await succeed(['npm', 'install', '--package-lock-only', '--offline', '--no-audit', '--no-fund'], { cwd: dir });
}
