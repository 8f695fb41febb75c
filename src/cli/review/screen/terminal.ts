/** The screen of a review on a terminal: draws what has changed of it, and hands keys on. */
import { type FullScreen, openFullScreen } from '../../../sys/process/full-screen.ts';
import { paintFor } from '../../text/terminal.ts';
import { type Brush, draw } from './draw.ts';
import { type Effect, press } from './keys.ts';
import type { ReviewScreen } from './screen.ts';

export class Terminal {
  readonly #full: FullScreen;
  readonly #brush: Brush;
  #screen: ReviewScreen | undefined;
  /** Undefined: keys mean nothing now. */
  #answer: ((effect: Effect) => void) | undefined;
  #drawn: readonly string[] = [];

  /** Throws a UserError where there is none. */
  constructor() {
    const redraw = (): void => this.#draw(true);
    this.#full = openFullScreen({ key: (name) => this.#press(name), redraw });
    const paint = paintFor(process.stdout);
    const reverse = (text: string): string => `\x1b[7m${text}\x1b[27m`;
    this.#brush = { ...paint, reverse, column: (number) => `\x1b[${number}G` };
  }

  /** Shows it until a key means something for others. What was typed before it is shown means nothing. */
  next(screen: ReviewScreen): Promise<Effect> {
    const isOther = this.#screen !== screen || screen.mode === 'plan';
    if (isOther) this.#full.discardInput();
    this.#screen = screen;
    this.#draw(true);
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  /** Something is done that takes its time. */
  wait(): void {
    if (this.#screen !== undefined) this.#screen.message = 'one moment …';
    this.#draw(false);
  }

  leave(): void {
    this.#full.leave();
  }

  #press(key: string): void {
    const [screen, answer] = [this.#screen, this.#answer];
    if (key === 'ctrl+z') this.#full.suspend();
    else if (screen !== undefined && answer !== undefined) this.#give(press(screen, key), answer);
  }

  #give(effect: Effect | undefined, answer: (effect: Effect) => void): void {
    if (effect === undefined) this.#draw(false);
    else {
      this.#answer = undefined;
      answer(effect);
    }
  }

  /** `isWhole`: whatever is on the terminal. */
  #draw(isWhole: boolean): void {
    if (this.#screen === undefined) return;
    const { columns, rows } = this.#full;
    const lines = draw(this.#screen, { columns, rows }, this.#brush);
    const changed = lines.flatMap((line, index) =>
      isWhole || this.#drawn[index] !== line ? [`\x1b[${index + 1};1H\x1b[0m\x1b[2K${line}`] : [],
    );
    this.#full.write(`${isWhole ? '\x1b[2J' : ''}${changed.join('')}`);
    this.#drawn = lines;
  }
}
