/** Many open pages: sessions of a passkey in software, and the streams of their pages. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { pinPasskey } from '../../src/app/keys/enrolment.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { makePasskey, type Passkey } from '../support/authenticator.ts';
import { cookieOf, post } from './attacks.ts';

/** What the server allows to one session. */
export const pagesOfSession = 40;

export interface Streams {
  /** Events of all streams, each with the number of its stream. */
  readonly events: readonly Streamed[];
  /** Sends a message as the script of this page does. */
  tell(stream: number, message: object): Promise<void>;
  /** Sends what the passkey signs where the page is asked for a signature. */
  sign(stream: number, asked: { readonly id: string; readonly options: { readonly challenge: string } }): Promise<void>;
  close(): void;
}

export interface Streamed {
  readonly stream: number;
  readonly event: string;
  readonly data: string;
}

/** A passkey of this person at this address, which the form of the editor has added. */
export function addPasskey(workspace: Workspace, origin: string): Passkey {
  const passkey = makePasskey('Ada', { origin });
  pinPasskey(workspace, passkey.pin);
  return passkey;
}

/** A session that the passkey opened. @param headers what else the browser sends */
export async function signIn(
  origin: string,
  passkey: Passkey,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { challenge } = JSON.parse((await post(origin, '/session/challenge', {})).body) as { challenge: string };
  const { credentialId } = passkey.pin.passkey;
  const signed = { challenge, credentialId, assertion: passkey.assert(challenge) };
  const opened = await post(origin, '/session/passkey', signed, headers);
  assert.equal(opened.status, 200, opened.body);
  return cookieOf(opened);
}

/**
 * Resolves when each stream has begun and its page has said that it is ready.
 * @param pathOf what each page shows
 */
export async function openStreams(
  origin: string,
  passkey: Passkey,
  count: number,
  pathOf: (stream: number) => string = () => '/',
): Promise<Streams> {
  const events: Streamed[] = [];
  const responses: IncomingMessage[] = [];
  const pages: Page[] = [];
  const close = () => {
    for (const response of responses) response.destroy();
  };
  const send = async (stream: number, kind: 'messages' | 'signature', body: object) => {
    const { id = '', cookie = '' } = pages[stream] ?? {};
    const { status } = await post(origin, `/pages/${id}/${kind}`, body, { cookie });
    assert.equal(status, 204);
  };
  try {
    for (let stream = 0; stream < count; stream += pagesOfSession) {
      const cookie = await signIn(origin, passkey);
      const numbers = Array.from({ length: Math.min(pagesOfSession, count - stream) }, (_, one) => stream + one);
      const opened = numbers.map((number) => {
        const page = { id: randomUUID(), cookie, path: pathOf(number) };
        pages.push(page);
        return openStream(origin, { page, number, events });
      });
      responses.push(...(await Promise.all(opened)));
      for (const number of numbers) await send(number, 'messages', { message: { type: 'ready' } });
    }
    const sign: Streams['sign'] = (stream, { id, options }) =>
      send(stream, 'signature', { id, assertion: passkey.assert(options.challenge) });
    return { events, tell: (stream, message) => send(stream, 'messages', { message }), sign, close };
  } catch (error) {
    close();
    throw error;
  }
}

interface Page {
  readonly id: string;
  readonly cookie: string;
  readonly path: string;
}

interface Opening {
  readonly page: Page;
  readonly number: number;
  readonly events: Streamed[];
}

/** A page's stream, once it has begun. */
export function openStream(origin: string, { page, number, events }: Opening): Promise<IncomingMessage> {
  const { id, cookie, path } = page;
  return new Promise((resolve, reject) => {
    const url = `${origin}/pages/${id}/events?path=${encodeURIComponent(path)}`;
    get(url, { headers: { cookie }, agent: false, family: 4 }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        reject(new Error(`stream ${String(number)}: ${String(response.statusCode)}`));
        return;
      }
      let event = '';
      const lines = createInterface({ input: response });
      // A stream that the server closes has fewer events.
      lines.on('error', () => undefined);
      lines.on('line', (line) => {
        if (line.startsWith('event: ')) event = line.slice('event: '.length);
        if (!line.startsWith('data: ')) return;
        events.push({ stream: number, event, data: line.slice('data: '.length) });
        if (event === 'begin') resolve(response);
      });
    }).on('error', reject);
  });
}
