/** N12: the routine of a day, with the built-in rules and nobody to ask: no question, and no refusal. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sharedGitDirectory } from '../../src/rules/config/work-tree.ts';
import { ordinary } from '../support/accounts.ts';
import { has } from '../support/need.ts';
import { plainDirectory } from '../support/plain.ts';
import { giveTo, session } from '../support/session.ts';

const IDENTITY = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };

/** What a task does, and which program it takes. */
const TASKS: Readonly<Record<string, readonly [program: string, script: string]>> = {
  'git config --global': ['git', 'git config --global alias.st status; git config --global --get alias.st'],
  'an editor': [
    'vim',
    'vim -e -s -i ~/.viminfo -c "normal ihello" -c "wviminfo!" -c wq note.txt; cat note.txt; test -s ~/.viminfo',
  ],
  'a pager with its history': ['less', 'printf ".less-history-file:\\n.search\\n\\"x\\n" > ~/.lesshst; cat ~/.lesshst'],
  'a monitor that keeps its settings': [
    'sh',
    'mkdir -p ~/.config/procps; echo x > ~/.config/procps/toprc; echo x > ~/.toprc',
  ],
  'tools that count': [
    'sh',
    'mkdir -p ~/.config/go/telemetry/local; echo x > ~/.config/go/telemetry/local/go.count; echo x > ~/.wget-hsts',
  ],
  'pnpm, which tries where a link can be made': [
    'sh',
    ': > ~/_tmp_3_0a10; mkdir -p ~/.local/share/pnpm; ln ~/_tmp_3_0a10 ~/.local/share/pnpm/_tmp_3_bf66; rm ~/_tmp_3_0a10 ~/.local/share/pnpm/_tmp_3_bf66',
  ],
  'IPython, Jupyter and matplotlib, in a home that has never seen them': [
    'sh',
    `mkdir -p ~/.ipython/profile_default; echo x > ~/.ipython/README
    for dir in db log pid security startup; do mkdir ~/.ipython/profile_default/$dir; done
    echo x > ~/.ipython/profile_default/startup/README; mkdir ~/.jupyter; echo x > ~/.jupyter/migrated
    mkdir ~/.config/matplotlib; test -w ~/.config/matplotlib; echo x > ~/.config/matplotlib/fontlist-v390.json`,
  ],
  'pm2, Expo, wrangler, the AWS CDK and Ansible, in a home that has never seen them': [
    'sh',
    `mkdir -p ~/.pm2/logs ~/.pm2/pids ~/.pm2/modules ~/.expo ~/.cdk/cache; for file in module_conf.json pm2.log pm2.pid touch logs/a.log
    do echo x > ~/.pm2/$file; done; echo {} > ~/.expo/state.json.uar6c0Da; mv ~/.expo/state.json.uar6c0Da ~/.expo/state.json; echo x > ~/.cdk/cache/notices.json
    mkdir -p ~/.config/.wrangler/logs; echo x > ~/.config/.wrangler/logs/a.log; echo {} > ~/.config/.wrangler/metrics.json
    mkdir -p -m 700 ~/.ansible/tmp; mkdir ~/.ansible/tmp/ansible-local-1; echo x > ~/.ansible/tmp/ansible-local-1/AnsiballZ_ping.py`,
  ],
  'hatch, pdm, pipenv and uvx, which keep environments elsewhere': [
    'sh',
    `mkdir -p ~/.config/hatch ~/.local/state/pdm; echo 'mode = "local"' > ~/.config/hatch/tmpbmxx32rv; mv ~/.config/hatch/tmpbmxx32rv ~/.config/hatch/config.toml; echo x > ~/.local/state/pdm/log
    for dir in virtualenvs/a-1 hatch/env/virtual/a pdm/venvs/a; do mkdir -p ~/.local/share/$dir/bin; echo x > ~/.local/share/$dir/bin/a; done
    mkdir -p ~/.local/share/uv/tools; echo '*' > ~/.local/share/uv/tools/.tmpsRyN52; mv ~/.local/share/uv/tools/.tmpsRyN52 ~/.local/share/uv/tools/.lock`,
  ],
  'SQLite, which sorts in a file of /var/tmp': [
    'sqlite3',
    `sqlite3 sorted.db "create table t(a); with recursive c(i) as (select 1 union all select i + 1 from c where i < 200000)
    insert into t select hex(randomblob(20)) from c; create index ti on t(a); vacuum; select count(*) from t;" | grep -qx 200000
    rm sorted.db; test -z "$(find /var/tmp -maxdepth 1 -name 'etilqs_*' -user "$(id -u)")"`,
  ],
  'Terraform, DuckDB, Dagster and Prefect': [
    'sh',
    `mkdir -p ~/.terraform.d ~/.duckdb/extensions/v1/linux_amd64 ~/.dagster/.telemetry ~/.dagster/logs ~/.prefect; echo x > ~/.terraform.d/checkpoint_signature
    echo x > ~/.duckdb/extensions/v1/linux_amd64/a.duckdb_extension; echo x > ~/.dagster/.telemetry/id.yaml; echo x > ~/.dagster/logs/event.log; echo x > ~/.prefect/prefect.db`,
  ],
  'Chromium without a window, cpanm, Julia, LuaTeX and what fetches data for Python': [
    'sh',
    `for dir in .config/chromium-headless/a .cpanm/sources .julia/compiled/v1 .julia/logs .texlive2022/texmf-var/luatex-cache nltk_data/corpora .keras/models .nv/ComputeCache/a
    do mkdir -p ~/$dir; echo x > ~/$dir/file; done`,
  ],
  'create-next-app and Firebase, in a home that has never seen them': [
    'sh',
    `mkdir -p ~/.config/configstore ~/.config/create-next-app-nodejs; echo {} > ~/.config/create-next-app-nodejs/config.json
    echo {} > ~/.config/configstore/firebase-tools.json.411573834; mv ~/.config/configstore/firebase-tools.json.411573834 ~/.config/configstore/firebase-tools.json`,
  ],
  'cookiecutter, llm and DVC, in a home that has never seen them': [
    'sh',
    `mkdir -p ~/.cookiecutters/t ~/.cookiecutter_replay ~/.config/io.datasette.llm; echo x > ~/.cookiecutters/t/cookiecutter.json
    echo {} > ~/.cookiecutter_replay/t.json; echo x > ~/.config/io.datasette.llm/logs.db
    mkdir -p /var/tmp/dvc/repo/a; echo x > /var/tmp/dvc/repo/a/links.db`,
  ],
  composer: [
    'sh',
    'for dir in .config .local/share; do mkdir -p ~/$dir/composer; echo x > ~/$dir/composer/.htaccess; done',
  ],
  'package managers with a cache in the home directory': [
    'sh',
    `for dir in .npm/_cacache .npm/_libvips .npm/_prebuilds .cache/pip .cache/uv .cache/go-build go/pkg/mod .cargo/registry/cache .m2/repository/a .gradle/caches/8 \\
      .gradle/daemon .gradle/wrapper/dists .yarn/berry/cache .local/share/pnpm/store/v3 .nuget/packages/a .composer/cache .bun/install/cache \\
      .sbt/boot .sbt/1.0/zinc .ivy2/cache .cabal/packages .cabal/store .hex/packages .pub-cache/hosted \\
      .local/share/cargo/registry/cache .local/share/go/pkg/mod .local/share/gradle/caches/8 .local/share/gradle/wrapper/dists
    do mkdir -p ~/$dir && echo x > ~/$dir/file && cat ~/$dir/file >/dev/null; done; touch ~/.npm/_update-notifier-last-checked ~/.cargo/.package-cache; echo 'repository hackage' > ~/.cabal/config.tmp; mv ~/.cabal/config.tmp ~/.cabal/config`,
  ],
};

test('N12: what programs of every day write is staged, and nobody is asked', async (t) => {
  const s = await session(t, { account: ordinary(), rules: 'default' });
  for (const [name, [program, script]] of Object.entries(TASKS)) {
    if (!has(t, [program])) return;
    const { code, stderr } = await s.cli(['run', '--', 'sh', '-euc', script]);
    assert.equal(code, 0, `${name}: ${stderr}`);
    assert.doesNotMatch(stderr, /refused|Permission denied/, name);
  }
  assert.deepEqual(existsSync(join(s.home, '.gitconfig')), false, 'it is staged');
  // The directories on the way were made, but what else is made in them is a question as ever.
  const questions = [
    ...['mkdir ~/.local/bin', 'mkdir ~/.config/autostart', 'echo x > ~/.cargo/env'],
    ...[
      'echo x > ~/.ipython/profile_default/startup/a.py',
      'echo x > ~/.ipython/profile_default/db/rootmodules',
      'echo x > ~/.ipython/profile_default/log/a.log',
      'echo x > ~/.config/matplotlib/matplotlibrc',
      'echo x > ~/.jupyter/jupyter_server_config.py',
    ],
    ...[
      'mkdir ~/.ansible/roles',
      'echo x > ~/.config/.wrangler/other',
      'echo x > ~/.pm2/dump.pm2',
      'mkdir ~/.pm2/modules/a',
      'echo x > ~/.expo/other',
      'echo {} > ~/.config/configstore/other.json',
      'mkdir ~/.config/other-nodejs',
    ],
    ...[
      'mkdir ~/.terraform.d/plugins',
      'echo x > ~/.duckdb/other',
      'echo x > ~/.dagster/dagster.yaml',
      'echo x > /var/tmp/other',
    ],
    ...['mkdir -p ~/.julia/config', 'mkdir ~/.julia/bin', 'echo x > ~/.keras/keras.json', 'mkdir ~/R'],
    ...['mkdir ~/.sbt/1.0/plugins', 'mkdir ~/.cabal/bin', 'mkdir ~/.pub-cache/bin', 'echo x > ~/.hex/other'],
    ...['echo {} > ~/.config/composer/config.json', 'mkdir -p ~/.local/share/jupyter/runtime'],
  ];
  for (const script of questions) {
    const { code, stderr } = await s.cli(['run', '--', 'sh', '-euc', script]);
    assert.notEqual(code, 0, script);
    assert.match(stderr, /not answered write/, script);
  }
});

test('the token of a server of the person, by which it runs code, is a question to who reads it', async (t) => {
  const s = await session(t, { account: ordinary(), rules: 'default' });
  const runtime = join(s.home, '.local/share/jupyter/runtime');
  mkdirSync(runtime, { recursive: true });
  writeFileSync(join(runtime, 'jpserver-7.json'), '{"token": "0a1b2c"}\n');
  writeFileSync(join(runtime, '../notebook_secret'), 'key-3d4e\n');
  writeFileSync(join(runtime, '../plain'), 'read freely\n');
  await giveTo(s.account, join(s.home, '.local'));
  const script = 'cd ~/.local/share/jupyter; cat plain; cat runtime/jpserver-7.json notebook_secret';
  const { code, stdout, stderr } = await s.cli(['run', '--', 'sh', '-c', script]);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: 'read freely\n' });
  assert.match(stderr, /not answered read \S+jpserver-7\.json/);
});

test('N12: a git work tree works as any checkout: its repository is staged as it is', async (t) => {
  const account = ordinary();
  const place = plainDirectory(account);
  const main = join(place.home, 'main');
  const git = (cwd: string, ...words: string[]): string =>
    execFileSync('git', words, { cwd, env: { ...process.env, ...IDENTITY }, encoding: 'utf8' });
  mkdirSync(main);
  writeFileSync(join(main, 'a'), 'a\n');
  for (const words of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    ['commit', '-q', '-m', 'first'],
  ])
    git(main, ...words);
  git(main, 'worktree', 'add', '-q', '-b', 'side', join(place.project, 'tree'));
  const project = join(place.project, 'tree');
  await giveTo(account, place.root);
  assert.equal(sharedGitDirectory(project), join(main, '.git'));
  const s = await session(t, { account, place: { ...place, project }, rules: 'default' });
  const run = await s.cli(['run', '-c', 'echo more >> a; git commit -q -a -m second; git log --format=%s'], {
    env: IDENTITY,
  });
  assert.deepEqual([run.code, run.stdout], [0, 'second\nfirst\n'], run.stderr);
  assert.doesNotMatch(run.stderr, /refused/);
  const log = ['git', 'log', '--format=%s', 'side'];
  assert.equal((await s.native(log, { cwd: main })).stdout, 'first\n');
  await s.commit();
  assert.equal((await s.native(log, { cwd: main })).stdout, 'second\nfirst\n');

  // Nobody but the repository says whose work tree something is: not the file in the project.
  writeFileSync(join(main, '.git/worktrees/tree/gitdir'), '/elsewhere/.git\n');
  assert.equal(sharedGitDirectory(project), undefined);
  assert.match(readFileSync(join(project, '.git'), 'utf8'), /^gitdir: /);
});
