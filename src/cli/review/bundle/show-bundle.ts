/** `review FILE`: a bundle that somebody has made, at this person's terminal. */
import { amount } from '../../../agents/amount.ts';
import { type Bundle, MOST_PACKED, unpackBundle } from '../../../review/export/bundle.ts';
import { readForeign } from '../../../sys/files/text-files.ts';
import { UserError } from '../../../sys/user-error.ts';
import { diffPiece, harmless } from '../../text/diff-text.ts';
import { type Paint, paintFor } from '../../text/terminal.ts';
import { writePaged } from '../pager.ts';

/** Shows a bundle. Throws a UserError for what is none. */
export async function showBundle(file: string): Promise<void> {
  const bytes = readForeign(file, MOST_PACKED);
  if (bytes === undefined) throw new UserError(`${file}: there is no such file`);
  await writePaged(bundleLines(unpackBundle(bytes), paintFor(process.stdout)));
}

function* bundleLines({ project, made: time, omitted, notices, files }: Bundle, paint: Paint): Generator<string, void> {
  yield `${paint.bold(harmless(`${project}: ${amount(files.length, 'file')}, as staged at ${time}`))}\n`;
  if (omitted > 0)
    yield `${amount(omitted, 'file')} left out, as rules keep them from being read or they hold a secret\n`;
  if (notices.length > 0) yield `\n${paint.bold(`Look at this first (${notices.length})`)}\n`;
  for (const { path, why } of notices) yield `  ${paint.red(harmless(path))}  ${harmless(why)}\n`;
  yield '\n';
  for (const { path, change } of files) yield `  ${change.padEnd(8)} ${harmless(path)}\n`;
  for (const { lines } of files) {
    yield '\n';
    for (const line of lines) yield diffPiece(`${line}\n`, paint, true);
  }
}
