/** What may be wrong with a hook that is installed. */
export interface Fault {
  readonly what: string;
  /** The hook cannot work like this. */
  readonly isFatal: boolean;
  readonly hint: string;
}

/** Worth knowing; the hook may work all the same. */
export function fault(what: string, hint: string): Fault {
  return { what, isFatal: false, hint };
}

/** The hook cannot work. */
export function fatal(what: string, hint: string): Fault {
  return { what, isFatal: true, hint };
}
