/** Requests as no browser would send them. */
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A TLS listener of this machine that serves the origin, and the authority that its client trusts. */
  readonly tls?: { readonly port: number; readonly ca: string };
}

/** @param origin - of the server, whose own `Host` is sent unless the headers name another */
export function send(origin: string, { method = 'GET', path, headers = {}, body, tls }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(origin);
    const common = { method, path, family: 4, agent: false } as const;
    const answer = (response: IncomingMessage) => {
      text(response).then(
        (read) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read });
        },
        (error: unknown) => {
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    };
    const sent = tls
      ? requestOverTls(
          { ...common, ...tls, hostname: '127.0.0.1', servername: hostname, headers: { host, ...headers } },
          answer,
        )
      : request({ ...common, hostname, port, headers }, answer);
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A request as the server's own page sends it. */
export function post(
  origin: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return send(origin, {
    method: 'POST',
    path,
    headers: { origin, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** The cookie that an answer sets, as a browser returns it. */
export function cookieOf({ headers }: Answer): string {
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}
