/** Puts questions as lines of text, and takes lines for answers. */

import type { Readable, Writable } from 'node:stream';
import type { ShownQuestion } from '../../daemon/protocol.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { paintFor } from '../text/terminal.ts';
import type { Prompter, Said } from './prompt-queue.ts';
import { CHOICES, choiceOf, directoriesAbove, renderDirectories, renderQuestion } from './question-text.ts';

/** Lines of a stream; undefined is its end. */
export class Lines {
  /** Resolves when the stream has ended and all its lines are taken. */
  readonly used: Promise<void>;
  readonly #input: Readable;
  readonly #terminal: number | undefined;
  #lines: string[] = [];
  /** Of a line whose end has not come yet. */
  #rest = '';
  #hasEnded = false;
  #waiting: ((line: string | undefined) => void) | undefined;
  #use: () => void = () => undefined;

  /** `terminal`: a descriptor of the terminal that `input` reads from, if it is one. */
  constructor(input: Readable, terminal?: number) {
    this.used = new Promise((resolve) => {
      this.#use = resolve;
    });
    this.#input = input;
    this.#terminal = terminal;
    // Line mode: the terminal edits the line, and its state need not be restored if we are killed.
    input.setEncoding('utf8');
    input.on('data', (text: string) => this.#take(text));
    for (const end of ['end', 'close', 'error']) input.on(end, () => this.#end());
  }

  /** The next line; what a call before this one waits for is not heard any more. */
  next(): Promise<string | undefined> {
    const line = this.#lines.shift();
    this.#pauseIfDone();
    if (line !== undefined || this.#hasEnded) return Promise.resolve(line);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** What was typed at a terminal before somebody is asked answers nothing; what other programs send is kept. */
  async forgetTyped(): Promise<void> {
    if (this.#terminal === undefined) return;
    const { discardInput } = await import('../../sys/process/terminal.ts');
    discardInput(this.#terminal, this.#input);
    this.#lines = [];
    this.#rest = '';
    this.#pauseIfDone();
  }

  /** As if the input had ended. */
  close(): void {
    this.#input.pause();
    this.#end();
  }

  #take(text: string): void {
    const lines = `${this.#rest}${text}`.split(/\r?\n/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#give(line);
  }

  #give(line: string): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) waiting(line);
    // What somebody types while nothing is asked answers nothing later on.
    else if (this.#terminal === undefined) this.#lines.push(line);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#rest !== '') this.#give(this.#rest);
    this.#waiting?.(undefined);
    this.#pauseIfDone();
  }

  #pauseIfDone(): void {
    if (this.#hasEnded && this.#lines.length === 0) this.#use();
  }
}

export class LinePrompter implements Prompter {
  readonly #lines: Lines;
  readonly #output: Writable & { readonly isTTY?: boolean };
  readonly #isTerminal: boolean;

  constructor(lines: Lines, output: Writable & { readonly isTTY?: boolean }, isTerminal: boolean) {
    this.#lines = lines;
    this.#output = output;
    this.#isTerminal = isTerminal;
  }

  tell(text: string): void {
    this.#output.write(`  ${text}\n`);
  }

  async ask(question: ShownQuestion, signal: AbortSignal): Promise<Said> {
    await this.#lines.forgetTyped();
    if (signal.aborted) return 'cannot';
    this.#output.write(renderQuestion(question, paintFor(this.#output)));
    for (;;) {
      const word = await this.#word(CHOICES);
      if (signal.aborted) return 'cannot';
      if (word === undefined) return 'leave';
      const choice = choiceOf(word, question.path);
      if (choice === 'directory') {
        const always = await this.#directory(question.path);
        if (signal.aborted) return 'cannot';
        if (always !== undefined) return { allow: true, always };
      } else if (choice !== undefined) return choice;
      else this.tell('that is none of the answers');
    }
  }

  async #directory(path: BytePath): Promise<BytePath | undefined> {
    const directories = directoriesAbove(path);
    const word = await this.#word(renderDirectories(directories));
    return word === undefined ? undefined : directories[Number(word) - 1];
  }

  async #word(prompt: string): Promise<string | undefined> {
    this.#output.write(prompt);
    const line = await this.#lines.next();
    if (line === undefined || !this.#isTerminal) this.#output.write('\n');
    return line?.trim().toLowerCase();
  }
}
