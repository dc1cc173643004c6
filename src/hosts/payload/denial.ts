/** The output of a denial, for hosts that read more than exit code 2 and standard error. */
export interface Denial {
  /** JSON for standard output; `$reason` in its texts becomes the reason. */
  readonly json: Readonly<Record<string, string | boolean | number>>;
  /** 0 where only the output counts. */
  readonly exit: 0 | 2;
}

/** Whether an output contains this denial, whatever its reason. */
export function isDenied({ json }: Denial, output: string): boolean {
  return Object.entries(json).every(([key, value]) => {
    const isReason = typeof value === 'string' && value.includes('$reason');
    return output.includes(`${JSON.stringify(key)}:${isReason ? '' : JSON.stringify(value)}`);
  });
}

export function denialJson({ json }: Denial, reason: string): object {
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.replaceAll('$reason', () => reason) : value,
    ]),
  );
}
