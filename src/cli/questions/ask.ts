/** Questions to the person at the terminal. Without a terminal nobody is asked. */
import { UserError } from '../../sys/user-error.ts';

type Loaded = Promise<[typeof import('../../sys/process/terminal.ts'), typeof import('node:readline')]>;
let loaded: Loaded | undefined;

/** What asking takes, which most commands do without; who asks late loads it early (`review/offer.ts`). */
export function loadToAsk(): Loaded {
  loaded ??= Promise.all([import('../../sys/process/terminal.ts'), import('node:readline')]);
  return loaded;
}

/** Whether somebody can be asked: both sides of the conversation are a terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Throws a UserError where nobody can be asked; `outcome` says what has become of the command: `nothing was written`. */
export function requirePerson(outcome: string): void {
  if (!canAsk())
    throw new UserError(`${outcome}: there is no terminal to ask at`, "'--yes' agrees beforehand", { code: 'person' });
}

/** Throws a UserError unless the person answers yes: anything else, and the end of input, is no. */
export async function requireYes(question: string, outcome: string): Promise<void> {
  const answer = await ask(`${question} [y/N] `);
  if (answer !== 'y' && answer !== 'yes')
    throw new UserError(`not confirmed: ${outcome}`, undefined, { code: 'person' });
}

/** The answer in lower case, without blanks; undefined at the end of input. What was typed before the question answers nothing. */
export async function ask(question: string): Promise<string | undefined> {
  return (await askLine(question))?.toLowerCase();
}

/** The same as it was typed, without the blanks around it. */
export async function askLine(question: string): Promise<string | undefined> {
  const [{ discardInput }, { createInterface }] = await loadToAsk();
  discardInput(process.stdin.fd, process.stdin);
  process.stderr.write(question);
  // Line mode: the terminal edits the line, and its state need not be restored if we are killed.
  const lines = createInterface({ input: process.stdin, terminal: false });
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once('line', (line) => resolve(line.trim()));
    lines.once('close', () => resolve(undefined));
  });
  lines.close();
  if (answer === undefined) process.stderr.write('\n');
  return answer;
}
