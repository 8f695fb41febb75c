/**
 * Small faults that could be put into a file, found in its syntax tree: an operator exchanged, a condition negated, a
 * constant off by one, a return at the beginning, a call left out.
 */
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isAwaitExpression,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isFunctionDeclaration,
  isIfStatement,
  isLiteralTypeNode,
  isMethodDeclaration,
  isReturnStatement,
  isTypeNode,
} from 'typescript/unstable/ast/is';

export const KINDS = ['operator', 'condition', 'constant', 'return', 'call'] as const;
export type Kind = (typeof KINDS)[number];

export interface Fault {
  /** Of the file, relative to the repository. */
  readonly path: string;
  readonly line: number;
  /** The first line that it changes. */
  readonly text: string;
  readonly kind: Kind;
  /** What is replaced: offsets into the file's text. */
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

type Edit = Pick<Fault, 'kind' | 'start' | 'end' | 'after'>;

const EXCHANGED: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '+=': '-=',
  '-=': '+=',
  '&': '|',
  '|': '&',
};

/** All faults that this finds a place for, in the order of the text. */
export function faultsOf(path: string, file: SourceFile): Fault[] {
  const edits: Edit[] = [];
  const visit = (node: Node): void => {
    if (isTypeNode(node) || isLiteralTypeNode(node)) return;
    edits.push(...editsOf(node, file));
    node.forEachChild(visit);
  };
  visit(file);
  return edits
    .sort((one, other) => one.start - other.start || one.end - other.end)
    .map((edit) => ({
      path,
      line: file.text.slice(0, edit.start).split('\n').length,
      text:
        (/[^\n]*$/.exec(file.text.slice(0, edit.start))?.[0] + file.text.slice(edit.start)).split('\n')[0]?.trim() ??
        '',
      before: file.text.slice(edit.start, edit.end),
      ...edit,
    }));
}

/** The file's text with the fault in it. */
export function withFault(text: string, { start, end, after }: Fault): string {
  return text.slice(0, start) + after + text.slice(end);
}

/** At one place of the tree. */
function editsOf(node: Node, file: SourceFile): Edit[] {
  const replace = (kind: Kind, what: Node, after: string): Edit[] => {
    return [{ kind, start: what.getStart(file), end: what.getEnd(), after }];
  };
  if (isIfStatement(node)) return replace('condition', node.expression, `!(${node.expression.getText(file)})`);
  if (isConditionalExpression(node)) return replace('condition', node.condition, `!(${node.condition.getText(file)})`);
  if (isBinaryExpression(node)) {
    const operator = node.operatorToken.getText(file);
    const exchanged = EXCHANGED[operator];
    // Texts are put together by `+`, which has no opposite there.
    const isText = operator.startsWith('+') && /['"`]/.test(node.getText(file));
    return exchanged === undefined || isText ? [] : replace('operator', node.operatorToken, exchanged);
  }
  if (node.kind === SyntaxKind.NumericLiteral) return replace('constant', node, `${Number(node.getText(file)) + 1}`);
  if (node.kind === SyntaxKind.BigIntLiteral) return replace('constant', node, oneMore(node.getText(file)));
  if (node.kind === SyntaxKind.TrueKeyword) return replace('constant', node, 'false');
  if (node.kind === SyntaxKind.FalseKeyword) return replace('constant', node, 'true');
  if (isExpressionStatement(node) && isCall(node.expression)) return replace('call', node, '{}');
  return returns(node, file);
}

/** A function without a result returns at once; one that says yes or no says the other. */
function returns(node: Node, file: SourceFile): Edit[] {
  if (isReturnStatement(node) && node.expression !== undefined && resultOf(node, file) === 'boolean') {
    const text = node.expression.getText(file);
    const [start, end] = [node.expression.getStart(file), node.expression.getEnd()];
    return [{ kind: 'return', start, end, after: `!(${text})` }];
  }
  if (!isFunctionDeclaration(node) && !isMethodDeclaration(node) && !isArrowFunction(node)) return [];
  if (node.body === undefined || !isBlock(node.body) || node.body.statements.length === 0) return [];
  if (!/^(?:void|Promise<void>)$/.test(node.type?.getText(file) ?? '')) return [];
  const start = node.body.getStart(file) + 1;
  return [{ kind: 'return', start, end: start, after: ' return;' }];
}

/** The declared result of the function around a statement. */
function resultOf(node: Node, file: SourceFile): string | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (isFunctionDeclaration(at) || isMethodDeclaration(at) || isArrowFunction(at)) return at.type?.getText(file);
  }
  return undefined;
}

function isCall(node: Node): boolean {
  return isCallExpression(isAwaitExpression(node) ? node.expression : node);
}

function oneMore(literal: string): string {
  return `${BigInt(literal.slice(0, -1)) + 1n}n`;
}
