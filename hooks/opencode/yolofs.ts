// yolofs: stages what OpenCode does. Written by 'yolofs install opencode'.
import { execFile } from 'node:child_process';

const PROGRAM = ['yolofs'];

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
    if (append !== undefined) output.output += `\n${append}`;
  },
});
