/** Who sends a request, for limits: an address of the network, or what the proxy in front of the server reports. */
import { isIPv4, isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

export interface AddressOptions {
  /** Every request comes through a proxy, which adds the address that it sees to `X-Forwarded-For`. */
  readonly behindProxy: boolean;
}

/** An IPv6 /64 network counts as one address, because its owner has all the addresses in it. */
const networkGroups = 4;

export function addressOf(context: Context, { behindProxy }: AddressOptions): string {
  // Entries before the last one are what the client sent.
  const reported = behindProxy ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return (reported === undefined ? null : countedAs(reported)) ?? connectionOf(context);
}

/** Of the proxy, where there is one. */
export function connectionOf(context: Context): string {
  const { address = '' } = getConnInfo(context).remote;
  return countedAs(address) ?? address;
}

/** Null for what is no address. */
function countedAs(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return null;
  const [head = '', tail] = plain.replace(/%.*$/, '').toLowerCase().split('::');
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const missing = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: missing }, () => '0'), ...last];
  return `${groups
    .slice(0, networkGroups)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::`;
}
