/** Text in the cells of a terminal: how many it takes, and what of it there is room for. */

/** Characters that take no cell of their own. */
const NONE = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])$/u;
const TAB = 8;

/** Cells of printable text. */
function cellsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let cells = 0;
  for (const point of text) cells += cellsOfPoint(point);
  return cells;
}

function cellsOfPoint(point: string): number {
  if (NONE.test(point)) return 0;
  return WIDE.test(point) ? 2 : 1;
}

/** As much of the beginning as there is room for, with a mark where something is missing. */
export function cut(text: string, room: number): string {
  if (cellsOf(text) <= room) return text;
  let [left, kept] = [room - 1, ''];
  for (const point of text) {
    left -= cellsOfPoint(point);
    if (left < 0) break;
    kept += point;
  }
  return room > 0 ? `${kept}…` : '';
}

/** The end, which of a path says most. */
export function cutStart(text: string, room: number): string {
  if (cellsOf(text) <= room) return text;
  let [left, kept] = [room - 1, ''];
  for (const point of [...text].reverse()) {
    left -= cellsOfPoint(point);
    if (left < 0) break;
    kept = point + kept;
  }
  return room > 0 ? `…${kept}` : '';
}

/** Sentences in as many lines as they take, broken between words. What goes on in the next begins below the last column that is near. */
export function wrappedAtWords(text: string, width: number): readonly string[] {
  if (cellsOf(text) <= width) return [text];
  const near = Math.max(0, Math.floor(width / 3) - 2);
  const lead = ' '.repeat(new RegExp(`^.{0,${near}} {2}(?=\\S)`).exec(text)?.[0].length ?? 0);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S)(?= )/)) {
    if (line !== '' && cellsOf(line + word) > width) {
      lines.push(line);
      line = lead + word.trimStart();
    } else line += word;
  }
  return [...lines, line].flatMap((one) => wrapped(one, width));
}

/** All of it, in as many pieces as it takes: what is further right than the screen is not hidden. */
export function wrapped(text: string, width: number): readonly string[] {
  if (cellsOf(text) <= width || width < 2) return [text];
  const pieces: string[] = [];
  let [piece, cells] = ['', 0];
  for (const point of text) {
    const more = cellsOfPoint(point);
    if (cells + more > width) {
      pieces.push(piece);
      [piece, cells] = ['', 0];
    }
    piece += point;
    cells += more;
  }
  return [...pieces, piece];
}

/** With blanks up to a width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - cellsOf(text)));
}

/** Tabs as blanks, so that what is drawn is as wide as what is counted. */
export function withoutTabs(text: string): string {
  if (!text.includes('\t')) return text;
  const [first = '', ...parts] = text.split('\t');
  return parts.reduce((shown, part) => shown + ' '.repeat(TAB - (cellsOf(shown) % TAB)) + part, first);
}
