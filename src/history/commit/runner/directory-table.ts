/** The directories that steps name, numbered: a line of the log says where in the table a step works. */
import type { Name } from '../../../sys/bytes.ts';
import { decodeBytes, decodeInteger, encodeBytes, FieldError } from '../../log/fields.ts';
import type { Slot } from '../plan/steps.ts';
import { Directory } from '../plan/steps.ts';

/** Gives numbers while steps are written; `write` gets the line of each directory before the first that needs it. */
export class DirectoryNumbers {
  readonly #numbers = new Map<Directory, number>();
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Where the directory is at this moment goes into the table. */
  of(directory: Directory): number {
    const known = this.#numbers.get(directory);
    if (known !== undefined) return known;
    const parent = directory.parent === undefined ? '-' : this.of(directory.parent);
    const number = this.#numbers.size;
    this.#numbers.set(directory, number);
    this.#write(`directory\t${parent}\t${encodeBytes(directory.name)}`);
    return number;
  }

  slot({ dir, name }: Slot): string {
    return `${this.of(dir)}\t${encodeBytes(name)}`;
  }
}

/** The same read again. */
export class DirectoryTable {
  readonly #directories: Directory[] = [];

  add(parent: string, name: string): void {
    this.#directories.push(
      new Directory(parent === '-' ? undefined : this.at(parent), (decodeBytes(name) ?? '') as Name),
    );
  }

  at(field: string): Directory {
    const directory = this.#directories[decodeInteger(field)];
    if (directory === undefined) throw new FieldError(field, 'a directory of the table');
    return directory;
  }

  slot(directory: string, name: string): Slot {
    return { dir: this.at(directory), name: (decodeBytes(name) ?? '') as Name };
  }
}
