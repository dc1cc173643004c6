/** Just enough CBOR (RFC 8949) to see where extension data ends. */

const deepest = 4;
const map = 5;

/** Whether these bytes are exactly one well-formed map of definite lengths. */
export function isOneCborMap(bytes: Uint8Array): boolean {
  const [first] = bytes;
  return first !== undefined && first >> 5 === map && itemEnd(bytes, 0, deepest) === bytes.length;
}

/** Offset after the item at `at`; -1 if it is malformed, too deep or not complete. */
function itemEnd(bytes: Uint8Array, at: number, depth: number): number {
  const head = headAt(bytes, at);
  if (!head || depth === 0) return -1;
  const { major, value, end } = head;
  if (major === 2 || major === 3) return end + value <= bytes.length ? end + value : -1;
  const items = major === 4 ? value : major === map ? value * 2 : major === 6 ? 1 : 0;
  let next = end;
  for (let item = 0; item < items && next !== -1; item += 1) next = itemEnd(bytes, next, depth - 1);
  return next;
}

interface Head {
  readonly major: number;
  readonly value: number;
  readonly end: number;
}

/** Null for what is not complete, for indefinite lengths, and for values that no extension has (8 bytes). */
function headAt(bytes: Uint8Array, at: number): Head | null {
  const first = bytes[at];
  if (first === undefined) return null;
  const [major, info] = [first >> 5, first & 0x1f];
  if (info < 24) return { major, value: info, end: at + 1 };
  const size = { 24: 1, 25: 2, 26: 4 }[info] ?? 0;
  const digits = bytes.subarray(at + 1, at + 1 + size);
  if (size === 0 || digits.length < size) return null;
  return { major, value: digits.reduce((sum, digit) => sum * 256 + digit, 0), end: at + 1 + size };
}
