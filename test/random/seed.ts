/**
 * Where random tests begin, and how many cases they try. They do the same every time, so that what fails is what was
 * changed; `YOLOFS_TEST_SEED` looks for new cases, or repeats one.
 */
export const SEED = Number(process.env.YOLOFS_TEST_SEED ?? 1);

/** A quick run tries one case of so many. */
const QUICK_SHARE = 10;

/** How many cases to try where `count` are the whole proof; `YOLOFS_MODEL_RUNS` says another number. */
export function runs(count: number): number {
  const wanted = process.env.YOLOFS_MODEL_RUNS;
  if (wanted !== undefined) return Number(wanted);
  return process.env.YOLOFS_TEST_QUICK === '1' ? Math.ceil(count / QUICK_SHARE) : count;
}
