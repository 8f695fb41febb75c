/** Finds syntax colours, off the page's thread: an odd file may take long, and is then only late. */
import type { RootContent } from 'hast';
import { common, createLowlight } from 'lowlight';
import { languageOf } from './languages.ts';
import type { HighlightAnswer, HighlightRequest, Token } from './messages.ts';

const lowlight = createLowlight(common);

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  const language = languageOf(data.path);
  const answer: HighlightAnswer =
    language === undefined || !lowlight.registered(language)
      ? { id: data.id }
      : { id: data.id, lines: linesOf(lowlight.highlight(language, data.lines.join('\n')).children) };
  postMessage(answer);
});

function linesOf(nodes: readonly RootContent[]): Token[][] {
  const lines: Token[][] = [[]];
  const add = (node: RootContent, kind: string): void => {
    if (node.type === 'element') {
      const [own] = Array.isArray(node.properties.className) ? node.properties.className : [];
      for (const child of node.children) add(child, typeof own === 'string' ? own.replace(/^hljs-/, '') : kind);
    } else if (node.type === 'text') {
      node.value.split('\n').forEach((text, index) => {
        if (index > 0) lines.push([]);
        if (text !== '') lines.at(-1)?.push([text.length, kind]);
      });
    }
  };
  for (const node of nodes) add(node, '');
  return lines;
}
