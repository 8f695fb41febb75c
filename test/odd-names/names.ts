/** Names that a careless program trips over, as bytes. */
export const ODD_NAMES: readonly string[] = [
  'new\nline',
  '\n',
  'tab\there',
  'carriage\rreturn',
  '"quoted"',
  "'single'",
  'back\\slash',
  // What the name above it could be mistaken for once it is printed.
  'new\\x0aline',
  '\\',
  '\x1b[31mred\x1b[0m',
  '\x1b]0;title\x07',
  'bell\x07back\x08',
  'delete\x7f',
  ' leading',
  'trailing ',
  '  ',
  '-',
  '--',
  '-rf',
  '--yes',
  '\xff\xfe',
  'half \xc3',
  // A control character of ISO 6429 in UTF-8, which some terminals obey, and the same byte alone.
  'csi \xc2\x9b31m',
  'csi \x9b31m',
  // Right-to-left override.
  'rlo \xe2\x80\xaetxt.exe',
  'na\xc3\xafve',
  '$(touch pwned)',
  '`touch pwned`',
  '*',
  '?[a]',
  '..a',
  '...',
  'a => b',
  'a\xe2\x86\x92b',
  'x'.repeat(255),
  '\xff'.repeat(255),
  '\n'.repeat(255),
];

/** Whether text may go to a terminal: valid UTF-8, and nothing in it that a terminal obeys but newlines. */
export function isHarmless(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  return !/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffd]/.test(text);
}
