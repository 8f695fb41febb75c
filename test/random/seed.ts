/**
 * Where random tests begin. They do the same every time, so that what fails is what was changed; `YOLOFS_TEST_SEED`
 * looks for new cases, or repeats one.
 */
export const SEED = Number(process.env.YOLOFS_TEST_SEED ?? 1);
