/** Many open pages: sessions of a passkey in software, and the streams of their pages. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { pinPasskey } from '../../src/app/keys/enrolment.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { makePasskey } from '../support/authenticator.ts';
import type { Passkey } from '../support/authenticator.ts';
import { cookieOf, post } from './attacks.ts';

/** What the server allows to one session. */
const pagesOfSession = 40;

export interface Streams {
  /** Events of all streams, each with the number of its stream. */
  readonly events: readonly Streamed[];
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

/** A session that the passkey opened. */
export async function signIn(origin: string, passkey: Passkey): Promise<string> {
  const { challenge } = JSON.parse((await post(origin, '/session/challenge', {})).body) as { challenge: string };
  const { credentialId } = passkey.pin.passkey;
  const opened = await post(origin, '/session/passkey', {
    ...{ challenge, credentialId, assertion: passkey.assert(challenge) },
  });
  assert.equal(opened.status, 200, opened.body);
  return cookieOf(opened);
}

/** Resolves when each stream has begun. */
export async function openStreams(origin: string, passkey: Passkey, count: number): Promise<Streams> {
  const events: Streamed[] = [];
  const responses: IncomingMessage[] = [];
  const close = () => {
    for (const response of responses) response.destroy();
  };
  try {
    for (let stream = 0; stream < count; stream += pagesOfSession) {
      const cookie = await signIn(origin, passkey);
      const numbers = Array.from({ length: Math.min(pagesOfSession, count - stream) }, (_, one) => stream + one);
      responses.push(...(await Promise.all(numbers.map((number) => openStream(origin, cookie, { number, events })))));
    }
    return { events, close };
  } catch (error) {
    close();
    throw error;
  }
}

function openStream(
  origin: string,
  cookie: string,
  { number, events }: { readonly number: number; readonly events: Streamed[] },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = `${origin}/pages/${randomUUID()}/events?path=%2F`;
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
