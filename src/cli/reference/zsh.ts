/** Completion for zsh, with what each word means. */
import type { Declared } from './declared.ts';
import { type Place, placesOf, quoted, type Word } from './places.ts';

export function zshCompletion(program: Declared): string {
  const places = placesOf(program);
  const known = places.filter(({ at }) => at !== '').map(({ at }) => quoted(at));
  return `#compdef yolofs yolo
# yolofs completion zsh: as '_yolofs' in a directory of $fpath, or sourced after compinit
_yolofs() {
  local at='' word skip='' starts='' files=''
  local -a choices options valued before
  before=("\${(@)words[2,CURRENT-1]}" '')
  for word in "\${(@)before}"; do
    case $at in
${places.map(placeCase).join('\n')}
    esac
    if [[ -n $skip ]]; then skip=''; continue; fi
    if [[ $word == -- && -n $starts ]]; then break; fi
    if [[ $word == -* ]]; then (( \${valued[(Ie)$word]} )) && skip=1; continue; fi
    if [[ -n $starts && -n $word ]]; then break; fi
    case $at/$word in
      ${known.join('|')}) at=$at/$word ;;
    esac
  done
  if (( \${valued[(Ie)\${words[CURRENT-1]}]} )); then _files
  elif [[ \${words[CURRENT]} == -* ]]; then _describe option options
  else
    (( $#choices )) && _describe command choices
    [[ -n $starts ]] && _command_names -e
    [[ -n $files || -n $starts ]] && _files
    return 0
  fi
}
if [[ $funcstack[1] == _yolofs ]]; then _yolofs "$@"; else compdef _yolofs yolofs yolo; fi
`;
}

function placeCase({ at, words, options, valued, takesFiles, takesCommand }: Place): string {
  const list = (all: readonly string[]): string => `(${all.map(quoted).join(' ')})`;
  const flags = `files=${takesFiles ? '1' : "''"} starts=${takesCommand ? '1' : "''"}`;
  return `      ${quoted(at)}) choices=${list(words.map(row))} options=${list(options.map(row))} valued=${list(valued)} ${flags} ;;`;
}

/** A colon parts the word from what it means. */
function row({ word, means }: Word): string {
  return `${word.replaceAll(':', '\\:')}:${means}`;
}
