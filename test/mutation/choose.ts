/** Chooses faults: as many of each kind in each folder, by chance with a seed, so that nobody picks those that suit. */
import { dirname } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { Random } from '../random/random.ts';
import { REPOSITORY, sourceFiles } from '../support/source-files.ts';
import { type Fault, faultsOf, KINDS } from './faults.ts';

export const FOLDERS = ['src/staging', 'src/history', 'src/rules'];

/**
 * The first of each kind and folder, then the second: with a larger number these are the same, and more. Where `places`
 * are given, parts of `FILE:LINE`, all faults there are.
 */
export function chooseFaults(ofEach: number, seed: number, places: readonly string[] = []): Fault[] {
  const all = allFaults();
  if (places.length > 0) return all.filter((fault) => places.some((at) => `${fault.path}:${fault.line}`.includes(at)));
  const chosen = FOLDERS.flatMap((folder) =>
    KINDS.map((kind) => {
      const some = all.filter((fault) => fault.path.startsWith(`${folder}/`) && fault.kind === kind);
      return take(some, ofEach, new Random(seed));
    }),
  );
  return Array.from({ length: ofEach }, (_, i) => chosen.flatMap((faults) => faults.slice(i, i + 1))).flat();
}

function allFaults(): Fault[] {
  const api = new API({ cwd: REPOSITORY });
  try {
    const project = api.updateSnapshot({ openProjects: [`${REPOSITORY}/tsconfig.json`] }).getProjects()[0];
    const paths = FOLDERS.flatMap((folder) => sourceFiles(folder).map(({ path }) => path)).sort(inOrder);
    return paths.flatMap((path) => {
      const file = project?.program.getSourceFile(`${REPOSITORY}/${path}`);
      if (file === undefined) throw new Error(`${path} is no part of the project`);
      return faultsOf(path, file);
    });
  } finally {
    api.close();
  }
}

function take(from: readonly Fault[], count: number, random: Random): Fault[] {
  const left = [...from];
  const taken: Fault[] = [];
  while (taken.length < count && left.length > 0) taken.push(...left.splice(random.below(left.length), 1));
  return taken;
}

/** Files of a folder before those of the folders in it. */
function inOrder(one: string, other: string): number {
  const [first, second] = [`${dirname(one)}\0${one}`, `${dirname(other)}\0${other}`];
  return first < second ? -1 : 1;
}
