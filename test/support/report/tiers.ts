/**
 * Which test files a run takes. Each file has one tier, the cheapest run that takes it: `npm test` (quick), what CI runs
 * (`npm run test:ci`), everything (`npm run test:all`); the dearer ones take the files of the cheaper ones too.
 */

export const TIERS = ['quick', 'ci', 'all'] as const;
export type Tier = (typeof TIERS)[number];

/**
 * Whole proofs of something that a quick suite samples, or that only real programs, full disks, kills and attacks show:
 * too much for whoever waits after a change. Of suites that show neighbouring things the quick run has one.
 */
export const WHOLE_PROOFS = [
  /^agents\/(?:mcp\/(?:requests|requests-in-parts|tools)\.|quoting\.|real\/)/,
  /^ask\/(?:load|made|terminal)\./,
  /^bad-input\//,
  /^bench\//,
  /^cli\/(?:commit\/(?:noise|selection|undo-over)|doctor|drift|look\/(?:deep|history|review)|questions\/typed|schemas\/|slow-reader|store\/(?:apart|du|gc|quota)|within)/,
  /^cli\/terminal\./,
  /^cli\/(?:report\/report|review\/(?:bundle|export|pager|picture))\./,
  /^cli\/travel\/(?:git|known|numbers|open|past|random|undo-abort|way-back)\./,
  /^crash\//,
  /^daemon\/(?:cage|debug\/debug|early-times|fast-mount|life\/gone-session|many-snapshots|outside\/mount|places|settings|timed|undo)\./,
  /^daemon\/view\/(?:base-mounts\/base-mounts|host-edits-programs)\./,
  /^(?:demo|full-disk|holes|hostile|installed|model\/writers|odd-names|opaque|page)\//,
  /^differential\/(?:build|files|git|random|sqlite)\./,
  /^escape\/(?:denied|descriptors|flood|hostile|kernel|layers|namespaces|protections|starve|store)\b/,
  /^review\/clients\./,
  /^routine\/routine\./,
  /^rules\/mount\/(?:explain|guest-sight|links|names)\./,
  /^sources\/real\//,
  /^sources\/(?:elsewhere\/view|faults|hidden-view|failing\/view|grep\/(?:rg-shim|shims)|llm\/view|status)\./,
  /^sources\/(?:commit-kill|commit-served|examples|undo-kill|warm-start|conformance\/(?:chroma|memory|search))\./,
];

/** The long proofs that CI runs, at its end: they do the same each time. */
export const LONG_IN_CI = [/^history\/commit\/errnos\./, /^installed\/checkouts\./];

/** The tier of a compiled test file, a path below `dist/test`; undefined when it is none. */
export function tierOf(file: string): Tier | undefined {
  if (isLong(file)) return LONG_IN_CI.some((files) => files.test(file)) ? 'ci' : 'all';
  if (!/\.test\.js$/.test(file)) return undefined;
  return WHOLE_PROOFS.some((files) => files.test(file)) ? 'ci' : 'quick';
}

/** Whether a run of `tier` takes the file. */
export function takes(tier: Tier, file: string): boolean {
  const own = tierOf(file);
  return own !== undefined && TIERS.indexOf(own) <= TIERS.indexOf(tier);
}

/** A proof of minutes: `*.long.ts`. */
export function isLong(file: string): boolean {
  return /\.long\.js$/.test(file);
}
