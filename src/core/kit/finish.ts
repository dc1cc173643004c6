/** Runs all steps of a generator at once, where nothing else has to get a turn in between. */
export function finish<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
