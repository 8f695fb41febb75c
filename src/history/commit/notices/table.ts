/**
 * What runs later outside of the view, or leads it: one row for each kind of place, by path. A pattern is a path from any directory
 * down (`.git/hooks/*`), or from the root (`/etc/cron*`); `*` stands for part of a name, `**` at the end for all below.
 * Whether it is one often shows in the content only: then the row names who looks (contents.ts).
 */
import { atEveryHome } from '../../../sys/host/tool-homes.ts';
import type { Look } from './contents.ts';

/** What becomes of it: for programs; people read `why`. */
export type NoticeKind =
  | 'git'
  | 'shell'
  | 'login'
  | 'schedule'
  | 'programs'
  | 'agent'
  | 'editor'
  | 'packages'
  | 'ci'
  | 'build';

export interface Row {
  readonly kind: NoticeKind;
  /** A sentence about the file, without its name. */
  readonly why: string;
  readonly patterns: readonly string[];
  /** Says by the content what there is to tell; nothing: no notice. Without it the path says enough. */
  readonly look?: Look;
}

/** Looked for at the top of a repository or of what an editor opens: in a package that is installed they say nothing. */
export const OF_REPOSITORIES: readonly NoticeKind[] = ['editor', 'ci', 'build'];

/** Patterns have no blanks in them; those of a tool's home hold for its other place, too. */
function words(text: string): readonly string[] {
  return atEveryHome(text.trim().split(/\s+/));
}

export const TABLE: readonly Row[] = [
  {
    kind: 'git',
    why: 'git runs it',
    patterns: words('hooks/* .githooks/* .git-hooks/*'),
    look: 'hook',
  },
  {
    kind: 'git',
    why: 'git takes settings from it',
    patterns: words('.git/config *.git/config config.worktree .gitconfig git/config config /etc/gitconfig'),
    look: 'git-config',
  },
  {
    kind: 'git',
    why: 'git takes what to do at an update from it',
    patterns: words('.gitmodules'),
    look: 'git-config',
  },
  {
    kind: 'git',
    why: 'it chooses a filter or driver that git runs',
    patterns: words('.gitattributes info/attributes git/attributes'),
    look: 'attributes',
  },
  {
    kind: 'git',
    why: 'it says where the repository is, with its hooks and settings',
    patterns: words('.git commondir'),
  },
  {
    kind: 'git',
    why: 'it is run by git hooks',
    patterns: words(
      '.husky/** .pre-commit-config.yaml .pre-commit-hooks.yaml lefthook.yml .lefthook.yml .overcommit.yml',
    ),
  },
  {
    kind: 'shell',
    why: 'shells run it when they start',
    patterns: words(`
      .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .profile .zshrc
      .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .config/fish/**
      .config/nushell/** .oh-my-zsh/** .local/share/bash-completion/** /etc/profile /etc/profile.d/*
      /etc/bash.bashrc /etc/bashrc /etc/zsh/** /etc/zshenv /etc/fish/**
    `),
  },
  {
    kind: 'shell',
    why: 'direnv, mise or asdf runs it on entering the directory',
    patterns: words('.envrc .mise.toml mise.toml .mise/**'),
  },
  {
    kind: 'shell',
    why: 'a program runs it when it starts',
    patterns: words(`
      .tmux.conf .config/tmux/** .screenrc .gdbinit .lldbinit .pdbrc .pythonrc .irbrc .pryrc .Rprofile
      .psqlrc .sqliterc .inputrc .xonshrc .octaverc .mailcap .lessfilter .ipython/profile_*/startup/*.py
      .ipython/profile_*/startup/*.ipy .ipython/profile_*/*_config.py .ipython/profile_*/db/*
      .ipython/extensions/** .jupyter/*_config.* .local/share/jupyter/kernels/*/kernel.json
      .ghci .iex.exs .erlang .ocamlinit .sbclrc .julia/config/*.jl .perldb .byebugrc .gnuplot
      .latexmkrc latexmkrc .cpan/CPAN/MyConfig.pm .luarocks/config-*.lua
    `),
  },
  {
    kind: 'login',
    why: 'it says who may log in, or what then runs',
    patterns: words(`
      .ssh/authorized_keys .ssh/authorized_keys2 .ssh/rc .ssh/environment .ssh/config /etc/ssh/**
      .pam_environment /etc/pam.d/* /etc/sudoers /etc/sudoers.d/* /etc/passwd /etc/shadow /etc/group
      /etc/environment .config/environment.d/* .rhosts .shosts /etc/doas.conf .k5login
    `),
  },
  {
    kind: 'login',
    why: 'it runs at login to the desktop',
    patterns: words(`
      .config/autostart/* /etc/xdg/autostart/* .config/autostart-scripts/* .config/plasma-workspace/**
      .xinitrc .xprofile .xsession .xsessionrc .config/sway/** .config/i3/** .config/hypr/**
    `),
  },
  {
    kind: 'login',
    why: 'the desktop starts programs by it',
    patterns: words('share/applications/*.desktop Desktop/*.desktop share/dbus-1/services/* .config/mimeapps.list'),
  },
  {
    kind: 'schedule',
    why: 'cron or at runs it',
    patterns: words('/etc/crontab /etc/anacrontab /etc/cron.*/** /var/spool/cron/** /var/spool/at/** /etc/periodic/**'),
  },
  {
    kind: 'schedule',
    why: 'the system starts it',
    patterns: words(`
      systemd/system/** systemd/user/** /etc/systemd/** .config/systemd/** /etc/init.d/* /etc/rc.local
      /etc/rc*.d/* /etc/inittab udev/rules.d/* /etc/modprobe.d/* /etc/logrotate.d/* /etc/NetworkManager/**
      /etc/ld.so.preload /etc/ld.so.conf /etc/ld.so.conf.d/* /etc/apt/apt.conf.d/*
    `),
  },
  {
    kind: 'schedule',
    why: 'pm2 starts what it names, or what is in it',
    patterns: words('.pm2/dump.pm2 .pm2/dump.pm2.bak .pm2/modules/**'),
  },
  {
    kind: 'programs',
    why: 'hatch starts the shell that it names',
    patterns: words('.config/hatch/config.toml'),
  },
  {
    kind: 'programs',
    why: 'Terraform starts it',
    patterns: words('.terraform.d/plugins/**'),
  },
  {
    kind: 'programs',
    why: 'it is found as a program',
    patterns: words(`
      .local/bin/* /home/*/bin/* /root/bin/* .cargo/bin/* go/bin/* .bun/bin/* .deno/bin/*
      .npm-global/bin/* /home/linuxbrew/.linuxbrew/bin/* /home/linuxbrew/.linuxbrew/sbin/*
      /usr/local/bin/* /usr/local/sbin/* /usr/bin/* /usr/sbin/* /bin/* /sbin/*
      /opt/*/bin/*
    `),
  },
  {
    kind: 'programs',
    why: "the project's tools are started by it",
    patterns: words('node_modules/.bin/* .venv/bin/* venv/bin/* vendor/bin/*'),
  },
  {
    kind: 'packages',
    why: 'every Python program runs it',
    patterns: words('*.pth sitecustomize.py usercustomize.py .pythonstartup pyvenv.cfg'),
  },
  {
    kind: 'agent',
    why: "an agent's hooks, servers or permissions",
    patterns: words(`
      .claude/settings.json .claude/settings.local.json .claude.json .claude/hooks/** .claude/plugins/**
      .mcp.json .codex/config.toml .codex/hooks.json .codex/rules/** .gemini/settings.json
      .gemini/extensions/** .cursor/mcp.json .cursor/hooks.json .cursor/hooks/** .cursor/permissions.json
      .copilot/** .github/hooks/** .github/mcp.json opencode.json opencode.jsonc .opencode/**
      .config/opencode/** .aider.conf.yml .continue/** .windsurf/** .codeium/** .config/goose/** .qwen/**
      .yolofs.toml .config/yolofs/**
    `),
  },
  {
    kind: 'agent',
    why: 'agents are told what to do by it',
    patterns: words(`
      CLAUDE.md CLAUDE.local.md AGENTS.md AGENTS.override.md GEMINI.md QWEN.md .claude/agents/**
      .claude/commands/** .claude/skills/** .claude/rules/** .codex/prompts/** .codex/skills/** .agents/**
      .gemini/commands/** .cursor/rules/** .cursor/commands/** .cursorrules .windsurfrules .clinerules
      .clinerules/** .roo/** copilot-instructions.md .github/instructions/** .github/prompts/**
      .github/agents/** .junie/** SKILL.md
    `),
  },
  {
    kind: 'editor',
    why: 'editors run what it says, or settings in it name programs',
    patterns: words(`
      .vscode/tasks.json .vscode/settings.json .vscode/launch.json *.code-workspace .idea/** .run/**
      .fleet/** .zed/** .nvim.lua .nvimrc .exrc .vimrc .gvimrc .lvimrc .vim/** .config/nvim/**
      .config/Code/User/* .dir-locals.el .emacs .emacs.d/** .config/emacs/** *.sublime-project .helix/**
      .config/helix/** .kateconfig
    `),
  },
  {
    kind: 'editor',
    why: 'editors build and start a container by it',
    patterns: words('.devcontainer/** .devcontainer.json'),
  },
  {
    kind: 'packages',
    why: 'package managers run scripts of it',
    patterns: words('package.json composer.json deno.json deno.jsonc'),
    look: 'package-scripts',
  },
  {
    kind: 'packages',
    why: 'package managers take programs and registries from it',
    patterns: words(`
      .npmrc .yarnrc .yarnrc.yml .yarn/releases/** .yarn/plugins/** .pnpmfile.cjs .pnpmfile.mjs
      bunfig.toml .cargo/config .cargo/config.toml pip.conf .config/pip/** .pypirc .gemrc
      .bundle/config .cabal/config
      .config/cabal/config .sbt/repositories .sbt/1.0/plugins/**
      .m2/settings.xml .gradle/init.gradle .gradle/init.d/* .gradle/gradle.properties .mvn/** .bazelrc
      .condarc rust-toolchain.toml
    `),
  },
  {
    kind: 'ci',
    why: 'it runs in CI, with its secrets',
    patterns: words(`
      .github/workflows/* .github/actions/** .gitlab-ci.yml .gitlab/ci/** .circleci/** .ci/**
      .buildkite/** .travis.yml azure-pipelines.yml .azure-pipelines/** bitbucket-pipelines.yml
      Jenkinsfile .drone.yml .teamcity/** .woodpecker.yml .woodpecker/** appveyor.yml .appveyor.yml
      .forgejo/workflows/* .gitea/workflows/* cloudbuild.yaml .cirrus.yml .builds/*.yml renovate.json
      .github/dependabot.yml .semaphore/**
    `),
  },
  {
    kind: 'build',
    why: 'a build, test run or container build runs it',
    patterns: words(`
      Makefile makefile GNUmakefile justfile Justfile Taskfile.yml Rakefile build.rs setup.py conftest.py
      noxfile.py tox.ini gradlew mvnw build.gradle build.gradle.kts settings.gradle Vagrantfile Dockerfile
      Containerfile docker-compose.yml docker-compose.yaml compose.yml compose.yaml Procfile CMakeLists.txt
      meson.build build.zig binding.gyp Gemfile build.xml build.sbt mix.exs SConstruct Snakefile Tiltfile
      Earthfile gulpfile.js Gruntfile.js flake.nix shell.nix default.nix BUILD.bazel MODULE.bazel WORKSPACE
    `),
  },
];
