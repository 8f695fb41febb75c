/** What runs later outside of the view, in a home directory and in those of the system: shells, logins, schedules, programs. */
import { type Row, words } from './rows.ts';

export const HOST_ROWS: readonly Row[] = [
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
    patterns: words(`
      .envrc .direnvrc .config/direnv/** .mise.toml .mise.*.toml mise.toml mise.*.toml .mise/** .config/mise/**
      .config/mise.toml .asdfrc
    `),
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
      .latexmkrc latexmkrc .cpan/CPAN/MyConfig.pm .luarocks/config-*.lua .Renviron .mongoshrc.js .mongorc.js
      .duckdbrc .config/ptpython/** .config/starship.toml .config/powershell/** .config/elvish/** .config/kitty/**
      .config/alacritty/** .wezterm.lua .config/wezterm/** .config/ghostty/** .config/zellij/** .tigrc
      .config/tig/** .config/lazygit/** .nanorc .config/nano/** .muttrc .mutt/** .config/mutt/** .config/neomutt/**
      .lesskey .config/lesskey .ackrc .config/bat/** .config/ranger/** .config/lf/** .config/yazi/** .config/vifm/**
      .config/mpv/scripts/** .config/qutebrowser/** .gnupg/*.conf .config/gh/config.yml
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
      .xinitrc .xprofile .xsession .xsessionrc .config/sway/** .config/i3/** .config/hypr/** .config/openbox/**
      .config/awesome/** .config/bspwm/** .config/sxhkd/** .config/qtile/** .config/river/** .config/niri/**
      .xmonad/** .config/xmonad/** .xbindkeysrc .config/waybar/**
    `),
  },
  {
    kind: 'login',
    why: 'the desktop starts programs by it',
    patterns: words(`
      share/applications/*.desktop Desktop/*.desktop share/dbus-1/services/* .config/mimeapps.list
      share/nautilus/scripts/** share/nemo/** share/kio/servicemenus/*
    `),
  },
  {
    kind: 'schedule',
    why: 'cron or at runs it',
    patterns: words('/etc/crontab /etc/anacrontab /etc/cron.*/** /var/spool/cron/** /var/spool/at/** /etc/periodic/**'),
  },
  {
    kind: 'schedule',
    why: 'it runs for mail that arrives',
    patterns: words('.forward .procmailrc .mailfilter'),
  },
  {
    kind: 'schedule',
    why: 'the system starts it',
    patterns: words(`
      systemd/system/** systemd/user/** /etc/systemd/** .config/systemd/** /etc/init.d/* /etc/rc.local
      /etc/rc*.d/* /etc/inittab udev/rules.d/* /etc/modprobe.d/* /etc/logrotate.d/* /etc/NetworkManager/**
      /etc/ld.so.preload /etc/ld.so.conf /etc/ld.so.conf.d/* /etc/apt/apt.conf.d/* /etc/polkit-1/**
      /etc/update-motd.d/* /etc/network/** /etc/kernel/** /etc/grub.d/* /etc/default/*
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
    why: 'a program starts it, or what it names',
    patterns: words(`
      .terraform.d/plugins/** .docker/cli-plugins/* .docker/config.json .kube/config .aws/config
      .local/share/gh/extensions/** .config/containers/** .config/nix/** NativeMessagingHosts/*
      native-messaging-hosts/* .jj/repo/config.toml .config/jj/** .jjconfig.toml ansible.cfg .ansible.cfg
    `),
  },
  {
    kind: 'programs',
    why: 'Mercurial takes settings from it',
    patterns: words('.hg/hgrc .hgrc .config/hg/hgrc /etc/mercurial/**'),
    look: 'hg-config',
  },
  {
    kind: 'programs',
    why: 'Subversion takes settings from it',
    patterns: words('.subversion/config /etc/subversion/config'),
    look: 'svn-config',
  },
  {
    kind: 'programs',
    why: 'it is found as a program',
    patterns: words(`
      .local/bin/* /home/*/bin/* /root/bin/* .cargo/bin/* go/bin/* .bun/bin/* .deno/bin/*
      .npm-global/bin/* /home/linuxbrew/.linuxbrew/bin/* /home/linuxbrew/.linuxbrew/sbin/*
      .volta/bin/* .nvm/versions/node/*/bin/* .yarn/bin/* .local/share/pnpm/* .local/share/mise/shims/*
      .asdf/shims/* .pyenv/shims/* .rbenv/shims/* .gem/ruby/*/bin/* .composer/vendor/bin/*
      .config/composer/vendor/bin/* .dotnet/tools/* .ghcup/bin/* .cabal/bin/* .opam/*/bin/*
      .sdkman/candidates/*/*/bin/* .luarocks/bin/* .nix-profile/bin/* .nimble/bin/* .pub-cache/bin/* .krew/bin/*
      .rustup/toolchains/*/bin/* /usr/local/bin/* /usr/local/sbin/* /usr/bin/* /usr/sbin/* /bin/* /sbin/*
      /opt/*/bin/*
    `),
  },
];
