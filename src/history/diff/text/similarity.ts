/** How much of one file is in another, as git estimates it: by the bytes of the lines they share. */

/** Hash of a line (or of 64 bytes of a long one) -> bytes of all such pieces. */
export type Sketch = ReadonlyMap<number, number>;

const PIECE = 64;

/** What a file consists of, for comparing it with many others. */
export function sketch(content: Buffer): Sketch {
  const pieces = new Map<number, number>();
  let hash = 5381;
  let length = 0;
  for (let i = 0; i < content.length; i++) {
    const byte = content[i] ?? 0;
    hash = (Math.imul(hash, 33) ^ byte) | 0;
    length += 1;
    if (byte !== 10 && length < PIECE && i + 1 < content.length) continue;
    pieces.set(hash, (pieces.get(hash) ?? 0) + length);
    hash = 5381;
    length = 0;
  }
  return pieces;
}

/** Percent of the larger one that both have in common; 100 only for what is known to be `identical`. */
export function similarity(a: Sketch, b: Sketch, sizes: { a: number; b: number; identical: boolean }): number {
  if (sizes.identical) return 100;
  let common = 0;
  for (const [hash, bytes] of a.size <= b.size ? a : b) {
    common += Math.min(bytes, (a.size <= b.size ? b : a).get(hash) ?? 0);
  }
  const larger = Math.max(sizes.a, sizes.b);
  return larger === 0 ? 0 : Math.min(99, Math.floor((common * 100) / larger));
}
