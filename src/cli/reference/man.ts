/** Manual pages: `yolofs.1`, and one of each command. */
import { type Declared, everyOne } from './declared.ts';

export interface Page {
  readonly file: string;
  readonly text: string;
}

export function manPages(program: Declared, version: string): Page[] {
  return [...everyOne(program)].map((command) => {
    const name = ['yolofs', ...command.path].join('-');
    return { file: `${name}.1`, text: `${pageLines(command, name, version).join('\n')}\n` };
  });
}

function pageLines(command: Declared, name: string, version: string): string[] {
  const others =
    command.path.length === 0 ? command.commands.map((one) => ['yolofs', ...one.path].join('-')) : ['yolofs'];
  return [
    `.TH ${name.toUpperCase().replaceAll('-', '\\-')} 1 "" "yolofs ${version}" "yolofs"`,
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(command.summary)}`,
    '.SH SYNOPSIS',
    ...command.usage
      .split('\n')
      .map((line) => line.trim().replace(/^yolofs [a-z]+ /, ''))
      .flatMap((line, i) => [
        ...(i > 0 ? ['.br'] : []),
        `.B ${escaped(['yolofs', ...command.path].join(' '))}`,
        escaped(line),
      ]),
    ...section('ARGUMENTS', command.arguments.filter(({ description }) => description !== '').map(argument)),
    ...section('OPTIONS', command.options.map(option)),
    ...section('COMMANDS', command.commands.map(inner)),
    '.SH EXIT STATUS',
    '0: done. 1: failed, with one line that says why. 2: usage.',
    '.SH SEE ALSO',
    escaped(others.map((other) => `${other}(1)`).join(', ')),
  ];
}

function section(title: string, items: readonly (readonly string[])[]): string[] {
  return items.length === 0 ? [] : [`.SH ${title}`, ...items.flat()];
}

function argument({ name, description }: Declared['arguments'][number]): string[] {
  return ['.TP', `.I ${escaped(name)}`, escaped(description)];
}

function option({ flags, value, description }: Declared['options'][number]): string[] {
  return [
    '.TP',
    `.B ${escaped([flags.join(', '), ...(value === undefined ? [] : [value])].join(' '))}`,
    escaped(description),
  ];
}

function inner({ path, alias, summary }: Declared): string[] {
  const names = [path.at(-1) ?? '', ...(alias === undefined ? [] : [alias])].join(', ');
  return ['.TP', `.B ${escaped(names)}`, escaped(summary)];
}

/** A line of text that roff takes as one. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '...').replace(/^[.']/, '\\&$&');
}
