/** Spans of time as people write them. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, m: 60_000, h: 3_600_000 };
const PATTERN = /^(\d{1,6}(?:\.\d{1,3})?) ?(ms|s|min|m|h)$/;

/** `60 s`, `2min`, `1.5 h`, `500 ms` in milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, number = '', unit = ''] = PATTERN.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  return factor === undefined ? undefined : Math.round(Number(number) * factor);
}
