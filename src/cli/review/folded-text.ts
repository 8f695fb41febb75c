/** Changes that are told together, a line a kind. */
import { amount } from '../../agents/amount.ts';
import { showPath, type Viewpoint } from '../../agents/show-path.ts';
import type { Folded, Place } from '../../review/review.ts';
import { type BytePath, components, isWithin, splitPath } from '../../sys/bytes.ts';
import { renderSize } from '../../sys/text/size.ts';
import type { Paint } from '../text/terminal.ts';

const TITLES: Readonly<Record<Folded['kind'], string>> = {
  git: 'git',
  agent: "agents' own state",
  cache: 'caches and logs',
  ignored: 'ignored by git',
};
/** Directories, or repositories, that are named. */
const MOST_PLACES = 3;

/** The last one says how to see each. */
export function* foldedLines(
  folded: readonly Folded[],
  from: Viewpoint,
  paint: Paint,
): Generator<string, void, undefined> {
  for (const [index, one] of folded.entries()) {
    const help = index === folded.length - 1 ? paint.dim("; 'yolofs status --all' lists each") : '';
    yield `${paint.bold(`${TITLES[one.kind]}:`)} ${whatOf(one, from)}${paint.dim(` (${countsOf(one)})`)}${help}`;
  }
}

/** One kind, as a line. */
export function foldText(one: Folded, from: Viewpoint): string {
  return `${TITLES[one.kind]}: ${whatOf(one, from)} (${countsOf(one)})`;
}

function countsOf({ changes, deleted, size }: Folded): string {
  const lost = deleted === 0 ? [] : [`${deleted} deleted`];
  return [amount(changes, 'change'), ...lost, renderSize(size)].join(', ');
}

function whatOf({ git, places, files }: Folded, from: Viewpoint): string {
  if (git !== undefined) return limited(git.map((one) => repositoryText(one, from)));
  if (places.length === 0) return 'directories';
  const told = places.length > MOST_PLACES ? around(places, from) : places;
  const named = told.map((place) => showPath(place.path, from, place.isDirectory ? 'directory' : 'file'));
  const [only] = places;
  if (places.length === 1 && only?.isDirectory === false) return named.join('');
  return `${amount(files, 'file')} in ${limited(named, ', ')}`;
}

/** Of many places the directories they are in: right below the project, and as far as `/home/NAME/DIRECTORY` outside. */
function around(places: Folded['places'], { project }: Viewpoint): Omit<Place, 'files'>[] {
  const found = new Map<BytePath, Omit<Place, 'files'>>();
  for (const place of places) {
    const names = components(place.path);
    const depth = isWithin(place.path, project) ? components(project).length + 1 : 3;
    const path = `/${names.slice(0, depth).join('/')}` as BytePath;
    found.set(path, { path, isDirectory: place.isDirectory || depth < names.length });
  }
  return [...found.values()];
}

function repositoryText({ directory, said }: NonNullable<Folded['git']>[number], from: Viewpoint): string {
  const text = said.length === 0 ? 'its own files' : said.join('; ');
  const isOwn = directory === `${from.project === '/' ? '' : from.project}/.git`;
  const root = splitPath(directory)?.dir ?? ('/' as BytePath);
  return isOwn ? text : `${showPath(root, from, 'directory')}: ${text}`;
}

function limited(all: readonly string[], between = '; '): string {
  const more = all.length - MOST_PLACES;
  return `${all.slice(0, MOST_PLACES).join(between)}${more > 0 ? ` and ${more} more` : ''}`;
}
