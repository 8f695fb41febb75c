/** A picture before and after. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { FileReply } from '../../protocol.ts';
import { keyedAddressOf } from '../state/api.ts';
import { size } from '../text/words.ts';

export function Pictures({ reply }: { readonly reply: FileReply }): VNode {
  return (
    <div class="pictures">
      <Picture reply={reply} side="old" title="Before" />
      <Picture reply={reply} side="new" title="After" />
    </div>
  );
}

interface PictureProps {
  readonly reply: FileReply;
  readonly side: 'old' | 'new';
  readonly title: string;
}

function Picture({ reply, side, title }: PictureProps): VNode {
  const [measure, setMeasure] = useState('');
  const bytes = side === 'old' ? reply.oldSize : reply.newSize;
  const { version, entry } = reply;
  return (
    <figure class={`picture picture-${side}`}>
      <figcaption>
        {title}
        {bytes === undefined ? ': nothing' : ` · ${size(bytes)}${measure}`}
      </figcaption>
      {bytes !== undefined && (
        <img
          src={keyedAddressOf('content', { id: entry.id, side, version })}
          alt={title}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setMeasure(` · ${naturalWidth} × ${naturalHeight}`)
          }
          onError={() => setMeasure(' · it cannot be shown')}
        />
      )}
    </figure>
  );
}
