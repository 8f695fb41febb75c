/**
 * Where random tests begin. `npm test` does the same every time, so that what fails is what was changed; the long run
 * looks for new cases. `YOLOFS_TEST_SEED` repeats either.
 */
const NEW = Date.now() % 1_000_000_000;

export const SEED = Number(process.env.YOLOFS_TEST_SEED ?? (process.env.YOLOFS_TEST_LONG === '1' ? NEW : 1));
