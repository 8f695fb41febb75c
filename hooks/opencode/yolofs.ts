// yolofs: stages what OpenCode does. Written by 'yolofs install opencode'.
import { spawnSync } from 'node:child_process';

const PROGRAM = ['yolofs'];

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
    if (append !== undefined) output.output += `\n${append}`;
  },
});
