/** One launcher's visit: from what it has been started for to what it is to print. */
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SHELL_PREFIX_NAME } from '../../agents/claude-frame.ts';
import { type Client, connect } from '../../daemon/client.ts';
import { HOOK_COMMAND, RUN_COMMAND } from '../../daemon/sockets/served-commands.ts';
import type { Layout } from '../../history/layout.ts';
import { findPerl } from '../../sandbox/cage.ts';
import { realPath } from '../../sys/files/text-files.ts';
import { ownFileTree } from '../../sys/process/file-tree.ts';
import { LAUNCHED } from '../hot-commands.ts';
import { createProgram } from '../program.ts';
import { runAsShellPrefix } from '../run/claude-shell.ts';
import { reportFailure } from '../text/failure-text.ts';
import { LauncherCaller } from './launcher-caller.ts';
import { ELSEWHERE, endLine, type Greeting, readGreeting } from './wire.ts';

/** This program as launchers are started. */
const OWN = realPath(fileURLToPath(new URL('yolofs.cjs', import.meta.url)));

export class Visit {
  readonly #session: Layout;
  readonly #say: (line: string) => void;
  #caller: LauncherCaller | undefined;
  #daemon: Client | undefined;
  #isOver = false;

  /** `session`: the one that this daemon serves. */
  constructor(session: Layout, say: (line: string) => void) {
    this.#session = session;
    this.#say = say;
  }

  /** The launcher says a line: the first is its greeting. */
  hear(line: string): void {
    if (this.#caller !== undefined) this.#caller.listen(line);
    else void this.#begin(readGreeting(line)).catch(() => this.#say(ELSEWHERE));
  }

  /** The launcher is gone; what it had begun is ended. */
  left(): void {
    this.#isOver = true;
    this.#caller?.left();
    this.#daemon?.close();
  }

  async #begin(greeting: Greeting | undefined): Promise<void> {
    if (greeting === undefined || !isAtHome(greeting)) {
      this.#say(ELSEWHERE);
      return;
    }
    const isRun = greeting.words[0] !== HOOK_COMMAND || isShellPrefix(greeting);
    const daemon = isRun && findPerl() !== undefined ? await connect(this.#session) : undefined;
    this.#daemon = daemon;
    if (this.#isOver) return this.left();
    this.#caller = new LauncherCaller({ greeting, project: this.#session.project, daemon, say: this.#say });
    await this.#work(greeting, this.#caller).finally(() => daemon?.close());
  }

  /** What fails before anything was done is left to Node, which tells of it in its own process. */
  async #work(greeting: Greeting, caller: LauncherCaller): Promise<void> {
    try {
      if (isShellPrefix(greeting)) caller.end(await runAsShellPrefix(greeting.words, caller));
      else await createProgram(LAUNCHED, () => undefined, caller).parseAsync([...greeting.words], { from: 'user' });
    } catch (error) {
      if (!caller.isAdmitted) throw error;
      caller.end(reportFailure(error, { what: isShellPrefix(greeting) ? '' : `${RUN_COMMAND}: ` }, caller));
    }
    this.#say(endLine(caller.said));
  }
}

function isShellPrefix({ program }: Greeting): boolean {
  return basename(program) === SHELL_PREFIX_NAME;
}

/** Whether the launcher is of this copy of the program, and sees the same files as this process. */
function isAtHome({ program, cwd, place }: Greeting): boolean {
  return place === ownFileTree() && realPath(resolve(cwd, program)) === OWN;
}
