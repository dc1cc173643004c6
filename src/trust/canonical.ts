/**
 * Canonical JSON: one byte string per value, so that equal values have equal hashes. Follows RFC 8785 for the values we
 * sign.
 */
import { hash } from 'node:crypto';

/**
 * Keys sorted by UTF-16 code units, no white space; `undefined` members are omitted, as in JSON.
 * @throws TypeError for values without a single form: non-integers, functions, symbols, bigints, lone surrogates
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`only safe integers can be signed, not ${String(value)}`);
    return JSON.stringify(value);
  }
  if (typeof value === 'string') {
    if (unescaped.test(value)) return `"${value}"`;
    // A range: Node takes 1 ms to make a class of Unicode's.
    if (/[\uD800-\uDFFF]/u.test(value)) throw new TypeError('a lone surrogate cannot be signed');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} cannot be signed`);
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (member !== undefined) members.push(`${canonicalJson(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

/** Text that JSON quotes as it is. Most text is, and this check is much cheaper than the others. */
const unescaped = /^[ !#-[\]-~]*$/;

/** SHA-256, lower-case hexadecimal. */
export function sha256(bytes: string | Uint8Array): string {
  return hash('sha256', bytes);
}

export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}
