/** A content that is in memory. */
import type { Content } from './file-access.ts';

export function contentOf(bytes: Uint8Array): Content {
  let at = 0;
  return {
    size: bytes.length,
    read: (most) => {
      const piece = bytes.subarray(at, at + most);
      at += piece.length;
      return piece;
    },
    close: () => undefined,
  };
}
