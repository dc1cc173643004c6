/** A passkey of a member counts on every machine of a team; one that an agent adds to its machine counts nowhere. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  changePolicy,
  decideQuestion,
  shownHash,
  shownPolicyHash,
  type Signing,
} from '../../../src/app/decision/decisions.ts';
import { commitSigned, prepareSigned } from '../../../src/app/decision/passkey.ts';
import { readPastedKey } from '../../../src/app/keys/acts.ts';
import { confirmPasskey } from '../../../src/app/keys/passkeyActs.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { addMember, type Member } from '../../../src/app/team/ring.ts';
import { readSharedRing } from '../../../src/app/workspace/sharedRing.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { appendRing } from '../../../src/store/shared/server.ts';
import { formatKeyring } from '../../../src/trust/keyring.ts';
import { formatPublicKey } from '../../../src/trust/publicKeys.ts';
import { makePasskey, type Passkey } from '../../support/authenticator.ts';
import { adasAgent as agent, signedBy, makeHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { startShared, type SharedDatabase } from '../../support/store/sharedDatabase.ts';
import { adasWorkspace, openAs, type AdasWorkspace } from '../../support/store/sharedWorkspace.ts';
import { until } from '../../support/until.ts';

const shown = '0'.repeat(64);

describe('passkeys in a team’s key ring', function () {
  this.timeout(120_000);
  let database: SharedDatabase;
  before(async () => {
    database = await startShared();
  });
  after(async () => {
    removeSandboxes();
    await database.stop();
  });

  /** As the root's form does it. */
  async function addToRing(one: AdasWorkspace, member: Member): Promise<void> {
    one.sandbox.clock.now += 60_000;
    await one.workspace.confirm(5_000);
    const anchor = { workspace: one.id, roots: [one.ada.pin.publicKey] };
    const ring = readSharedRing(one.workspace.options.fs, one.workspace.stateFile.path, anchor);
    const append = (record: Uint8Array, after: number) => appendRing(database.server('ada'), one.id, record, after);
    await addMember({ signer: one.ada, now: () => one.workspace.now(), append }, ring, member);
  }

  async function answerWith(workspace: Workspace, { pin, assert: sign }: Passkey): Promise<unknown> {
    const store = await workspace.store();
    const { state } = store.read();
    const seen = shownHash(state, state.questions.get('Q-1')!);
    const answer = (signing: Signing) =>
      decideQuestion(signing, 'Q-1', { kind: 'answer', answer: { choices: ['Yes'] } }, seen);
    const context = { store, newId: randomUUID, pin };
    const prepared = await prepareSigned(context, answer);
    return commitSigned({ ...context, prepared, assertion: sign(prepared.options.challenge) }, answer);
  }

  it('count where a root added them and their human confirmed them, and nowhere else', async () => {
    const one = await adasWorkspace(database, async (workspace) => {
      const asking = { type: 'approval', urgency: 'critical', mode: 'sync', work: null } as const;
      await raiseQuestion(await workspace.store(), agent(), { ...asking, text: 'Drop the table?' });
    });
    const [grace, phone] = [makeHuman('Grace'), makePasskey('Grace')];
    await addToRing(one, grace.pin);
    // The line that the member's editor copies, as the root pastes it.
    const pasted = readPastedKey(formatPublicKey(phone.pin), { passkeys: true });
    await addToRing(one, {
      publicKey: pasted.publicKey,
      name: 'Grace',
      ...(pasted.passkey && { passkey: pasted.passkey }),
    });
    const there = openAs(database, makeSandbox(), 'grace');
    await one.join(there);
    const inRing = there.pins().find(({ keyid }) => keyid === phone.pin.keyid);
    assert.deepEqual([inRing?.name, inRing?.passkey], ['Grace', phone.pin.passkey]);
    await confirmPasskey(signedBy(await there.store(), grace), phone.pin, shown);

    await one.workspace.confirm(5_000);
    const store = await one.workspace.store();
    const { state } = store.read();
    const policy = { ...state.policy, passkeys: { rules: [{ urgencies: ['critical'] as const }] } };
    await changePolicy(signedBy(store, one.ada), policy, shownPolicyHash(state));

    const planted = makePasskey('Ada', { label: 'Planted' });
    fs.writeFileSync(path.join(one.workspace.userFolder, 'keys.json'), formatKeyring([one.ada.pin, planted.pin]));
    assert.ok(!one.workspace.pins().some(({ keyid }) => keyid === planted.pin.keyid));
    await assert.rejects(answerWith(one.workspace, planted));
    assert.equal(store.read().state.questions.get('Q-1')?.resolution, null);

    await there.confirm(5_000);
    await answerWith(there, phone);
    const here = await one.workspace.store();
    await until('the answer is here', async () => {
      one.sandbox.clock.now += 60_000;
      await one.workspace.confirm(5_000);
      return here.read().state.questions.get('Q-1')?.resolution !== null;
    });
    const { resolution } = here.read().state.questions.get('Q-1')!;
    assert.deepEqual([resolution?.by, resolution?.keyid, resolution?.passkey], ['Grace', phone.pin.keyid, true]);
  });

  it('take the form’s own way: a local workspace takes no pasted passkey', () => {
    assert.throws(() => readPastedKey(formatPublicKey(makePasskey('Grace').pin)), /added by its human/);
  });
});
