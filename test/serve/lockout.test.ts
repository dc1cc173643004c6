/** A flood of sign-in attempts does not keep other people from signing in. */
import assert from 'node:assert/strict';
import { createChallenges } from '../../src/serve/security/passkeys.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { cookieOf, post, send, type Answer } from './attacks.ts';
import { startServe, type Served } from './program.ts';
import { addPasskey, signIn } from './streams.ts';

const minute = 60_000;
const wrongCode = 'AAAA-AAAA-AAAA';

after(removeSandboxes);

describe('a challenge', () => {
  it('counts once, within five minutes, and whatever was issued meanwhile', () => {
    let now = 12.5;
    const challenges = createChallenges(() => now);
    const [first, late] = [challenges.issue(), challenges.issue()];
    for (let turn = 0; turn < 2_000; turn += 1) challenges.issue();
    assert.match(first, /^[\w-]{43,200}$/);
    assert.equal(challenges.use(first), true);
    assert.equal(challenges.use(first), false);
    now += 5 * minute - 1;
    const next = challenges.issue();
    assert.equal(challenges.use(first), false);
    now += 1;
    assert.equal(challenges.use(late), false);
    assert.equal(challenges.use(first), false, 'it is over, though no longer kept as used');
    assert.equal(challenges.use(next), true);
  });

  it('counts for its purpose only, as it was issued, and on its server only', () => {
    const challenges = createChallenges(() => 0);
    const own = challenges.issue('passkey one');
    assert.equal(challenges.use(own), false);
    assert.equal(challenges.use(own, 'passkey two'), false);
    assert.equal(createChallenges(() => 0).use(own, 'passkey one'), false);
    const altered = [`${own}=`, `${own}A`, own.slice(0, -1), own.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')), ''];
    for (const challenge of altered) assert.equal(challenges.use(challenge, 'passkey one'), false, challenge);
    assert.equal(challenges.use(own, 'passkey one'), true);
  });
});

describe('a person signs in', () => {
  let served: Served;
  afterEach(() => served.stop());

  it('with a passkey, while others ask for challenges and send wrong signatures from the same address', async () => {
    served = await startServe();
    const workspace = served.sandbox.open({ clock: Date.now });
    const passkey = addPasskey(workspace, served.origin);
    workspace.close();
    const { credentialId } = passkey.pin.passkey;
    const { challenge } = JSON.parse((await post(served.origin, '/session/challenge', {})).body) as {
      challenge: string;
    };
    const assertion = { authenticatorData: 'AAAA', clientDataJSON: 'AAAA', signature: 'AAAA' };
    const wrong = { challenge: 'AAAA', credentialId, assertion };
    for (let turn = 0; turn < 210; turn += 1) {
      assert.equal((await post(served.origin, '/session/challenge', {})).status, 200);
      if (turn % 2 === 0) await post(served.origin, '/session/passkey', wrong);
    }
    assert.equal((await post(served.origin, '/session/passkey', wrong)).status, 429);
    const signed = { challenge, credentialId, assertion: passkey.assert(challenge) };
    assert.equal((await post(served.origin, '/session/passkey', signed)).status, 200);
    assert.notEqual((await post(served.origin, '/session/passkey', signed)).status, 200, 'it counted once');
    await signIn(served.origin, passkey);
  });

  const sent = (from: string, code: string, origin: string): Promise<Answer> =>
    send(`http://127.0.0.1:${String(served.port)}`, {
      ...{ method: 'POST', path: '/session', body: JSON.stringify({ code }) },
      headers: {
        ...{ host: new URL(origin).host, origin, 'content-type': 'application/json' },
        'x-forwarded-for': from,
      },
    });

  /** Tries from one address until it is refused. @param fromOf the header of each try */
  async function useUp(origin: string, fromOf: (turn: number) => string): Promise<void> {
    const answers: number[] = [];
    for (let turn = 0; turn < 40 && !answers.includes(429); turn += 1)
      answers.push((await sent(fromOf(turn), wrongCode, origin)).status);
    assert.ok(answers.includes(429), 'tries of one address are limited');
  }

  it('with a code behind a proxy, which reports who used up the tries', async () => {
    const origin = 'https://holdpoint.test';
    served = await startServe(undefined, ['--port', '0', '--origin', origin, '--behind-proxy']);
    // The client chooses all entries but the last one, and its address within its network.
    await useUp(origin, (turn) => `198.51.100.${String(turn)}, 203.0.113.7`);
    await useUp(origin, (turn) => `2001:db8::${String(turn)}`);
    const opened = await sent('203.0.113.8', served.code, origin);
    assert.equal(opened.status, 200);
    assert.notEqual(cookieOf(opened), '');
  });

  it('without a proxy, a client cannot report another address', async () => {
    served = await startServe();
    await useUp(served.origin, (turn) => `198.51.100.${String(turn)}`);
    assert.equal((await sent('203.0.113.8', served.code, served.origin)).status, 429);
  });
});
