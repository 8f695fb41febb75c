import { FieldError } from './fields.ts';

/** Takes the fields of a line one by one: a journal has millions, so nothing is made of them before. */
export class Fields {
  readonly #text: string;
  /** Where the next field starts; behind the text when the last one was taken. */
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether fields are left: those that format 2 added to a record are missing in format 1. */
  get hasMore(): boolean {
    return this.#at <= this.#text.length;
  }

  next(): string {
    const part = this.optional();
    if (part === undefined) throw new FieldError(`${this.#text.split('\t').length} fields`, 'enough of them');
    return part;
  }

  /** The next field; undefined when the line ends here. */
  optional(): string | undefined {
    if (!this.hasMore) return undefined;
    const tab = this.#text.indexOf('\t', this.#at);
    const end = tab < 0 ? this.#text.length : tab;
    const part = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return part;
  }

  rest(): string[] {
    const parts = this.hasMore ? this.#text.slice(this.#at).split('\t') : [];
    this.#at = this.#text.length + 1;
    return parts;
  }

  end(): void {
    if (this.hasMore) throw new FieldError(this.next(), 'expected at the end');
  }
}
