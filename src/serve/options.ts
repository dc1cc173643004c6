/** Where the server listens and what browsers call it. Beyond this machine only with TLS. */
import fs from 'node:fs';
import * as z from 'zod';
import { servePort } from '../app/serving/editorLink.ts';
import { isThisMachine } from '../core/kit/quickChecks.ts';

export interface Given {
  readonly port?: string | undefined;
  readonly listen?: string | undefined;
  readonly origin?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly behindProxy: boolean;
}

export interface Place {
  /** Addresses to listen on: all names of this machine that a browser may try for `localhost`. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** What browsers call it; null: `http://localhost` with the port that is found. */
  readonly origin: string | null;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  readonly behindProxy: boolean;
}

const port = z.coerce.number().int().min(0).max(65_535);

/** @throws Error naming the missing option */
export function placeOf(given: Given): Place {
  const number = port.safeParse(given.port ?? servePort);
  if (!number.success) throw new Error('--port: give a number from 0 to 65535');
  const listen = given.listen ?? 'localhost';
  const tls = tlsOf(given);
  const isLocal = isThisMachine(listen);
  if (!isLocal && given.origin === undefined)
    throw new Error('--listen beyond this machine needs --origin https://…, the address that browsers use');
  if (!isLocal && !tls && !given.behindProxy)
    throw new Error('--listen beyond this machine needs --tls-cert and --tls-key, or --behind-proxy with TLS');
  const origin = given.origin === undefined ? null : originOf(given.origin);
  if (origin !== null && !tls && !given.behindProxy)
    throw new Error('--origin needs --tls-cert and --tls-key, or --behind-proxy');
  if (origin === null && tls) throw new Error('--tls-cert needs --origin https://…, the address that browsers use');
  // Without another origin, browsers are told `localhost`.
  const addresses = listen === 'localhost' || origin === null ? ['127.0.0.1', '::1'] : [listen];
  return { addresses, port: number.data, origin, tls, behindProxy: given.behindProxy };
}

/** Passkeys belong to a domain, so that an address of digits cannot be used. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.origin !== text.replace(/\/$/, ''))
    throw new Error('--origin: give https:// and a host name, without a path');
  if (/^[\d.]+$|^\[/.test(url.hostname)) throw new Error('--origin: passkeys need a host name, not an address');
  return url.origin;
}

function tlsOf({ tlsCert, tlsKey }: Given): Place['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined) throw new Error('--tls-cert and --tls-key belong together');
  return { cert: fs.readFileSync(tlsCert), key: fs.readFileSync(tlsKey) };
}
