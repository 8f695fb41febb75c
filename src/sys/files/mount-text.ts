/** A path as /proc/self/mountinfo has it: blanks, tabs, newlines and backslashes are three octal digits (proc(5)). */
export function fromMountText(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
