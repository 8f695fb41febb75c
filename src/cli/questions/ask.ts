/** Questions to the person at the terminal. Without a terminal nobody is asked. */
/** Whether somebody can be asked: both sides of the conversation are a terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** The answer in lower case, without blanks; undefined at the end of input. */
export async function ask(question: string): Promise<string | undefined> {
  process.stderr.write(question);
  const { createInterface } = await import('node:readline');
  // Line mode: the terminal edits the line, and its state need not be restored if we are killed.
  const lines = createInterface({ input: process.stdin, terminal: false });
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once('line', (line) => resolve(line.trim().toLowerCase()));
    lines.once('close', () => resolve(undefined));
  });
  lines.close();
  if (answer === undefined) process.stderr.write('\n');
  return answer;
}

/** Whether the person answers yes; anything else, and the end of input, is no. */
export async function confirm(question: string): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `);
  return answer === 'y' || answer === 'yes';
}
