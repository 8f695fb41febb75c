/** The plugin that brings OpenCode's tool calls to `yolofs hook opencode`: OpenCode has no hooks that are commands. */
import type { ProgramWords } from './description.ts';
import type { JsonObject } from './json-tree.ts';

/** The first line, by which a plugin of any version is known again. */
export const PLUGIN_MARK = '// yolofs: stages what OpenCode does. Written by';

const TEXT = `import { execFile } from 'node:child_process';

const PROGRAM = __PROGRAM__;

type Args = { command?: unknown };
type Answer = { deny?: string; args?: Args; append?: string };

/** Rejects when the hook cannot run, breaks, takes too long or says nothing that it should. */
function ask(event: object): Promise<Answer> {
  const [command, ...words] = [...PROGRAM, 'hook', 'opencode'];
  return new Promise((resolve, reject) => {
    const child = execFile(command, words, { timeout: 25_000, maxBuffer: 2 ** 24 }, (error, stdout) => {
      if (error === null && stdout.startsWith('{')) resolve(stdout);
      else reject(new Error('yolofs: its hook has failed, so this call was not carried out'));
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(JSON.stringify(event));
  }).then((stdout) => JSON.parse(String(stdout)));
}

export const Yolofs = async ({ directory }: { directory: string }) => ({
  // What is thrown here keeps the tool from running, and is what the model is told.
  'tool.execute.before': async (input: object, output: { args: Args }) => {
    const { deny, args } = await ask({ ...input, phase: 'before', args: output.args, directory });
    if (deny !== undefined) throw new Error(deny);
    if (args === undefined) return;
    // In place: the tool keeps the object that it was given.
    Object.assign(output.args, args);
    if (output.args.command !== args.command) throw new Error('yolofs: this call cannot be staged');
  },
  'tool.execute.after': async (input: object, output: { output: string }) => {
    const lost = { append: 'yolofs: its hook has failed: what this call changed is not told' };
    const { append } = await ask({ ...input, phase: 'after', directory }).catch(() => lost);
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
