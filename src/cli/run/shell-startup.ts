/**
 * A person's own shell in the view: the prompt says where it is, and each command that was typed gets its snapshot. What that takes goes
 * beside the person's own start-up files, which the shell reads as always.
 */
import { basename } from 'node:path';
import { GUEST_SOCKET } from '../../sandbox/inside.ts';

const MARK = '(yolofs) ';
/** In the view's own /tmp: the person's history file is denied by a built-in rule, and each shell would end with a refusal. */
const HISTORY = '/tmp/.bash_history';

export interface ShellStart {
  readonly program: readonly string[];
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Asks for a snapshot of what the command in its argument has changed: a start of Node before each prompt would be felt. Loads no module,
 * gives up after five seconds. It has no single quote and no two backslashes in a row: the same text is quoted in all shells.
 */
const ASK = String.raw`alarm 5; socket(S, 1, 1, 0) && connect(S, pack("Sa*", 1, "${GUEST_SOCKET}\0")) or exit;
my $c = substr($ARGV[0], 0, 1000); $c =~ s/([\x22\x5c\x00-\x1f\x7f])/sprintf "%su%04x", chr 92, ord $1/ge;
syswrite S, qq({"snapshotOf":"$c"}\n); 1 while sysread S, my $b, 4096`;

const BASH = `__yolofs_snapshot() {
  local status=$? typed
  typed=$(HISTTIMEFORMAT= builtin history 1)
  if [[ $typed =~ ^\\ *[0-9]+\\*?\\ +(.*) ]]; then typed=\${BASH_REMATCH[1]}; fi
  if [[ $PS1 != '${MARK}'* ]]; then PS1='${MARK}'$PS1; fi
  command perl -e '${ASK}' -- "$typed" 2>/dev/null
  return $status
}
PROMPT_COMMAND="__yolofs_snapshot\${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
`;
// zsh reads its other files where ZDOTDIR says after this one.
const ZSH = `if [[ -n $YOLOFS_ZDOTDIR ]]; then ZDOTDIR=$YOLOFS_ZDOTDIR; else unset ZDOTDIR; fi
unset YOLOFS_ZDOTDIR
if [[ -r \${ZDOTDIR:-$HOME}/.zshenv ]]; then . "\${ZDOTDIR:-$HOME}/.zshenv"; fi
__yolofs_typed() { typeset -g __yolofs_command=$1; }
__yolofs_snapshot() {
  if [[ $PS1 != '${MARK}'* ]]; then PS1='${MARK}'$PS1; fi
  command perl -e '${ASK}' -- "$__yolofs_command" 2>/dev/null
}
preexec_functions+=(__yolofs_typed)
precmd_functions+=(__yolofs_snapshot)
`;
const FISH = `function __yolofs_snapshot --on-event fish_postexec
  command perl -e '${ASK}' -- "$argv" 2>/dev/null
end
function __yolofs_return
  return $argv[1]
end
functions --copy fish_prompt __yolofs_prompt
function fish_prompt
  set -l last $status
  echo -n '${MARK}'
  __yolofs_return $last
  __yolofs_prompt
end`;

// Runs in the view: nothing outside follows a name that was made in there.
const WITH_FILE = `dir=$(umask 077 && mktemp -d /tmp/yolofs-shell-XXXXXX) && printf %s "$2" >"$dir/$1" || exit 1
case $1 in
  bashrc) exec "$3" --rcfile "$dir/bashrc" ;;
  .zshenv) YOLOFS_ZDOTDIR=$ZDOTDIR ZDOTDIR=$dir exec "$3" ;;
esac`;

/** How `program`, the person's shell, is started. One that is not known has the prompt, and one snapshot at its end. */
export function startOfShell(program: string, env: NodeJS.ProcessEnv): ShellStart {
  const withFile = (name: string, text: string): readonly string[] => {
    return ['/bin/sh', '-c', WITH_FILE, 'sh', name, text, program];
  };
  switch (basename(program)) {
    case 'bash': {
      const rc = `if [ -r ~/.bashrc ]; then . ~/.bashrc; fi\n${BASH}`;
      return { program: withFile('bashrc', rc), env: { HISTFILE: env.HISTFILE ?? HISTORY } };
    }
    case 'zsh':
      return { program: withFile('.zshenv', ZSH), env: {} };
    case 'fish':
      return { program: [program, '--init-command', FISH], env: {} };
    default:
      return { program: [program], env: { PS1: `${MARK}$ ` } };
  }
}
