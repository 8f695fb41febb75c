/**
 * Units share a process for each folder: a start of Node and the loading of what is tested take longer than most of
 * them. A file that changes the process it runs in, or measures it, has one of its own.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHANGES_ITS_PROCESS = /process\.(?:env\.\w+ = |chdir\(|memoryUsage|resourceUsage)|setFlagsFromString|'prlimit'/;

export interface UnitProcesses {
  /** The programs to run: files of their own, and one for each folder. */
  readonly programs: readonly string[];
  remove(): void;
}

/** Of the compiled `files`, paths below `tests`. */
export function unitProcesses(tests: string, files: readonly string[]): UnitProcesses {
  const own: string[] = [];
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const path = join(tests, file);
    const folder = file.slice(0, Math.max(file.indexOf('/'), 0));
    if (folder === '' || needsOwnProcess(path)) own.push(path);
    else folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  const directory = mkdtempSync(join(tmpdir(), 'yolofs-units-'));
  const shared = [...folders].map(([folder, paths]) => {
    const program = join(directory, `${folder}.mjs`);
    writeFileSync(program, paths.map((path) => `import ${JSON.stringify(path)};\n`).join(''));
    return program;
  });
  return { programs: [...shared, ...own], remove: () => rmSync(directory, { recursive: true, force: true }) };
}

export function needsOwnProcess(path: string): boolean {
  return CHANGES_ITS_PROCESS.test(readFileSync(path, 'utf8'));
}
