/**
 * Questions of a run, put on the terminal that it has, as long as that disturbs nobody: see sys/process/terminal.ts. What cannot be
 * put there is announced there, and left to `yolofs watch`.
 */
import { connect } from '../../daemon/client.ts';
import type { ShownQuestion } from '../../daemon/protocol.ts';
import type { Layout } from '../../history/layout.ts';
import { writeToTerminal } from '../../sys/files/files.ts';
import type { Terminal } from '../../sys/process/terminal.ts';
import { LinePrompter, Lines } from './line-prompter.ts';
import { type Prompter, PromptQueue, type Said } from './prompt-queue.ts';
import { announcement, BELL, TITLE_BACK } from './question-text.ts';

/** Begins to listen for the run's questions, if there is a terminal; returns what ends it. */
export async function answerOnTerminal(session: Layout, run: number): Promise<() => void> {
  const daemon = await connect(session);
  if (daemon === undefined) return () => undefined;
  const prompter = new TerminalPrompter();
  const queue = new PromptQueue(daemon, prompter);
  void daemon.listen((line) => queue.hear(line));
  queue.left.catch(() => undefined);
  await daemon.request({ op: 'watch', front: 'terminal', run });
  return () => {
    daemon.close();
    prompter.putTitleBack();
  };
}

/** So long nobody is waited for after a question that nobody answered in time. */
const AWAY_MS = 5 * 60_000;

class TerminalPrompter implements Prompter {
  /** While there is a question on it. */
  #terminal: Terminal | undefined;
  /** The terminal's title says what is asked. */
  #isTitled = false;
  /** By the clock that never goes back. */
  #unansweredAt: number | undefined;

  async ask(question: ShownQuestion, signal: AbortSignal): Promise<Said> {
    // Loaded when there is a question: it costs as much as a whole `run` may.
    const { takeForQuestion } = await import('../../sys/process/terminal.ts');
    const terminal = signal.aborted ? undefined : takeForQuestion();
    if (terminal === undefined) return this.#announce(question, signal);
    this.#terminal = terminal;
    const lines = new Lines(terminal.input, terminal.fd);
    const interrupt = (): void => lines.close();
    process.once('SIGINT', interrupt);
    try {
      terminal.output.write('\n');
      const closed = closing(signal).then((): Said => 'cannot');
      const said = await Promise.race([new LinePrompter(lines, terminal.output, true).ask(question, signal), closed]);
      // The end of input and Ctrl-C deny this question; there may be others.
      return said === 'leave' ? { allow: false } : said;
    } finally {
      process.off('SIGINT', interrupt);
      this.#terminal = undefined;
      terminal.release();
    }
  }

  /** Of the last question: a run may be over before it is told that it was answered. */
  putTitleBack(): void {
    if (this.#isTitled) writeToTerminal(TITLE_BACK);
    this.#isTitled = false;
  }

  tell(text: string): void {
    this.#terminal?.output.write(`  ${text}\n`);
  }

  /** The program has the terminal for itself: its title says what waits, a bell rings, and whoever hears it answers elsewhere. */
  async #announce(question: ShownQuestion, signal: AbortSignal): Promise<Said> {
    const isAway = this.#unansweredAt !== undefined && performance.now() - this.#unansweredAt < AWAY_MS;
    const hasTitle = !/^(?:linux|dumb|)$/.test(process.env.TERM ?? '');
    if (isAway || signal.aborted || !writeToTerminal(hasTitle ? announcement(question) : BELL)) return 'cannot';
    this.#isTitled = hasTitle;
    await closing(signal);
    this.#unansweredAt = signal.reason === 'timeout' ? performance.now() : undefined;
    this.putTitleBack();
    return 'cannot';
  }
}

function closing(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
}
