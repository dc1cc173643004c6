/** 950, 180k, 1.2M: tokens as people say them. */
import { locale } from './strings.ts';

export function tokensText(n: number): string {
  const [size, unit] = n >= 999_500 ? [1_000_000, 'M'] : n >= 1_000 ? [1_000, 'k'] : [1, ''];
  const maximumFractionDigits = size === 1_000_000 ? 1 : 0;
  return new Intl.NumberFormat(locale(), { maximumFractionDigits }).format(n / size) + unit;
}

/** @param currency as the person wrote it */
export function money(amount: number, currency: string): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `${new Intl.NumberFormat(locale(), digits).format(amount)} ${currency}`.trim();
}
