/** Completion for fish, with what each word means. */
import type { Declared } from './declared.ts';
import { type Place, placesOf } from './places.ts';

export function fishCompletion(program: Declared): string {
  const places = placesOf(program);
  const known = places.filter(({ at }) => at !== '').map(({ at }) => quoted(at));
  return `# yolofs completion fish: as 'yolofs.fish' in ~/.config/fish/completions
function __yolofs_at
    set -l at ''
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if contains -- "$at/$word" ${known.join(' ')}
            set at "$at/$word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c yolo -w yolofs
complete -c yolofs -f
${places.flatMap(placeLines).join('\n')}
`;
}

function placeLines({ at, words, options, valued, takesFiles, takesCommand }: Place): string[] {
  const start = `complete -c yolofs -n ${quoted(`__yolofs_at ${quoted(at)}`)}`;
  return [
    ...words.map(({ word, means }) => `${start} -a ${quoted(word)} -d ${quoted(means)}`),
    ...options.map(({ word, means }) => {
      const name = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
      return `${start} ${name}${valued.includes(word) ? ' -r' : ''} -d ${quoted(means)}`;
    }),
    ...(takesFiles || takesCommand ? [`${start} -F`] : []),
    ...(takesCommand ? [`${start} -a '(__fish_complete_command)'`] : []),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
