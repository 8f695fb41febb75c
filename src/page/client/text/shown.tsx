/** An agent's words as text nodes, with signs for what hides in them. */
import type { VNode } from 'preact';
import { piecesOf } from './visible.ts';

export function Shown({ text }: { readonly text: string }): VNode {
  return (
    <>
      {piecesOf(text).map(({ text: piece, isSign }, index) =>
        isSign === true ? (
          <span key={index} class="sign">
            {piece}
          </span>
        ) : (
          piece
        ),
      )}
    </>
  );
}

/** A path; its last part stands out, and stays in sight where there is no room for all. */
export function ShownPathText({ path }: { readonly path: string }): VNode {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <bdi class="path">
      <span class="path-head">
        <Shown text={path.slice(0, cut)} />
      </span>
      <span class="path-tail">
        <Shown text={path.slice(cut)} />
      </span>
    </bdi>
  );
}
