/** What runs later outside of the view, in a repository and in the settings of what works on one. */
import { type Row, words } from './rows.ts';

export const GIT_ROWS: readonly Row[] = [
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
];

export const PROJECT_ROWS: readonly Row[] = [
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
      .vscode/mcp.json .vs/mcp.json .roo/mcp.json .kiro/** .amazonq/** .kilocode/** .factory/** .augment/**
      .trae/** crush.json .crush.json .config/crush/** .amp/** .config/amp/** .claude-plugin/**
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
      .github/agents/** .junie/** SKILL.md .claude/output-styles/** .goosehints .rules AGENT.md CRUSH.md WARP.md
      .augment-guidelines .agent/**
    `),
  },
  {
    kind: 'editor',
    why: 'editors run what it says, or settings in it name programs',
    patterns: words(`
      .vscode/tasks.json .vscode/settings.json .vscode/launch.json *.code-workspace .idea/** .run/**
      .fleet/** .zed/** .nvim.lua .nvimrc .exrc .vimrc .gvimrc .lvimrc .vim/** .config/nvim/**
      .config/Code/User/* .dir-locals.el .emacs .emacs.d/** .config/emacs/** *.sublime-project .helix/**
      .config/helix/** .kateconfig .lazy.lua .local/share/nvim/** .config/zed/** .config/kak/** .config/micro/**
      .config/VSCodium/User/* .config/Cursor/User/* .config/JetBrains/** .vscode/extensions/** .vscode-server/**
      .cursor/extensions/** .spacemacs .doom.d/** .config/doom/** .vimspector.json
    `),
  },
  {
    kind: 'editor',
    why: 'editors build and start a container by it',
    patterns: words('.devcontainer/** .devcontainer.json .gitpod.yml .idx/** .replit .codesandbox/**'),
  },
  {
    kind: 'packages',
    why: 'package managers run scripts of it',
    patterns: words('package.json composer.json deno.json deno.jsonc'),
    look: 'package-scripts',
  },
  {
    kind: 'packages',
    why: 'package managers run what it names',
    patterns: words('pyproject.toml Cargo.toml'),
    look: 'toml-manifest',
  },
  {
    kind: 'packages',
    why: 'Node.js runs it first, where Yarn starts it',
    patterns: words('.pnp.cjs .pnp.loader.mjs'),
  },
  {
    kind: 'packages',
    why: 'package managers take programs and registries from it',
    patterns: words(`
      .npmrc .yarnrc .yarnrc.yml .yarn/releases/** .yarn/plugins/** .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml
      bunfig.toml .cargo/config .cargo/config.toml pip.conf .config/pip/** .pypirc .gemrc
      .bundle/config .cabal/config
      .config/cabal/config .sbt/repositories .sbt/1.0/plugins/**
      .m2/settings.xml .gradle/init.gradle .gradle/init.d/* .gradle/gradle.properties .mvn/** .bazelrc
      .condarc rust-toolchain.toml gradle/wrapper/* uv.toml .config/uv/** .config/pypoetry/** poetry.toml
      NuGet.Config nuget.config .nuget/NuGet/** .bazeliskrc
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
      .github/dependabot.yml .semaphore/** .renovaterc .renovaterc.json renovate.json5 .readthedocs.yaml
      .readthedocs.yml netlify.toml vercel.json render.yaml heroku.yml .tekton/** .harness/** buildspec.yml
      codemagic.yaml bitrise.yml
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
      *.config.js *.config.cjs *.config.mjs *.config.ts *.config.mts *.config.cts .eslintrc.js .eslintrc.cjs
      .prettierrc.js .prettierrc.cjs .babelrc.js .mocharc.js .mocharc.cjs nx.json .moon/** Taskfile.yaml .justfile
      settings.gradle.kts buildSrc/** pom.xml build.mill Directory.Build.props Directory.Build.targets project.clj
      deps.edn bb.edn rebar.config Setup.hs Package.swift Podfile fabfile.py dodo.py wscript SConscript configure
      devbox.json devenv.nix skaffold.yaml terragrunt.hcl .rspec .proverc
    `),
  },
];
