/** Asks the programs on the port of `holdpoint serve` whether they are that server, and for what only it can say. */
import {
  localOrigin,
  editorProof,
  editorReply,
  isSameProof,
  readSecret,
  serverProof,
  type EditorAsk,
  type EditorReply,
} from '../../app/serving/editorLink.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';

/** `free`: no program listens. `other`: one does, and does not prove to be our server. */
export type Listener = 'free' | 'other' | Omit<EditorReply, 'proof'>;

/** What browsers try for `localhost`. */
const addresses = ['127.0.0.1', '::1'];

const waitMs = 3_000;

const replyAtMost = 10_000;

/**
 * Looks at every address of this machine: a browser may reach a program on either. Only a server that proved itself is
 * asked for more, at one address: one that ends drops what comes to another.
 */
export async function listenerAt(workspace: Workspace, ask: EditorAsk, port: number): Promise<Listener> {
  let found: Listener = 'free';
  let at = '';
  for (const address of addresses) {
    const one = await askOne(workspace, { address, port, ask: 'look' });
    if (one === 'other') return 'other';
    if (one === 'free' || at !== '') continue;
    [found, at] = [one, address];
  }
  return at === '' || ask === 'look' ? found : askOne(workspace, { address: at, port, ask });
}

interface One {
  readonly address: string;
  readonly port: number;
  readonly ask: EditorAsk;
}

async function askOne(workspace: Workspace, { address, port, ask }: One): Promise<Listener> {
  const secret = readSecret(workspace, port) ?? '';
  const asked = { origin: localOrigin(port), ask, nonce: randomBytes(24).toString('base64url') };
  const body = { ask, nonce: asked.nonce, proof: editorProof(secret, asked) };
  const answer = await post({ address, port, body: JSON.stringify(body) });
  if (answer === null) return 'free';
  const reply = editorReply.safeParse(jsonOrNull(answer));
  if (secret === '' || !reply.success) return 'other';
  const { proof, ...said } = reply.data;
  return isSameProof(proof, serverProof(secret, asked, said)) ? said : 'other';
}

/** Null when nothing listens there. */
function post({ address, port, body }: Omit<One, 'ask'> & { readonly body: string }): Promise<string | null> {
  const origin = localOrigin(port);
  const headers = { host: new URL(origin).host, origin, 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const options = { host: address, port, method: 'POST', path: '/editor', headers, agent: false, timeout: waitMs };
    const sent = request(options, (response) => {
      response.on('data', () => {
        if (response.socket.bytesRead > replyAtMost) sent.destroy();
      });
      text(response).then(resolve, () => {
        resolve('');
      });
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', (error: NodeJS.ErrnoException) => {
      resolve(isAbsent(error) ? null : '');
    });
    sent.end(body);
  });
}

function isAbsent({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['ECONNREFUSED', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH'].includes(code);
}
