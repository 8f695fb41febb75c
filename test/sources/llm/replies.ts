/** Replies of a scripted model. */
interface Parts {
  readonly error?: string;
  readonly reason?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly directories?: readonly string[];
  readonly removed?: readonly string[];
  readonly names?: readonly string[];
}

/** The JSON object that a model replies with, all fields there. */
export function reply({ error, reason, files = {}, directories = [], removed = [], names = [] }: Parts): string {
  return JSON.stringify({
    error: error ?? null,
    reason: reason ?? null,
    files: Object.entries(files).map(([path, data]) => ({ path, encoding: 'utf8', data })),
    directories,
    removed,
    names,
  });
}
