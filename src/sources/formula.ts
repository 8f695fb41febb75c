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
