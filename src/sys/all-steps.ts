/** Takes all steps at once of what others take a little at a time, and returns what they come to. */
export function allSteps<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
