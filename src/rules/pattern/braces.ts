/** Alternatives in braces: `a{b,c}d` stands for `abd` and `acd`. Pure. */

const MOST_ALTERNATIVES = 64;

/** All that a text stands for; a string says what is wrong. */
export function expandBraces(text: string): readonly string[] | string {
  const done: string[] = [];
  const waiting = [text];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = /(?<!\\)\{((?:\\.|[^{}\\])*)\}/s.exec(next);
    if (group === null) {
      if (/(?<!\\)[{}]/.test(next)) return "has a '{' or '}' that nothing matches";
      done.push(next);
    } else {
      const [before, after] = [next.slice(0, group.index), next.slice(group.index + group[0].length)];
      waiting.push(...(group[1] ?? '').split(',').map((choice) => `${before}${choice}${after}`));
    }
    if (done.length + waiting.length > MOST_ALTERNATIVES) return `has more than ${MOST_ALTERNATIVES} alternatives`;
  }
  return done.reverse();
}
