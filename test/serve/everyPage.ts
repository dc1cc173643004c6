/** Something on every page of the server, with hostile texts of agents and of a person's device. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { pinKey } from '../../src/app/keys/enrolment.ts';
import { confirmPasskey } from '../../src/app/keys/acts.ts';
import { appoint, shownAppointmentHash } from '../../src/app/request/decisions.ts';
import { makePasskey, type Passkey } from '../support/authenticator.ts';
import { decide, enrolledHuman } from '../support/store/people.ts';
import { payloads } from '../webview/untrusted/payloads.ts';
import type { Served } from './program.ts';

/** All paths with a document; `Q-2` is answered, and shows its history. */
export const everyPath = [
  ...['/', '/open/Q-1', '/open/Q-2', '/open/RFC-1', '/open/R-1'],
  ...['/briefing', '/dashboard', '/policy', '/keys', '/passkey'],
] as const;

/** As command lines take it, with the characters that begin markup, and no line break at its ends. */
const hostile = payloads.map((text) => text.trim()).filter((text) => !/\p{Cc}/u.test(text) && /^[^-]/.test(text));

/** Different ones each time, which are this long together at most. */
function hostileTexts(): (atMost: number) => string {
  let next = 0;
  return (atMost) => {
    let text = '';
    for (let tried = 0; tried < hostile.length; tried += 1) {
      const more = hostile[(next + tried) % hostile.length] ?? '';
      if (text.length + more.length + 1 > atMost) continue;
      next += tried + 1;
      text = text === '' ? more : `${text} ${more}`;
      if (text.length > atMost / 2) break;
    }
    return text;
  };
}

/** @returns a passkey of the person, which counts */
export async function fillEveryPage(served: Served): Promise<Passkey> {
  const take = hostileTexts();
  const agent = async (...verb: readonly string[]) => {
    const { code, err } = await served.agent(...verb);
    assert.equal(code, 0, err);
  };
  await agent('work', 'register', '--id', 't-1', '--kind', 'task', '--title', take(200));
  const work = ['--blocking-task-id', 't-1'];
  const about = ['--background', take(9_000), '--impact', take(2_000), '--choice', take(80), '--choice', take(80)];
  await agent('question', 'create', '--text', take(1_900), ...about, ...work, '--urgency', 'critical');
  await agent('question', 'create', '--text', take(1_900), ...work);
  const parts = ['summary', 'motivation', 'design', 'timeline', 'rollback'];
  const document = [...parts.flatMap((name) => [`--${name}`, take(2_000)]), '--alternative', take(180)];
  await agent('rfc', 'create', '--title', take(200), ...document, ...work, '--submit');
  await agent('post', '--type', 'warning', '--priority', 'critical', '--text', take(2_000));

  const workspace = served.sandbox.open({ clock: Date.now });
  const store = await workspace.store();
  const signing = { store, signer: enrolledHuman(workspace), newId: randomUUID };
  await decide(workspace, signing.signer, 'Q-2', { kind: 'answer', answer: { text: take(2_000), choices: [] } });
  const ada = { id: 'ada@shop', kind: 'human', name: 'Ada', agents: [] } as const;
  await appoint(signing, ada, shownAppointmentHash(store.read().state, ada));
  const passkey = makePasskey('Ada', { origin: served.origin, label: take(90) });
  pinKey(workspace, passkey.pin);
  await confirmPasskey(signing, passkey.pin, '0'.repeat(64));
  workspace.close();

  await agent('responsibility', 'register', '--id', 'shop', '--kind', 'agent', '--name', take(90));
  await agent('request', 'create', '--target', 'ada@shop', '--subject', take(200), '--summary', take(2_000));
  return passkey;
}
