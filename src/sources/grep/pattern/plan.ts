/** What a text must contain to match a pattern: the formula that a server narrows files down by. Never too strict. */
import { ALL, type Formula } from '../../formula.ts';
import { INVALID, NEWLINE } from './characters.ts';
import { EMPTY, type Node, type SymbolSet } from './syntax.ts';

/** Ways to match one part that are told apart. */
const MOST_WAYS = 24;
const LONGEST_LITERAL = 200;
/** It is an `i` to grep when case is ignored, and none to Unicode's simple folding: a text that has it may always match. */
const DOTLESS_I = 0x131;

/** The formula of a pattern; `ignoreCase`: its symbols stand for both cases. */
export function formulaOf(node: Node, ignoreCase: boolean): Formula {
  const analysis = new Analysis(ignoreCase);
  const formula = analysis.formulaOf(node);
  const dotless: Formula = { kind: 'literal', text: String.fromCodePoint(DOTLESS_I), fold: false };
  return analysis.hasDotless ? either([formula, dotless]) : formula;
}

/** What is known of a part: all the texts that it matches, if they are few, or what each of them contains. */
type Known = { readonly ways: readonly string[] } | { readonly formula: Formula };

class Analysis {
  readonly #ignoreCase: boolean;
  hasDotless = false;

  constructor(ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
  }

  formulaOf(node: Node): Formula {
    return this.#toFormula(this.#look(node));
  }

  #toFormula(known: Known): Formula {
    if ('formula' in known) return known.formula;
    return either(known.ways.map((text) => this.#literal(text)));
  }

  #literal(text: string): Formula {
    return text === '' ? ALL : { kind: 'literal', text, fold: this.#ignoreCase };
  }

  #look(node: Node): Known {
    switch (node.kind) {
      case 'symbol':
        return this.#symbol(node.set);
      case 'assert':
        return { ways: [''] };
      case 'all':
        return this.#all(node.parts);
      case 'any':
        return this.#any(node.options);
      case 'group':
        return this.#look(node.of);
      case 'repeat':
        return this.#repeat(node.of, node.least, node.most);
      case 'reference':
        return { formula: ALL };
    }
  }

  #symbol(set: SymbolSet): Known {
    const members = set.members ?? [];
    if (set.members === undefined || members.some((one) => one >= INVALID || one === 0 || one === NEWLINE)) {
      return { formula: ALL };
    }
    if (members.length === 0) return { formula: { kind: 'none' } };
    if (!this.#ignoreCase) return few(members.map((one) => String.fromCodePoint(one)));
    if (members.includes(DOTLESS_I)) this.hasDotless = true;
    const others = members.filter((one) => one !== DOTLESS_I).map((one) => String.fromCodePoint(one));
    const ways: string[] = [];
    for (const one of others) if (!ways.some((way) => isSameLetter(way, one))) ways.push(one);
    return ways.length === 0 ? { formula: ALL } : few(ways);
  }

  /** What stands side by side is one literal, as far as it is known. */
  #all(parts: readonly Node[]): Known {
    let ways: readonly string[] = [''];
    const formulas: Formula[] = [];
    for (const part of parts) {
      const known = this.#look(part);
      const longer = 'ways' in known ? combined(ways, known.ways) : undefined;
      if (longer !== undefined) {
        ways = longer;
        continue;
      }
      formulas.push(this.#toFormula({ ways }));
      ways = 'ways' in known ? known.ways : [''];
      if ('formula' in known) formulas.push(known.formula);
    }
    return formulas.length === 0 ? { ways } : { formula: both([...formulas, this.#toFormula({ ways })]) };
  }

  #any(options: readonly Node[]): Known {
    const known = options.map((option) => this.#look(option));
    const ways = known.flatMap((one) => ('ways' in one ? one.ways : []));
    if (known.every((one) => 'ways' in one) && ways.length <= MOST_WAYS) return { ways: [...new Set(ways)] };
    return { formula: either(known.map((one) => this.#toFormula(one))) };
  }

  #repeat(of: Node, least: number, most: number): Known {
    if (least === 0) return of === EMPTY ? { ways: [''] } : this.#optional(of, most);
    if (least === most && least <= MOST_WAYS) return this.#all(Array<Node>(least).fill(of));
    return { formula: this.formulaOf(of) };
  }

  #optional(of: Node, most: number): Known {
    const known = this.#look(of);
    if (most === 1 && 'ways' in known) return few(['', ...known.ways]);
    return { formula: ALL };
  }
}

function few(ways: readonly string[]): Known {
  return ways.length <= MOST_WAYS ? { ways: [...new Set(ways)] } : { formula: ALL };
}

/** Each of one with each of the other; undefined: too many, or too long. */
function combined(heads: readonly string[], tails: readonly string[]): string[] | undefined {
  if (heads.length * tails.length > MOST_WAYS) return undefined;
  const ways = heads.flatMap((head) => tails.map((tail) => head + tail));
  return ways.some((way) => way.length > LONGEST_LITERAL) ? undefined : ways;
}

/** One letter in two cases, by Unicode's simple folding. */
function isSameLetter(one: string, other: string): boolean {
  return new RegExp(`^\\u{${(one.codePointAt(0) ?? 0).toString(16)}}$`, 'iu').test(other);
}

/** All of them. */
function both(parts: readonly Formula[]): Formula {
  const kept = parts.filter((part) => part.kind !== 'all');
  const [only] = kept;
  if (kept.some((part) => part.kind === 'none')) return { kind: 'none' };
  if (only === undefined) return ALL;
  return kept.length === 1 ? only : { kind: 'and', parts: kept };
}

/** One of them. */
function either(parts: readonly Formula[]): Formula {
  const kept = parts.filter((part) => part.kind !== 'none');
  const [only] = kept;
  if (kept.some((part) => part.kind === 'all')) return ALL;
  if (only === undefined) return { kind: 'none' };
  return kept.length === 1 ? only : { kind: 'or', parts: kept };
}
