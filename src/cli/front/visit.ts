/** One launcher's visit: from what it has been started for to what it is to print. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFileTree } from '../../sys/file-tree.ts';
import { realPath } from '../../sys/text-files.ts';
import { HOOK, RUN } from '../hot-commands.ts';
import { createProgram } from '../program.ts';
import { FrontCaller } from './front-caller.ts';
import { ELSEWHERE, endLine, type Greeting, readGreeting } from './wire.ts';

/** This program as launchers are started. */
const OWN = realPath(fileURLToPath(new URL('yolofs.cjs', import.meta.url)));

export class Visit {
  readonly #say: (line: string) => void;

  constructor(line: string, project: string, say: (line: string) => void) {
    this.#say = say;
    const greeting = readGreeting(line);
    if (greeting === undefined || !isAtHome(greeting)) say(ELSEWHERE);
    else void this.#work(greeting, project);
  }

  /** The launcher says one more line. */
  hear(_line: string): void {}

  /** The launcher is gone. */
  left(): void {}

  /** Whatever cannot be done, Node is left to tell of it in its own process. */
  async #work(greeting: Greeting, project: string): Promise<void> {
    const caller = new FrontCaller(greeting, project);
    try {
      await createProgram([RUN, HOOK], () => undefined, caller).parseAsync([...greeting.words], { from: 'user' });
      this.#say(endLine(caller.said));
    } catch (error) {
      void error;
      this.#say(ELSEWHERE);
    }
  }
}

/** Whether the launcher is of this copy of the program, and sees the same files as this process. */
function isAtHome({ program, cwd, place }: Greeting): boolean {
  return place === ownFileTree() && realPath(resolve(cwd, program)) === OWN;
}
