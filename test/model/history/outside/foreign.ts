/**
 * What the model knows of changes outside, without knowing what is staged: a place that no step has come near shows them,
 * a change that the view does not show is not known to it, and a commit must not take that away.
 */
import assert from 'node:assert/strict';
import { differences, type Image, type Node } from '../image.ts';
import { isSame } from '../part.ts';

export interface Edit {
  readonly path: string;
  /** The base before and after. */
  readonly was: Image;
  readonly now: Image;
  /** The view before and after. */
  readonly view: Image;
  readonly seen: Image;
  /** In the new content and nowhere else; undefined when there is none. */
  readonly line: string | undefined;
}

const ABSENT = 'absent';
const PATH = 'path ';

export class Foreign {
  /** What has taken each other's place outside. */
  #families: Set<string>[] = [];
  /** Which base or bases an image of a generation was made over. */
  readonly #bases = new WeakMap<Image, readonly Image[]>();
  /** Changed outside, which the view does not show: what was there when it last showed that. */
  readonly #unseen = new Map<string, Node | undefined>();
  /** Where that may not be what the view took, but something later. */
  readonly #older = new Set<string>();
  /** Where steps have been since all was committed or given up. */
  readonly #trodden = new Set<string>();
  readonly #lines: string[] = [];
  /** What nobody has staged of a file's attributes is its original's, of today. */
  #isLoose = false;
  /** Whether it is not certain that the view has followed all changes. */
  #isUncertain = false;

  get isAny(): boolean {
    return this.#families.length > 0;
  }

  get mustRefuse(): boolean {
    return this.#unseen.size > 0;
  }

  get mayRefuse(): boolean {
    return this.mustRefuse || this.#isUncertain;
  }

  get unseen(): ReadonlyMap<string, Node | undefined> {
    return this.#unseen;
  }

  /** Whether it is certain what was at a path of the base when the view took it. */
  isCertain(path: string): boolean {
    return this.#unseen.has(path) && !this.#older.has(path);
  }

  nextLine(): string {
    const line = `outside ${this.#lines.length}\n`;
    this.#lines.push(line);
    return line;
  }

  tread(...paths: readonly string[]): void {
    for (const path of paths) this.#trodden.add(path);
  }

  /** Whether nothing of a path can be staged. */
  isFar(path: string): boolean {
    return this.farNow()(path);
  }

  /** The same, of this moment. */
  farNow(): (path: string) => boolean {
    const [trodden, isUnknown] = [[...this.#trodden], this.mayRefuse];
    return (path) => !isUnknown && !trodden.some((other) => isRelated(other, path));
  }

  /** Fails when the view shows anything but what it showed and what is outside. */
  edited(edit: Edit): void {
    const { path, was, now, view, seen, line } = edit;
    this.#relate(path, was.get(path), now.get(path));
    this.#bases.set(view, [was]);
    this.#isLoose ||= line === undefined;
    assert.deepEqual(this.differences(view, seen), [], 'the view after a change outside');
    if (this.isFar(path)) {
      assert.ok(isSame(seen.get(path), now.get(path)), `${JSON.stringify(path)} does not show what is outside`);
      return;
    }
    if (line === undefined || isShown(line, seen)) {
      this.#unseen.delete(path);
      this.#older.add(path);
      this.#isUncertain = true;
    } else if (!this.#unseen.has(path)) this.#unseen.set(path, was.get(path));
  }

  /** The view and the base are the same, and nothing is staged. */
  settled(): void {
    this.#unseen.clear();
    this.#older.clear();
    this.#trodden.clear();
    this.#isUncertain = false;
  }

  /** The view has become another one, over the same base; `afresh`: as if it had been made over the base of today. */
  turned(view: Image, base: Image, isAfresh: boolean): void {
    for (const path of [...this.#unseen.keys()]) {
      if (!isAfresh && !this.#isKnown(base.get(path), view)) continue;
      this.#unseen.delete(path);
      this.#older.add(path);
      this.#isUncertain = true;
    }
    this.#isUncertain ||= isAfresh;
  }

  /** Places are staged that no step has named lately. */
  doubt(): void {
    this.#isUncertain = true;
  }

  /** The base that an image belongs to. */
  note(image: Image, bases: readonly Image[]): void {
    this.#bases.set(image, [...(this.#bases.get(image) ?? []), ...bases]);
  }

  /** As of images, without what may be otherwise because of changes outside. */
  differences(expected: Image, actual: Image): string[] {
    const bases = this.#bases.get(expected) ?? [];
    return differences(expected, actual, (path) => this.#isExcused(path, expected.get(path), actual.get(path), bases));
  }

  /** Fails when something that was written outside is in one tree and in none of the others. */
  checkKept(before: Image, after: readonly Image[], paths: Iterable<string> = before.keys()): void {
    for (const path of paths) {
      const line = this.#lines.find((text) => before.get(path)?.content.includes(text));
      if (line !== undefined)
        assert.ok(
          after.some((image) => isShown(line, image)),
          `${JSON.stringify(line)} of ${JSON.stringify(path)} is lost`,
        );
    }
  }

  #isKnown(node: Node | undefined, view: Image): boolean {
    return [...view.values()].some((other) => isSame(node, other));
  }

  #relate(path: string, was: Node | undefined, now: Node | undefined): void {
    const keys = [keyOf(was), keyOf(now), `${PATH}${path}`];
    const isOne = (family: Set<string>): boolean => keys.some((key) => key !== ABSENT && family.has(key));
    const joined = new Set([...keys, ...this.#families.filter(isOne).flatMap((family) => [...family])]);
    this.#families = [...this.#families.filter((family) => !isOne(family)), joined];
  }

  #isExcused(path: string, want: Node | undefined, have: Node | undefined, bases: readonly Image[]): boolean {
    if (!this.isAny) return false;
    // Names that come and go outside change its time.
    if (want?.type === 'directory' && have?.type === 'directory') return isSame(want, have);
    if ([want, have].some((node) => node !== undefined && node.type !== 'file')) return false;
    if (this.#isLoose && want?.content === have?.content) return true;
    const families = this.#families.filter((family) => family.has(keyOf(want)) && family.has(keyOf(have)));
    if (families.length === 0) return false;
    const places = families.flatMap((family) => namesakes(path, family));
    return bases.some((base) =>
      want === undefined
        ? places.some((place) => !base.has(place))
        : [...base.values()].some(({ content }) => content === want.content),
    );
  }
}

function keyOf(node: Node | undefined): string {
  return node === undefined ? ABSENT : `content ${node.content}`;
}

/** A path, and those of a family where it may come from: in a directory that has moved a name stays what it is. */
function namesakes(path: string, family: ReadonlySet<string>): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const paths = [...family].filter((key) => key.startsWith(PATH)).map((key) => key.slice(PATH.length));
  return [path, ...paths.filter((other) => other.slice(other.lastIndexOf('/') + 1) === name)];
}

function isShown(line: string, view: Image): boolean {
  return [...view.values()].some(({ type, content }) => type === 'file' && content.includes(line));
}

function isRelated(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}
