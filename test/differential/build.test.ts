/** Package managers, compilers and make. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Random } from '../random/random.ts';
import { someAccounts } from '../support/accounts.ts';
import { NETWORK_ENV } from '../support/exec.ts';
import { BUILT } from '../support/session.ts';
import { differential } from './differential.ts';

// Compiled tests lie in an output directory below, or beside, the checkout; npm and tsc work on copies of its files.
const CHECKOUT = process.env.YOLOFS_CHECKOUT ?? dirname(BUILT);

differential({
  title: 'npm ci and a TypeScript build',
  script: `npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
    npm ls --all --parseable | wc -l
    node_modules/.bin/tsc -p tsconfig.json
    find dist -name '*.js' | wc -l`,
  seed: seedPackage,
  needs: ['npm'],
  // Within the project, so that what npm fetched natively is there for the view, as a developer's cache would be.
  env: { ...NETWORK_ENV, npm_config_cache: '/tmp/yolofs-test-npm-cache', npm_config_update_notifier: 'false' },
  timeout: 90_000,
});

differential({
  title: 'make of 120 objects, an incremental build and make clean',
  script: `make -s -j2 all; ./program | tail -1
    touch -d 2030-01-01 src/f7.c; make -s -j2 all 2>&1 | grep -v 'Clock skew\\|modification time' || true; ./program | tail -1
    ar t libparts.a | wc -l; cp program kept; make -s clean; ls | wc -l; make -s -j2 all`,
  seed: seedC,
  needs: ['gcc', 'make', 'ar'],
  accounts: someAccounts(),
});

/** This project's own package, without the linter, which is two thirds of its size. */
function seedPackage(project: string): void {
  type Package = {
    devDependencies: Record<string, string>;
    packages: Record<string, { devDependencies?: Record<string, string> }>;
  };
  for (const file of ['package.json', 'package-lock.json']) {
    const json = JSON.parse(readFileSync(join(CHECKOUT, file), 'utf8')) as Package;
    delete (json.devDependencies ?? json.packages['']?.devDependencies)?.['@biomejs/biome'];
    for (const name of Object.keys(json.packages ?? {})) if (name.includes('@biomejs')) delete json.packages[name];
    writeFileSync(join(project, file), JSON.stringify(json, null, 2));
  }
  cpSync(join(CHECKOUT, 'tsconfig.json'), join(project, 'tsconfig.json'));
  for (const dir of ['src/sys', 'src/staging', 'src/fuse'])
    cpSync(join(CHECKOUT, dir), join(project, dir), { recursive: true });
}

/** 120 translation units, a header they share, a static library of most of them. */
function seedC(project: string): void {
  const random = new Random(3);
  mkdirSync(join(project, 'src'));
  const ids = Array.from({ length: 120 }, (_, i) => i);
  writeFileSync(join(project, 'src/all.h'), ids.map((i) => `int f${i}(int);`).join('\n'));
  for (const i of ids) {
    const next = i === 0 ? 'x' : `f${i - 1}(x + ${random.below(100)})`;
    writeFileSync(join(project, `src/f${i}.c`), `#include "all.h"\nint f${i}(int x) { return ${next} % 1000003; }\n`);
  }
  writeFileSync(
    join(project, 'src/main.c'),
    '#include <stdio.h>\n#include "all.h"\nint main(void) { printf("%d\\n", f119(1)); }\n',
  );
  writeFileSync(
    join(project, 'Makefile'),
    `OBJECTS = $(patsubst %,obj/f%.o,${ids.join(' ')})
all: program
program: obj/main.o libparts.a
\tgcc -o $@ $^
libparts.a: $(OBJECTS)
\tar rcs $@ $^
obj/%.o: src/%.c src/all.h | obj
\tgcc -O0 -g -c -o $@ $<
obj:
\tmkdir -p obj
clean:
\trm -rf obj program libparts.a
`,
  );
}
