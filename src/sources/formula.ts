/**
 * What a text must contain to match a pattern: a condition that is necessary, not sufficient. `grep` derives it from
 * its pattern, a server narrows the files down by it, and what is left is matched here, exactly. See Russ Cox,
 * "Regular Expression Matching with a Trigram Index" (2012).
 *
 * A literal lies within one line, and never contains a newline.
 */
export type Formula =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'literal';
      readonly text: string;
      /** Letters count in either case (Unicode's simple folding; a server may be laxer, never stricter). */
      readonly fold: boolean;
    }
  | { readonly kind: 'and'; readonly parts: readonly Formula[] }
  | { readonly kind: 'or'; readonly parts: readonly Formula[] };

/** Anything may match. */
export const ALL: Formula = { kind: 'all' };

/** Whether a content meets it. Where it is no UTF-8 that does not matter: no literal is in that. */
export function meets(content: Buffer, formula: Formula): boolean {
  switch (formula.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'literal':
      if (!formula.fold) return content.includes(formula.text);
      return foldedPattern(formula.text).test(content.toString());
    case 'and':
      return formula.parts.every((part) => meets(content, part));
    case 'or':
      return formula.parts.some((part) => meets(content, part));
  }
}

/** A text that each line has that matches, if the formula says one. */
export function lineText(formula: Formula): string | undefined {
  if (formula.kind === 'literal') return formula.fold || formula.text === '' ? undefined : formula.text;
  if (formula.kind !== 'and') return undefined;
  const texts = formula.parts.flatMap((part) => lineText(part) ?? []);
  return texts.reduce<string | undefined>((best, text) => (text.length > (best?.length ?? 0) ? text : best), undefined);
}

/** Whether it begins with the mark by which ripgrep takes it for UTF-16: then a formula says nothing of it. */
export function isWide([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

let folded = { text: '', pattern: /(?:)/ };

/** Files are looked at one after the other for the same few literals. */
function foldedPattern(text: string): RegExp {
  if (folded.text !== text) folded = { text, pattern: new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu') };
  return folded.pattern;
}

/** A pattern of grep's has fewer parts, unless it is made to have more. */
const MOST_PARTS = 1_000;
const DEEPEST = 20;
/** UTF-16 code units of a literal. One of grep's is at most 200 (grep/pattern/plan.ts): to look for a long one in either case takes long. */
const LONGEST = 400;

/** A formula that somebody else says it is; undefined for anything else, and for one that is too large. */
export function checkedFormula(value: unknown): Formula | undefined {
  let left = MOST_PARTS;
  const check = (one: unknown, depth: number): Formula | undefined => {
    left -= 1;
    if (left < 0 || depth > DEEPEST || typeof one !== 'object' || one === null) return undefined;
    const { kind, text, fold, parts } = one as Record<string, unknown>;
    if (kind === 'all' || kind === 'none') return { kind };
    if (kind === 'literal') {
      return typeof text === 'string' && text.length <= LONGEST ? { kind, text, fold: fold === true } : undefined;
    }
    if ((kind !== 'and' && kind !== 'or') || !Array.isArray(parts)) return undefined;
    const checked = parts.map((part) => check(part, depth + 1));
    return checked.every((part) => part !== undefined) ? { kind, parts: checked } : undefined;
  };
  return check(value, 0);
}
