/** Completion for bash, without the bash-completion package. */
import type { Declared } from './declared.ts';
import { type Place, placesOf, quoted } from './places.ts';

export function bashCompletion(program: Declared): string {
  const places = placesOf(program);
  const known = places.filter(({ at }) => at !== '').map(({ at }) => quoted(at));
  return `# yolofs completion bash: source it, or put it where bash-completion looks for 'yolofs'
_yolofs() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local at='' word words='' options='' valued='' files='' starts='' i
  COMPREPLY=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    case $at in
${places.map(placeCase).join('\n')}
    esac
    ((i < COMP_CWORD)) || break
    word=\${COMP_WORDS[i]}
    if [[ $word == -* ]]; then
      [[ " $valued " == *" $word "* ]] && ((i++))
      [[ $word == -- && -n $starts ]] && { ((i++)); break; }
      continue
    fi
    if [[ -n $starts ]]; then break; fi
    case $at/$word in
      ${known.join('|')}) at=$at/$word ;;
    esac
  done
  mapfile -t COMPREPLY < <(
    if [[ -n $starts ]] && ((i < COMP_CWORD)); then compgen -f -- "$cur"
    elif [[ " $valued " == *" $prev "* ]]; then compgen -f -- "$cur"
    elif [[ $cur == -* && $prev != -- ]]; then compgen -W "$options" -- "$cur"
    else
      compgen -W "$words" -- "$cur"
      [[ -n $files ]] && compgen -f -- "$cur"
      [[ -n $starts ]] && compgen -c -- "$cur"
    fi
  )
  return 0
}
complete -o filenames -F _yolofs yolofs yolo
`;
}

function placeCase({ at, words, options, valued, takesFiles, takesCommand }: Place): string {
  const list = (all: readonly string[]): string => quoted(all.join(' '));
  const names = [list(words.map(({ word }) => word)), list(options.map(({ word }) => word)), list(valued)];
  const flags = `files=${takesFiles && !takesCommand ? '1' : ''} starts=${takesCommand ? '1' : ''}`;
  return `      ${quoted(at)}) words=${names[0]} options=${names[1]} valued=${names[2]} ${flags} ;;`;
}
