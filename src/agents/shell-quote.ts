/** POSIX shell words. Nothing inside single quotes is special to any shell, so one form serves every text. */

/** The text as one word: in single quotes, each `'` in it written as `'\''`. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The text behind a word that `quoteWord` made; undefined for every other form, also for a word followed by more. */
export function unquoteWord(word: string): string | undefined {
  if (!/^'(?:[^']|'\\'')*'$/.test(word)) return undefined;
  return word.slice(1, -1).replaceAll("'\\''", "'");
}
