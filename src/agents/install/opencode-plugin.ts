/** The plugin that brings OpenCode's tool calls to `yolofs hook opencode`: OpenCode has no hooks that are commands. */
import type { ProgramWords } from './description.ts';
import type { JsonObject } from './json-tree.ts';

/** The first line, by which a plugin of any version is known again. */
export const PLUGIN_MARK = '// yolofs: stages what OpenCode does. Written by';

const TEXT = `import { spawnSync } from 'node:child_process';

const PROGRAM = __PROGRAM__;

type Answer = { deny?: string; args?: object; append?: string };

function ask(event: object): Answer {
  const [command, ...words] = [...PROGRAM, 'hook', 'opencode'];
  const { status, stdout } = spawnSync(command, words, {
    input: JSON.stringify(event),
    encoding: 'utf8',
    timeout: 30000,
  });
  if (status !== 0) throw new Error('yolofs: the hook cannot run, so the call is not made');
  return JSON.parse(stdout || '{}');
}

export const Yolofs = async ({ directory }: { directory: string }) => ({
  'tool.execute.before': async (input: object, output: { args: object }) => {
    const { deny, args } = ask({ ...input, phase: 'before', args: output.args, directory });
    if (deny !== undefined) throw new Error(deny);
    // In place: the tool keeps the object that it was given.
    Object.assign(output.args, args);
  },
  'tool.execute.after': async (input: object, output: { output: string }) => {
    const { append } = ask({ ...input, phase: 'after', directory });
    if (append !== undefined) output.output += \`\\n\${append}\`;
  },
});
`;

/** The text of the plugin. */
export function opencodePlugin(program: ProgramWords): string {
  const words = `[${program.map(inQuotes).join(', ')}]`;
  return `${PLUGIN_MARK} 'yolofs install opencode'.\n${TEXT.replace('__PROGRAM__', () => words)}`;
}

/** What the plugin starts, in the shape of a hook handler; an empty command for a text that somebody has changed. */
export function pluginHandler(text: string): JsonObject {
  const list = /^const PROGRAM = \[(.*)\];$/m.exec(text)?.[1] ?? '';
  const [command = '', ...rest] = [...list.matchAll(/'((?:[^'\\]|\\.)*)'/g)].map(([, word]) => fromQuotes(word ?? ''));
  return { command, args: [...rest, 'hook', 'opencode'] };
}

function inQuotes(word: string): string {
  return `'${word.replace(/[\\']/g, '\\$&')}'`;
}

function fromQuotes(word: string): string {
  return word.replace(/\\(.)/g, '$1');
}
