/**
 * The whole screen of a terminal, for a program that draws on it. However the program ends, but by SIGKILL, the terminal is as it
 * was: also by a signal, by an error that nobody catches, and while it is stopped.
 */
import { writeSync } from 'node:fs';
import { emitKeypressEvents, type Interface } from 'node:readline';
import { UserError } from '../user-error.ts';
import { canDraw } from './can-draw.ts';
import { discardInput } from './terminal.ts';

export interface FullScreen {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  /** What was typed until now is nobody's answer. */
  discardInput(): void;
  /** Gives the terminal back and stops this program, until somebody lets it go on. */
  suspend(): void;
  leave(): void;
}

export interface Listener {
  /** Names as of node:readline, `ctrl+c`, or the character that was typed. What is pasted is no key. */
  key(name: string): void;
  /** All has to be drawn anew. */
  redraw(): void;
}

/** Another screen, no cursor, no lines that go on below, and what is pasted is marked as such. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[H\x1b[2J';
const LEAVE = '\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l';
/** The escape key is one by itself when nothing follows it for so long. */
const ESCAPE_MS = 50;
const DEADLY = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly sequence?: string;
}

/** Throws a UserError where there is none to draw on. */
export function openFullScreen(listener: Listener): FullScreen {
  const { stdin, stdout } = process;
  if (!canDraw())
    throw new UserError('there is no terminal to draw on', "'yolofs review -p' asks line by line", { code: 'person' });
  const screen = new Screen(listener);
  screen.enter();
  emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
  stdin.on('keypress', screen.typed).on('end', screen.gone).resume();
  stdout.on('resize', listener.redraw);
  process.on('exit', screen.restore).on('SIGCONT', screen.goOn).on('SIGTSTP', screen.suspend);
  for (const signal of DEADLY) process.on(signal, screen.die);
  return screen;
}

class Screen implements FullScreen {
  readonly #listener: Listener;
  #isEntered = false;
  #isPasting = false;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  get columns(): number {
    return process.stdout.columns || 80;
  }

  get rows(): number {
    return process.stdout.rows || 24;
  }

  write(text: string): void {
    process.stdout.write(text);
  }

  discardInput(): void {
    discardInput(process.stdin.fd, process.stdin);
  }

  enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    process.stdin.setRawMode(true);
    writeSync(process.stdout.fd, ENTER);
  }

  /** At once, as there may be no later. */
  readonly restore = (): void => {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    tryTo(() => writeSync(process.stdout.fd, LEAVE));
    tryTo(() => process.stdin.setRawMode(false));
  };

  readonly suspend = (): void => {
    this.restore();
    process.off('SIGTSTP', this.suspend);
    process.kill(0, 'SIGTSTP');
    // Here it goes on: also at once, where nobody could let it go on (the process group has no shell).
    setImmediate(this.goOn);
  };

  readonly goOn = (): void => {
    process.off('SIGTSTP', this.suspend).on('SIGTSTP', this.suspend);
    this.enter();
    this.#listener.redraw();
  };

  readonly die = (signal: NodeJS.Signals): void => {
    this.leave();
    process.kill(process.pid, signal);
  };

  /** The terminal is gone. */
  readonly gone = (): void => this.#listener.key('ctrl+c');

  readonly typed = (text: string | undefined, key: Key): void => {
    if (key.name === 'paste-start' || key.name === 'paste-end') this.#isPasting = key.name === 'paste-start';
    else if (!this.#isPasting || (key.ctrl === true && key.name === 'c')) this.#listener.key(nameOf(text, key));
  };

  leave(): void {
    this.restore();
    process.stdin.off('keypress', this.typed).off('end', this.gone).pause();
    process.stdout.off('resize', this.#listener.redraw);
    process.off('exit', this.restore).off('SIGCONT', this.goOn).off('SIGTSTP', this.suspend);
    for (const signal of DEADLY) process.off(signal, this.die);
  }
}

function nameOf(text: string | undefined, { name, ctrl, sequence }: Key): string {
  if (ctrl === true) return `ctrl+${name ?? ''}`;
  const isPrintable = text !== undefined && text.length > 0 && text >= ' ' && text !== '\x7f' && sequence === text;
  return isPrintable ? (text === ' ' ? 'space' : text) : (name ?? '');
}

/** A terminal that is gone takes nothing back. */
function tryTo(work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
