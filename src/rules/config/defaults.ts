/** The rules that count where nobody has said anything else. The project's rule is the last, for it may lie anywhere. */

import { type BytePath, isWithin, label, toBytePath } from '../../sys/bytes.ts';
import { defaultStateDirectory, stateDirectory } from '../../sys/host/state-directory.ts';
import { atEveryHome } from '../../sys/host/tool-homes.ts';
import { exactPattern, literally, type Places, parsePattern } from '../pattern/pattern.ts';
import { type Rule, Rules } from '../rules.ts';
import { SECRET_GROUPS, TEMPLATES } from '../secrets/places.ts';
import type { TokenFiles } from '../secrets/token-files.ts';
import type { State } from '../states.ts';

const PATTERNS: readonly (readonly [State, readonly string[]])[] = [
  // The system and its tools are read freely.
  ['ask-write', ['/']],
  ['ask', ['/root', '/home/*', '~']],
  // Toolchains and what shells and git read at their start.
  [
    'ask-write',
    [
      '~/{.nvm,.fnm,.volta,.asdf,.local/share/mise,.nodenv,.rbenv,.pyenv,.sdkman,.conda,.juliaup}',
      '~/{.cargo,.rustup,go,.go,.bun,.deno,.pnpm,.yarn,.dotnet,.gem,.opam,.ghcup,.cabal,.stack,.elan,.sbt,.ivy2,.hex}',
      '~/{miniconda3,anaconda3,miniforge3,mambaforge,micromamba,.pixi,.rye,.virtualenvs,.venvs,venvs,.venv,venv}',
      '~/{.rvm,.goenv,.jenv,.tfenv,.tenv,.phpenv,.plenv,.luaenv,.nodebrew,.n,.proto,.swiftly,.fvm,flutter,.krew}',
      '~/{.terraform.d,.pub-cache,.mix,.nimble,.choosenim,perl5,Android/Sdk,.local/opt,bin,.rd/bin,.docker/bin,.docker/cli-plugins}',
      '~/{.julia,.luarocks,.cpan,R/*-library,quicklisp,.sbclrc,texmf}',
      '/home/linuxbrew/.linuxbrew',
      '~/.local/{bin,lib,share,pipx}',
      '~/{.gitconfig,.gitignore,.gitignore_global,.gitattributes,.config/git}',
      '~/{.bashrc,.bash_profile,.bash_aliases,.bash_logout,.profile,.inputrc,.zshrc,.zshenv,.zprofile,.zlogin,.oh-my-zsh}',
      '~/{.config/fish,.config/starship.toml,.editorconfig,.vimrc,.vim,.config/nvim,.tool-versions,.nvmrc,.terminfo}',
      '~/.config/{pip,uv,npm,yarn,pnpm,go,ripgrep,bat,fd}',
    ],
  ],
  // Who knows the key of a kernel, or the token of a server, runs code where that runs: outside.
  ['ask', ['~/.local/share/jupyter/{runtime,notebook_secret}']],
  // What tools may write as they like: it is staged as everything is.
  [
    'allow',
    [
      '~/.cache',
      '~/.npm/{_cacache,_logs,_npx,_libvips,_prebuilds}',
      ...atEveryHome(['~/.cargo/{registry,git}', '~/go/pkg', '~/.gradle/caches', '~/.bun/install/cache']),
    ],
  ],
  ['allow', ['~/.local/share/pnpm/store', '~/.m2/repository', '~/.node-gyp']],
  ['allow', ['~/.sbt/{boot,1.0/{staging,zinc,dependency}}', '~/.ivy2/{cache,local,.sbt.ivy.lock}']],
  ['allow', ['~/{.cabal,.local/state/cabal}/{packages,store,logs}', '~/.hex/{packages,cache.ets}']],
  ['allow', ['~/.pub-cache/{hosted,hosted-hashes,git,_temp,log,active_roots}', '~/.duckdb/extensions']],
  ['allow', ['~/.julia/{artifacts,clones,compiled,logs,packages,registries,scratchspaces}']],
];

/** What programs of every day write for themselves: it is staged as everything is, and no question for anybody. */
const ROUTINE: readonly (readonly [State, readonly string[]])[] = [
  [
    'allow',
    [
      '~/.npm/_update-notifier-last-checked',
      ...atEveryHome([
        '~/.cargo/{.package-cache,.package-cache-mutate,.global-cache}',
        '~/.gradle/{daemon,native,wrapper/dists,notifications,.tmp}',
        '~/.gem/specs',
      ]),
    ],
  ],
  ['allow', ['~/.yarn/berry', '~/.nuget/packages']],
  ['allow', ['~/.local/state/{pnpm,nvim,vim,less}', '~/.bundle/cache', '~/.composer/cache', '~/.kotlin']],
  // Directories alone, by a file that may be in them: not what they run at their start or unpickle, nor where they take packages from.
  ['allow', ['~/.ipython/{README,profile_default/{db,log,pid,security,startup}/README}']],
  ['allow', ['~/.jupyter/migrated', '~/.config/matplotlib/fontlist-*.json']],
  // Templates, and what was answered last.
  ['allow', ['~/{.cookiecutters,.cookiecutter_replay}']],
  ['allow', ['~/.pm2/{pids,pm2.log,pm2.pid,touch,pub.sock,rpc.sock}', '~/.pm2/modules/README', '~/.cdk/cache']],
  ['allow', ['~/.ansible/{tmp,cp,pc,galaxy_cache}']],
  // Environments of projects that lie elsewhere, as poetry's do below ~/.cache; what pdm has last looked for.
  ['allow', ['~/.local/share/{virtualenvs,hatch/env,pdm/venvs}', '~/.local/state/pdm']],
  // What `uvx` makes before it runs a tool of its cache.
  ['allow', ['~/.local/share/uv/tools/{.lock,.gitignore,.tmp??????}']],
  // Beside what token-files.ts looks into: Expo, Firebase, hatch and cabal write it anew, and rename.
  [
    'allow',
    [
      '~/.config/configstore/firebase-tools.json.*',
      '~/.expo/state.json.*',
      '~/.config/hatch/tmp????????',
      '~/{.cabal,.config/cabal}/config.tmp',
    ],
  ],
  ['allow', ['~/.config/composer/{.htaccess,keys.*.pub}', '~/.local/share/composer/.htaccess']],
  // What is counted, and when somebody last looked for a newer version.
  [
    'allow',
    [
      '~/.config/go/telemetry',
      '~/.config/configstore/update-notifier-*',
      '~/.wget-hsts',
      '~/.config/turborepo/telemetry.json',
      '~/.config/{create-next-app,nextjs}-nodejs',
      '~/.config/.wrangler/{logs,metrics.json,registry}',
      '~/.terraform.d/{checkpoint_cache,checkpoint_signature}',
      '~/.dagster/{.telemetry,.nux,logs}',
    ],
  ],
  // Data that programs fetch, and what they compile for a graphics card and for fonts.
  ['allow', ['~/{nltk_data,scikit_learn_data,.keras/datasets,.keras/models,.nv/ComputeCache,.triton/cache}']],
  ['allow', ['~/.texlive20??']],
  // Browsers without a window, to which nobody has given a directory: each run makes one of its own in it.
  ['allow', ['~/.config/{chromium,google-chrome,google-chrome-for-testing,microsoft-edge}-headless']],
  // What Perl's modules are built in.
  ['allow', ['~/.cpanm/{work,latest-build,build.log,sources}', '~/.cpan/{build,sources,Metadata,FTPstats.yml}']],
  // SQLite sorts in a file of this name, and takes no other directory where this one is there.
  ['allow', ['/var/tmp/etilqs_*']],
  // Where DVC keeps what it knows of repositories, for all users.
  ['allow', ['/var/tmp/dvc']],
  // With a file of this name pnpm tries whether the home directory can be linked to; where not, its store lies in the project.
  ['allow', ['~/_tmp_*_*', '~/.local/share/pnpm/_tmp_*_*']],
  // Editors, pagers, monitors.
  ['allow', ['~/{.viminfo,.viminfo.tmp,.vim/swap,.vim/undo,.lesshst,.lesshsQ,.toprc,.config/procps,.config/htop}']],
  // git config --global, with the lock beside it.
  ['allow', ['~/{.gitconfig,.gitconfig.lock}', '~/.config/git/{config,config.lock,ignore,attributes}']],
];

/** Who could change this would be past all rules, so no file leaves it out. */
const OWN = '~/.config/yolofs';

/** What was looked for on this host. */
export interface Found {
  readonly installed: readonly string[];
  readonly files: TokenFiles;
  /** The repository of which the project is a work tree, and what is called after a program that was wrapped. */
  readonly own: readonly string[];
}

/**
 * The built-in rules. `project` is no part of what a file may leave out: it is what the session is for. `installed` are absolute
 * paths of programs that have to read themselves: they may where there would be a question, and nowhere else. So it is with
 * what is `own`, which may be changed, too.
 */
export function defaultRules(places: Required<Places>, { installed, files, own }: Found): readonly Rule[] {
  const exact = (paths: readonly string[], state: State): readonly Rule[] =>
    paths.flatMap((path) => rulesOf(literally(path), state, places));
  const general = [
    ...[...PATTERNS, ...ROUTINE].flatMap(([state, texts]) => texts.flatMap((text) => rulesOf(text, state, places))),
    ...rulesOf('.', 'allow', places),
    ...exact(files.harmless, 'ask-write'),
    ...exact(files.kept, 'allow'),
    ...SECRET_GROUPS.flatMap(({ state, patterns }) => patterns.flatMap((text) => secretRules(text, state, places))),
    ...exact(files.secret, 'deny'),
    ...TEMPLATES.flatMap((text) => rulesOf(text, 'allow', places)),
  ];
  const rules = new Rules(general);
  const asked = installed.filter((path) => rules.stateOf(toBytePath(path)) === 'ask');
  const open = own.filter((path) => /^ask(?:-write)?$/.test(rules.stateOf(toBytePath(path))));
  return [...general, ...exact(asked, 'ask-write'), ...exact(open, 'allow')];
}

/** What counts even where the user's file has done without the built-in rules; that sessions are out of sight counts against every other rule. */
export function ownRules(places: Places): readonly Rule[] {
  const states = [...new Set([stateDirectory(), defaultStateDirectory()])];
  const hidden = states.map((path): Rule => {
    const pattern = exactPattern(toBytePath(path), path);
    return { pattern, decider: { state: 'hidden', pattern: path, layer: 'default' }, isFinal: true };
  });
  return [...rulesOf(OWN, 'read-only', places), ...hidden];
}

/** A name that stands for a secret wherever it is: what is made in the view under such a name has none of the person's in it. */
function secretRules(text: string, state: State, places: Places): readonly Rule[] {
  const rules = rulesOf(text, state, places);
  return text.startsWith('**/') ? rules.map((rule): Rule => ({ ...rule, isOfBase: true })) : rules;
}

function rulesOf(text: string, state: State, places: Places): readonly Rule[] {
  const patterns = parsePattern(text, places);
  if (typeof patterns === 'string') throw new RangeError(`the built-in rule '${text}' ${patterns}`);
  return patterns.map((pattern) => {
    const { path } = pattern;
    return { pattern, decider: { state, pattern: path === undefined ? text : shown(path, places), layer: 'default' } };
  });
}

/** A path as somebody would have written it. */
function shown(path: BytePath, { home }: Places): string {
  const own = toBytePath(home);
  return label(path === own || !isWithin(path, own) ? (path === own ? '~' : path) : `~${path.slice(own.length)}`);
}
