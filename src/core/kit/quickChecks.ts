/** Checks of what programs wrote themselves, so that a gate needs no schemas. */

export type Check = (value: unknown) => boolean;

export function isMap(needed: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  const checks = new Map(Object.entries({ ...optional, ...needed }));
  const least = Object.keys(needed);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const names = Object.keys(value);
    const members = value as Readonly<Record<string, unknown>>;
    return (
      least.every((name) => Object.hasOwn(value, name)) &&
      names.every((name) => checks.get(name)?.(members[name]) ?? false)
    );
  };
}

export function isListOf(value: unknown, isOne: (one: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isOne);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

const sha256 = /^[0-9a-f]{64}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function isSha256(value: unknown): value is string {
  return typeof value === 'string' && sha256.test(value);
}

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value);
}

export function isInstant(value: unknown): value is string {
  if (typeof value !== 'string' || !time.test(value)) return false;
  const ms = Date.parse(value);
  return Number.isFinite(ms) && new Date(ms).toISOString() === value;
}

export function isBase64(value: unknown): value is string {
  return typeof value === 'string' && value.length % 4 === 0 && base64.test(value);
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** A text of one line, as `textField` leaves it. */
export function isLine(value: unknown, max: number): value is string {
  if (typeof value !== 'string' || value === '' || value.length > max || value.trim() !== value) return false;
  return !hasLoneSurrogate(value) && !hasControl(value) && !/[\r\n]/.test(value);
}

export function hasLoneSurrogate(text: string): boolean {
  return /[\uD800-\uDFFF]/u.test(text);
}

/** Tab, line feed and carriage return are allowed; other C0 controls, DEL and C1 are not. */
export function hasControl(text: string): boolean {
  return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text);
}

export function matches(pattern: RegExp, max = Infinity): Check {
  return (value) => typeof value === 'string' && value.length <= max && pattern.test(value);
}

export function isOneOf(...words: readonly (string | number)[]): Check {
  return (value) => words.includes(value as string);
}

/**
 * Whether the hostname of a URL, or an address, is this machine itself, with no network in between. A name below
 * `localhost` is not: some resolvers ask a server for it.
 */
export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/** The longest of a passkey's origin, domain and id, in characters. */
export const passkeyLimits = { origin: 300, rpId: 253, credentialId: 1_400 } as const;
/** Where a passkey signs: https, or this machine. */
export const originPattern = /^(https:\/\/[a-z0-9.-]+|http:\/\/localhost)(:[1-9]\d{0,4})?$/;
export const domainPattern = /^[a-z0-9.-]+$/;

export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
