/** Lets arrived messages be handled and finished replies be sent. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
