/** The plugin that brings OpenCode's tool calls to `yolofs hook opencode`: OpenCode has no hooks that are commands. */
import type { ProgramWords } from './description.ts';
import { fieldAt, type JsonObject } from './json-tree.ts';

/** The first line, by which a plugin of any version is known again. */
export const PLUGIN_MARK = '// yolofs: stages what OpenCode does. Written by';

const TEXT = `import { spawnSync } from "node:child_process"

const PROGRAM = __PROGRAM__

function ask(event: unknown): any {
  const [command, ...words] = PROGRAM
  const { status, stdout } = spawnSync(command, [...words, "hook", "opencode"], { input: JSON.stringify(event), encoding: "utf8", timeout: 30000 })
  if (status !== 0) throw new Error("yolofs: the hook cannot run; the call is not made")
  return JSON.parse(stdout || "{}")
}

export const Yolofs = async ({ directory }: { directory: string }) => ({
  "tool.execute.before": async (input: any, output: any) => {
    const answer = ask({ phase: "before", ...input, args: output.args, directory })
    if (typeof answer.deny === "string") throw new Error(answer.deny)
    // In place: the tool keeps the object it was given.
    if (answer.args) Object.assign(output.args, answer.args)
  },
  "tool.execute.after": async (input: any, output: any) => {
    const answer = ask({ phase: "after", ...input, directory })
    if (typeof answer.append === "string") output.output += answer.append
  },
})
`;

/** The text of the plugin. */
export function opencodePlugin(program: ProgramWords): string {
  const words = `[${program.map((word) => JSON.stringify(word)).join(', ')}]`;
  return `${PLUGIN_MARK} 'yolofs install opencode'.\n${TEXT.replace('__PROGRAM__', () => words)}`;
}

/** What the plugin starts, in the shape of a hook handler; nothing that could be started for a text that somebody has changed. */
export function pluginHandler(text: string): JsonObject {
  const words = /^const PROGRAM = (\[.*\])$/m.exec(text)?.[1];
  const [command, ...rest] = words === undefined ? [] : (fieldAt(words, []) as string[]);
  return { command: command ?? '', args: [...rest, 'hook', 'opencode'] };
}
