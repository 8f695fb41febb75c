/** Sizes as people write and read them. */

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const PATTERN = /^(\d{1,12}(?:\.\d{1,6})?) ?(?:([kmgt])(ib|b)?|b)?$/i;

/**
 * `500M`, `2 GiB`, `1.5g`, `4096` in bytes, rounded: powers of 1024, but of 1000 with a `B` (`MB`). Undefined for
 * anything else.
 */
export function parseSize(text: string): number | undefined {
  const match = PATTERN.exec(text.trim());
  if (match === null) return undefined;
  const [, number = '', letter = '', unit = ''] = match;
  const power = letter === '' ? 0 : 'kmgt'.indexOf(letter.toLowerCase()) + 1;
  const size = Math.round(Number(number) * (unit.toLowerCase() === 'b' ? 1000 : 1024) ** power);
  return Number.isSafeInteger(size) ? size : undefined;
}

/** `1.5 MiB`. */
export function renderSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}
