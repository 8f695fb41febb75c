/** `export --bundle`: what is staged in the project, for a colleague to look at. */
import { basename } from 'node:path';
import { showPath, viewpointOf } from '../../../agents/show-path.ts';
import { reasonOf } from '../../../history/commit/notices/notices.ts';
import { renderDiff } from '../../../history/diff/diff.ts';
import type { PathChange } from '../../../history/diff/path-change.ts';
import type { Layout } from '../../../history/layout.ts';
import { type Bundle, type BundledFile, packBundle } from '../../../review/export/bundle.ts';
import { Belonging } from '../../../review/export/series.ts';
import { looksSecret } from '../../../rules/secrets/token-files.ts';
import { type BytePath, toBytePath } from '../../../sys/bytes.ts';
import { writeNewText } from '../../../sys/files/text-files.ts';
import { UserError } from '../../../sys/user-error.ts';
import { rangeAsked } from '../../look/listing.ts';
import { changesIn, noticesIn, type Reading, readSession } from '../../look/read-session.ts';
import { homeOf } from '../review-in.ts';
import { openPaths } from './open-paths.ts';

/** Returns what was written. Throws a UserError where there is nothing, or something at `file`. */
export async function exportBundle(session: Layout, word: string | undefined, file: string): Promise<Bundle> {
  const bundle = await readSession(session, async (reading) =>
    reading === undefined ? undefined : made(reading, word),
  );
  if (bundle === undefined || bundle.files.length === 0) throw new UserError('nothing is staged in the project');
  if (!writeNewText(file, packBundle(bundle), 0o600)) throw new UserError(`${file} is there already`);
  return bundle;
}

function made(reading: Reading, word: string | undefined): Bundle {
  const { base, store, layout } = reading;
  const project = toBytePath(layout.project);
  const { range } = rangeAsked(reading, word);
  const belonging = new Belonging({ base, store, project, home: homeOf() });
  const isOpen = openPaths(layout);
  const files: BundledFile[] = [];
  let omitted = 0;
  for (const change of belonging.of(changesIn({ ...reading, expand: true }, range)())) {
    const lines = isOpen(change) ? linesOf(change, { base, store, project }) : undefined;
    const text = lines?.map((line) => line.replace(/^[-+ ]/, '')).join('\n');
    if (lines === undefined || looksSecret(shown(change.path), text ?? '')) omitted += 1;
    else files.push({ path: shown(change.path), change: change.change, lines });
  }
  const notices = (range === undefined ? noticesIn(reading) : [])
    .filter(({ path }) => files.some((file) => file.path === shown(path)))
    .map((notice) => ({ path: shown(notice.path), why: reasonOf(notice) }));
  return { project: basename(layout.project), made: new Date().toISOString(), omitted, notices, files };

  function shown(path: BytePath): string {
    return showPath(path, viewpointOf(layout.project, layout.project));
  }
}

function linesOf(change: PathChange, options: Parameters<typeof renderDiff>[1]): string[] {
  return [...renderDiff([change], options)].flatMap((piece) => piece.split('\n').slice(0, -1));
}
