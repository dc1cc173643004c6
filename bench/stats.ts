/** Statistics over several rounds, and their formatting. */

/** The value below which a `share` (0..1) of the values is. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) return NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Three significant digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value >= 100) return String(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toFixed(3);
}

/** The median, and the middle half of all rounds. */
export function spread(values: readonly number[]): string {
  if (values.length === 0) return '–';
  return `${short(median(values))} (${short(quantile(values, 0.25))}–${short(quantile(values, 0.75))})`;
}

export function thousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Milliseconds on a clock shared by all programs of this machine. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
