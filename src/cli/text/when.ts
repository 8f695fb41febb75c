/** Moments, for people in their own time zone and for programs in RFC 3339. */

/** As the journal has it: seconds and nanoseconds since 1970. */
export interface Moment {
  readonly sec: number;
  readonly nsec: number;
}

let lastSecond = Number.NaN;
let lastText = '';

/** `2026-11-21 19:11:26`. Records come in order, so that most seconds are asked for many times in a row. */
export function localTime({ sec }: Moment): string {
  if (sec === lastSecond) return lastText;
  const at = new Date(sec * 1000);
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  lastText = `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  lastSecond = sec;
  return lastText;
}

/** `2026-11-21T18:11:26.250Z` */
export function rfc3339({ sec, nsec }: Moment): string {
  return new Date(sec * 1000 + nsec / 1e6).toISOString();
}
