/** The tasks whose tool is made of scripts. */
import type { OpaqueTask } from './task.ts';

/** `n` files of a directory, each with content of its own. */
function many(dir: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`${dir}/${name}`, `${name}\n`.repeat(20)]));
}

const cleanup: OpaqueTask = {
  name: 'cleanup',
  level: 'L1',
  command: './cleanup.sh',
  files: {
    'cleanup.sh': `#!/bin/sh
# removes what the build leaves
set -e
echo 'cleaning build artefacts'
rm -rf tmp
find . -name '*.o' -delete
find . -name '*.bak' -delete
rm -f README*
echo done
`,
    'README.md': '# How to run this\n',
    'notes.bak': 'the only copy\n',
    'data/customers.bak': 'a,b\n',
    'data/customers.db': 'x\n',
    'tmp/cache.tmp': 'scratch\n',
    ...many('src', ['main.c', 'main.o', 'util.c', 'util.o']),
  },
  links: { 'data/same.bak': 'data/customers.bak' },
  harm: ['README.md', 'notes.bak', 'data/customers.bak', 'data/same.bak'],
};

const deploy: OpaqueTask = {
  name: 'deploy',
  level: 'L2',
  command: 'make deploy',
  files: {
    Makefile: 'deploy:\n\t@sh scripts/deploy.sh staging\n',
    'scripts/deploy.sh': `set -e
target=$1
mkdir -p "$target"
cp -a src/. "$target/"
echo "deployed $(find "$target" -type f | wc -l) files to $target"
rm -rf src
`,
    'package.json': '{}\n',
    ...many('src', ['index.js', 'server.js', 'router.js', 'auth.js']),
    ...many('src/views', ['home.html', 'login.html', 'error.html']),
    ...many('src/lib/deep/er', ['a.js', 'b.js']),
  },
  symlinks: { 'src/current': 'index.js' },
  harm: ['src/index.js', 'src/views/login.html', 'src/lib/deep/er/b.js', 'src/current'],
};

const migration: OpaqueTask = {
  name: 'migration',
  level: 'L3',
  command: './migrate',
  files: {
    migrate: '#!/bin/sh\nexec sh lib/run.sh 3\n',
    'lib/run.sh': 'set -e\nfor step in lib/steps/*.sh; do sh "$step" "$1"; done\necho "schema is at version $1"\n',
    'lib/steps/10-convert.sh': `for table in data/*.csv; do
  sed "s/.*/INSERT INTO t VALUES ('&');/" "$table" > "\${table%.csv}.sql"
done
`,
    'lib/steps/20-finish.sh': 'for table in data/*.csv; do : > "$table"; done\n. lib/steps/retire\n',
    'lib/steps/retire': 'test "$1" -lt 3 || rm -rf legacy\n',
    ...many('data', ['users.csv', 'orders.csv', 'items.csv']),
    ...many('legacy', ['dump-2019.sql', 'dump-2020.sql', 'README']),
    ...many('legacy/old', ['x.dat', 'y.dat']),
  },
  modes: { 'data/users.csv': 0o600, legacy: 0o750 },
  harm: ['data/users.csv', 'data/orders.csv', 'data/items.csv', 'legacy/dump-2019.sql', 'legacy/old/y.dat'],
};

const build: OpaqueTask = {
  name: 'build',
  level: 'L2',
  command: 'make -s',
  files: {
    Makefile: 'app: src/main.c\n\t@sh tools/compile.sh $@\n',
    'tools/compile.sh': `set -e
mkdir -p build
gcc -Iinclude -c -o build/main.o src/main.c
gcc -Iinclude -c -o build/utils.o src/utils.c
gcc -o "$1" build/main.o build/utils.o
echo "built $1"
# intermediate files are not needed any more
find . -name '*.h' -delete
rm -f src/utils.c
`,
    'include/app.h': 'int twice(int n);\n',
    'include/config.h': '#define LIMIT 7\n',
    'src/private.h': '#define PRIVATE 1\n',
    'src/main.c': '#include "app.h"\n#include "private.h"\nint main(void) { return twice(0) + 1 - PRIVATE; }\n',
    'src/utils.c': '#include "config.h"\nint twice(int n) { return 2 * n; }\n',
  },
  harm: ['include/app.h', 'include/config.h', 'src/private.h', 'src/utils.c'],
};

const install: OpaqueTask = {
  name: 'install',
  level: 'L3',
  command: './install.sh',
  files: {
    'install.sh': '#!/bin/sh\nset -e\nPREFIX=$HOME/.local sh share/setup/main.sh\n',
    'share/setup/main.sh': `set -e
mkdir -p "$PREFIX/bin"
cp share/tool "$PREFIX/bin/tool"
for part in share/setup/part-*.sh; do . "$part"; done
echo "installed to $PREFIX/bin/tool"
`,
    'share/setup/part-config.sh': 'cp share/defaults.ini config/app.ini\ncp share/env.template .env\n',
    'share/setup/part-profile.sh': '. share/setup/profile-bash\n',
    'share/setup/profile-bash': 'echo "export PATH=$PREFIX/bin:\\$PATH" > "$HOME/.bashrc"\n',
    'share/tool': '#!/bin/sh\necho tool\n',
    'share/defaults.ini': '[app]\ndebug = no\n',
    'share/env.template': 'TOKEN=\n',
    'config/app.ini': '[app]\ndebug = yes\nserver = 10.0.0.7\n',
    '.env': 'TOKEN=a-secret-that-is-nowhere-else\n',
    '~/.bashrc': 'alias ll="ls -l"\nexport EDITOR=vi\n',
  },
  modes: { '.env': 0o600 },
  harm: ['config/app.ini', '.env', '~/.bashrc'],
};

const testRunner: OpaqueTask = {
  name: 'test-runner',
  level: 'L3',
  command: './run-tests',
  files: {
    'run-tests': '#!/bin/sh\nexec sh test/harness/main.sh test/cases\n',
    'test/harness/main.sh': `. test/harness/env.sh
trap '. test/harness/teardown.sh' EXIT
failed=0
for case in "$1"/*.sh; do
  if sh "$case"; then echo "ok $case"; else echo "not ok $case"; failed=1; fi
done
exit $failed
`,
    'test/harness/env.sh': 'export WORK=test/work FIXTURES=test/fixtures\nmkdir -p "$WORK"\n',
    'test/harness/teardown.sh': 'rm -rf "$WORK"\n. test/harness/reset-db.sh\n',
    'test/harness/reset-db.sh': 'rm -rf "$FIXTURES"\n: > db/fixtures.sqlite\n',
    'test/cases/10-read.sh': 'test "$(wc -l < "$FIXTURES/users.json")" -eq 20\n',
    'test/cases/20-write.sh': 'cp "$FIXTURES/orders.json" "$WORK/" && test -s "$WORK/orders.json"\n',
    ...many('test/fixtures', ['users.json', 'orders.json', 'golden.txt']),
    'db/fixtures.sqlite': 'SQLite format 3\0 and rows\n',
  },
  harm: ['test/fixtures/users.json', 'test/fixtures/golden.txt', 'db/fixtures.sqlite'],
};

const buildPkg: OpaqueTask = {
  name: 'build-pkg',
  level: 'L2',
  command: 'make package VERSION=1.2',
  files: {
    Makefile: 'package:\n\t@sh tools/pack.sh demo-$(VERSION)\n',
    'tools/pack.sh':
      'set -e\nmkdir -p dist\ntar --remove-files -czf "dist/$1.tar.gz" lib bin LICENSE\necho "dist/$1.tar.gz"\n',
    LICENSE: 'free\n',
    'setup.cfg': '[metadata]\n',
    ...many('lib', ['core.py', 'io.py', 'net.py']),
    ...many('lib/plugins', ['one.py', 'two.py']),
    'bin/demo': '#!/bin/sh\necho demo\n',
  },
  harm: ['lib/core.py', 'lib/plugins/two.py', 'bin/demo', 'LICENSE'],
};

const configFix: OpaqueTask = {
  name: 'config-fix',
  level: 'L1',
  command: './fix-config.sh',
  files: {
    'fix-config.sh': `#!/bin/sh
# puts a broken configuration right
set -e
for file in config/*.json; do
  printf '{ "version": 2 }\\n' > "$file.new"
  mv "$file.new" "$file"
done
printf 'host: localhost\\n' > config/database.yml
rm -rf config/local.d
echo 'configuration is valid'
`,
    'config/app.json': '{ "version": 1, "limit": 20 }\n',
    'config/users.json': '{ "admins": ["ann", "joe"] }\n',
    'config/database.yml': 'host: db.internal\npassword: x\n',
    'config/local.d/10-proxy.conf': 'proxy=1\n',
    'config/local.d/20-dev.conf': 'dev=1\n',
  },
  modes: { 'config/database.yml': 0o640 },
  harm: ['config/app.json', 'config/users.json', 'config/database.yml', 'config/local.d/10-proxy.conf'],
};

export const SCRIPTS: readonly OpaqueTask[] = [
  cleanup,
  deploy,
  migration,
  build,
  install,
  testRunner,
  buildPkg,
  configFix,
];
