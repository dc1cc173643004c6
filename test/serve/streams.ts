/** Sessions of a passkey in software, and the streams of their pages. */
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { pinKey } from '../../src/app/keys/enrolment.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { makePasskey, type Passkey } from '../support/authenticator.ts';
import { cookieOf, post } from './attacks.ts';

/** What the server allows to one session. */
export const pagesOfSession = 40;

export interface Streamed {
  readonly stream: number;
  readonly event: string;
  readonly data: string;
}

/** A passkey of this person at this address, which the form of the editor has added. */
export function addPasskey(workspace: Workspace, origin: string): Passkey {
  const passkey = makePasskey('Ada', { origin });
  pinKey(workspace, passkey.pin);
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
