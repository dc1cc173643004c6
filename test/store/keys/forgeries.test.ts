/**
 * Attempts of an agent that can write to the store's folder. Each runs on a store on disk; none may release anything
 * that was held, and a human must be able to see each of them.
 */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { auditBytes } from '../../../src/app/audit/audit.ts';
import { journalBytes } from '../../../src/app/audit/savedState.ts';
import { shownHash, signRecord, type Unsigned } from '../../../src/app/decision/decisions.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { shownRfcHash } from '../../../src/app/rfc/decisions.ts';
import { proposeRfc, updateRfc } from '../../../src/app/rfc/rfcs.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { isAttempt } from '../../../src/core/fold/fold.ts';
import { heldWork } from '../../support/store/heldWork.ts';
import { deletionOf, shownDeletion } from '../../../src/core/work/fold.ts';
import type { Envelope } from '../../../src/core/records/parts.ts';
import type { State } from '../../../src/core/state/state.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { payloadType, preAuthEncoding } from '../../../src/trust/envelope.ts';
import { formatKeyring } from '../../../src/trust/keyring.ts';
import { encode, readByHand, writeByHand, zeros, type HandLine } from '../../support/store/handwriting.ts';
import { agent, decide, makeHuman, type Human } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const question = { type: 'clarification', urgency: 'medium', mode: 'sync' } as const;
type Signed = Unsigned & { readonly envelope: Envelope };
type Payload = Record<string, unknown>;

/** The forger's means: the folder, everything ever signed there, and genuine signatures of other content. */
interface Scene {
  readonly sandbox: Sandbox;
  readonly journal: string;
  readonly human: Human;
  /** The state the forger can read from the journal. */
  readonly state: State;
  readonly workspaceId: string;
  /** The valid decision on Q-2. */
  readonly counted: Signed;
  /** The journal of another workspace in which the same human answered a Q-1 with the same text. */
  readonly elsewhere: { readonly bytes: Buffer; readonly answer: Signed };
  /** The human's signature for an RFC's first revision, which was never written and is now outdated. */
  readonly oldApproval: Signed;
  write(...records: object[]): void;
  /** A genuine signature for a record with these changes; everything else would be valid now. */
  signed(record: Unsigned, changes?: Payload): Signed;
}

/** T1 (with `src/secret`), its dependent T5, W1 with its step T6, and T4 of RFC-1 are held. Q-2 is answered. */
async function scene(): Promise<Scene> {
  const human = makeHuman();
  const elsewhere = await otherWorkspace(human);
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  pin(workspace, human);
  const store = await workspace.store();
  const register = async (id: string, more: object = {}) => {
    await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}`, ...more });
  };
  await register('W1', { workKind: 'workflow' });
  await register('T1', { holds: ['src/scoped'] });
  await register('T2');
  await register('T4');
  await register('T5', { dependsOn: ['T1'] });
  await register('T6', { workflow: 'W1' });
  await raiseQuestion(store, agent(), { ...question, text: 'Which way?', work: 'T1', holds: ['src/secret'] });
  await raiseQuestion(store, agent(), { ...question, text: 'And then?', work: 'T2' });
  await raiseQuestion(store, agent(), { ...question, text: 'Release it?', work: 'W1', type: 'approval' });
  await decide(workspace, human, 'Q-2');
  await proposeRfc(store, agent(), {
    title: 'Outbox',
    workflows: [],
    tasks: ['T4'],
    holds: ['src/outbox'],
    contexts: [],
    submit: true,
  });
  const first = store.read().state.rfcs.get('RFC-1')!;
  const binding = { shown: shownRfcHash(store.read().state, first), nonce: randomUUID(), at: workspace.now() };
  const approval: Unsigned = {
    kind: 'rfc.approved',
    v: 1,
    id: 'RFC-1',
    revision: 1,
    hash: first.revisions[0]!.hash,
    conditions: [],
    constraints: [],
  };
  const oldApproval = signRecord(store, human, approval, binding) as Signed;
  await updateRfc(store, agent(), 'RFC-1', {
    document: { sections: [{ key: 'summary', heading: 'Summary', text: 'Events, and more.' }] } as never,
    submit: true,
  });
  const { state } = store.read();
  const workspaceId = store.workspaceId ?? '';
  store.save();
  workspace.close();
  const { journal } = sandbox;
  const lines = readByHand(fs.readFileSync(journal)).lines;
  const counted = lines
    .flatMap(({ records }) => records)
    .find(({ kind }) => kind === 'question.answered') as unknown as Signed;
  return {
    ...{ sandbox, journal, human, state, workspaceId, counted, elsewhere, oldApproval },
    write: (...records) => {
      writeByHand(journal, records);
    },
    signed(record, changes = {}) {
      const bytes = fs.readFileSync(journal);
      const place = { workspaceId, position: { position: bytes.length - 1, head: readByHand(bytes).head } };
      const asked = 'id' in record ? state.questions.get(record.id) : undefined;
      const shown = asked ? shownHash(state, asked) : zeros;
      const made = signRecord(place, human, record, {
        shown,
        nonce: randomUUID(),
        at: '2026-03-02T09:00:00.000Z',
      }) as Signed;
      return { ...made, envelope: sealed(human, { ...payloadOf(made.envelope), ...changes }) };
    },
  };
}

function pin(workspace: Workspace, human: Human): void {
  fs.mkdirSync(workspace.userFolder, { recursive: true });
  fs.writeFileSync(path.join(workspace.userFolder, 'keys.json'), formatKeyring([human.pin]));
}

async function otherWorkspace(human: Human): Promise<Scene['elsewhere']> {
  const { journal, open } = makeSandbox();
  const workspace = open();
  pin(workspace, human);
  const store = await workspace.store();
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Title of T1' });
  await raiseQuestion(store, agent(), { ...question, text: 'Which way?', work: 'T1', holds: ['src/secret'] });
  await decide(workspace, human, 'Q-1');
  workspace.close();
  const bytes = fs.readFileSync(journal);
  const records = readByHand(bytes).lines.flatMap((line) => line.records);
  return { bytes, answer: records.find(({ kind }) => kind === 'question.answered') as unknown as Signed };
}

function payloadOf({ payload }: Envelope): Payload {
  return JSON.parse(Buffer.from(payload, 'base64').toString()) as Payload;
}

function sealed(human: Human, payload: Payload | string, type: string = payloadType): Envelope {
  const bytes = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const sig = Buffer.from(human.sign(preAuthEncoding(type, bytes))).toString('base64');
  return { payloadType, payload: bytes.toString('base64'), signatures: [{ keyid: human.keyid, sig }] };
}

const answered: Extract<Unsigned, { kind: 'question.answered' }> = {
  kind: 'question.answered',
  v: 1,
  id: 'Q-1',
  answer: { text: 'Yes.', choices: [] },
};
const askedBack = { kind: 'question.askedBack', v: 1, id: 'Q-1', text: 'Go on?' } as const;
const released = { kind: 'question.released', v: 1, id: 'Q-1', note: 'Go on.' } as const;
const update = (id: string, more: object) => ({ kind: 'work.updated', v: 1, id, ...more });
const stranger = makeHuman('Ada');

/** Rewrites the journal from lines with matching offsets and hashes, as a patient forger would. */
function restamp(lines: readonly HandLine[]): Buffer {
  let at = 0;
  let prev = zeros;
  const parts = lines.map(({ op, time, actor, records }) => {
    const bytes = encode({ at, prev, op, time, actor, records });
    at += bytes.length - 1;
    prev = createHash('sha256')
      .update(bytes.subarray(bytes.indexOf('{'), bytes.length - 1))
      .digest('hex');
    return bytes.subarray(0, -1);
  });
  return Buffer.concat([...parts, Buffer.from('\n')]);
}

const linesOf = (journal: string) => readByHand(fs.readFileSync(journal)).lines;
const has = (kind: string, id: string) => (line: HandLine) =>
  line.records.some((one) => one['kind'] === kind && one['id'] === id);

/** Appends a line with exactly this text as its body, which JSON.stringify would not write. */
function appendRaw(journal: string, records: string): void {
  const bytes = fs.readFileSync(journal);
  const actor = { kind: 'human', id: 'Ada' };
  const head = JSON.stringify({
    at: bytes.length,
    prev: readByHand(bytes).head,
    op: randomUUID(),
    time: '2026-03-02T10:00:00.000Z',
    actor,
  });
  const body = Buffer.from(`${head.slice(0, -1)},"records":${records}}`);
  const hash = createHash('sha256').update(body).digest('hex');
  fs.appendFileSync(
    journal,
    Buffer.concat([Buffer.from(`\n${String(body.length)} ${hash} `), body, Buffer.from('\n')]),
  );
}

const order = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The same signature with S + L: valid where a verifier does not check the range (RFC 8032, 5.1.7). */
function malleated(sig: string): string {
  const bytes = Buffer.from(sig, 'base64');
  let s = 0n;
  for (let index = 63; index >= 32; index--) s = (s << 8n) | BigInt(bytes[index]!);
  s += order;
  for (let index = 32; index < 64; index++, s >>= 8n) bytes[index] = Number(s & 0xffn);
  return bytes.toString('base64');
}

/** Attempts that only replace a cache, which is rebuilt: no effect, and nothing that a human needs to see. */
const cacheOnly = new Set([
  'a saved state without its holds',
  'a saved state under the right name, edited',
  'a database of another workspace',
]);

/** Damage before the saved state, which remains valid: holds are unchanged, and a full read detects it. */
const behindSaved = new Set(['a letter changed', 'a hash changed']);

const deleted = { kind: 'work.deleted', v: 1, id: 'T1' } as const;

/** What a forger does, or the records that it writes. */
const attempts: Readonly<Record<string, (scene: Scene) => readonly object[] | undefined>> = {
  // Signatures
  'held work deleted without a signature': () => [deleted],
  'held work deleted with the signature of an answer': ({ counted }) => [{ ...deleted, envelope: counted.envelope }],
  'held work deleted as it was not shown': ({ signed }) => [signed(deleted)],
  'held work deleted with the forger’s own key': ({ signed, state }) => {
    const shown = hashOf(shownDeletion(deletionOf(state, 'T1')!));
    return [{ ...deleted, envelope: sealed(stranger, payloadOf(signed(deleted, { shown }).envelope)) }];
  },
  'an answer without a signature': () => [answered],
  'a release without a signature': () => [released],
  'a cancellation in the name of a human': ({ journal }) => {
    writeByHand(journal, [{ kind: 'question.cancelled', v: 1, id: 'Q-1', reason: 'No.' }], {
      actor: { kind: 'human', id: 'Ada' },
    });
  },
  'a question to the agent without a signature': () => [askedBack],
  'a question to the agent by a key of its own': ({ signed }) => [
    { ...askedBack, envelope: sealed(stranger, payloadOf(signed(askedBack).envelope)) },
  ],
  'the signature of a question to the agent under an answer': ({ signed }) => [
    { ...answered, envelope: signed(askedBack).envelope },
  ],
  'an empty envelope': () => [{ ...answered, envelope: {} }],
  'an envelope without signatures': ({ signed }) => [
    { ...answered, envelope: { ...signed(answered).envelope, signatures: [] } },
  ],
  'a signature of zeros': ({ signed, human }) => {
    const sig = Buffer.alloc(64).toString('base64');
    return [{ ...answered, envelope: { ...signed(answered).envelope, signatures: [{ keyid: human.keyid, sig }] } }];
  },
  'the forger’s own key': ({ signed }) => [
    { ...answered, envelope: sealed(stranger, payloadOf(signed(answered).envelope)) },
  ],
  'the forger’s own key under the human’s id': ({ signed, human }) => {
    const envelope = sealed({ ...stranger, keyid: human.keyid }, payloadOf(signed(answered).envelope));
    return [{ ...answered, envelope }];
  },
  'two invalid signatures': ({ signed, human }) => {
    const own = sealed(stranger, payloadOf(signed(answered).envelope));
    const sig = own.signatures[0]!.sig;
    return [{ ...answered, envelope: { ...own, signatures: [...own.signatures, { keyid: human.keyid, sig }] } }];
  },
  'the human’s key by its id in capitals': ({ signed, human }) => {
    const { envelope } = signed(answered);
    const signatures = [{ keyid: human.keyid.toUpperCase(), sig: envelope.signatures[0]!.sig }];
    return [{ ...answered, envelope: { ...envelope, signatures } }];
  },
  'a key of low order, for which zeros verify': ({ signed }) => {
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from([1]), Buffer.alloc(31)]);
    const keyid = createHash('sha256').update(spki).digest('hex');
    const sig = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]).toString('base64');
    return [{ ...answered, envelope: { ...signed(answered).envelope, signatures: [{ keyid, sig }] } }];
  },
  'a key enrolled by a record': ({ write, signed }) => {
    write({ kind: 'key.enrolled', v: 1, ...stranger.pin });
    write({ ...answered, envelope: sealed(stranger, payloadOf(signed(answered).envelope)) });
  },
  'another kind of payload in the envelope': ({ signed }) => [
    { ...answered, envelope: { ...signed(answered).envelope, payloadType: 'application/json' } },
  ],
  'a signature the human gave over another kind of payload': ({ signed, human }) => [
    { ...answered, envelope: sealed(human, payloadOf(signed(answered).envelope), 'application/json') },
  ],
  'a signature over the bare payload': ({ signed, human }) => {
    const { envelope } = signed(answered);
    const sig = Buffer.from(human.sign(Buffer.from(envelope.payload, 'base64'))).toString('base64');
    return [{ ...answered, envelope: { ...envelope, signatures: [{ keyid: human.keyid, sig }] } }];
  },
  'a signature over something else': ({ human }) => [{ ...answered, envelope: sealed(human, '{"paid":true}') }],
  'a payload with an additional member': ({ signed }) => [{ ...signed(answered, { extra: 1 }) }],
  'a payload edited after it was signed': ({ signed }) => {
    const { envelope } = signed({ ...answered, id: 'Q-3' });
    const text = Buffer.from(envelope.payload, 'base64').toString().replace('"Q-3"', '"Q-1"');
    return [{ ...answered, envelope: { ...envelope, payload: Buffer.from(text).toString('base64') } }];
  },
  'a payload that names two subjects': ({ signed }) => {
    const { envelope } = signed({ ...answered, id: 'Q-3' });
    const text = Buffer.from(envelope.payload, 'base64').toString().replace(/\}$/, ',"subject":"Q-1"}');
    return [{ ...answered, envelope: { ...envelope, payload: Buffer.from(text).toString('base64') } }];
  },

  // Genuine signatures of other content
  'another answer than was signed': ({ signed }) => [
    { ...signed(answered), answer: { text: 'Delete it.', choices: [] } },
  ],
  'the answer to another question': ({ signed }) => [{ ...signed({ ...answered, id: 'Q-3' }), id: 'Q-1' }],
  'an answer turned into a release': ({ signed }) => [{ ...released, envelope: signed(answered).envelope }],
  'a decision of another workspace': ({ elsewhere }) => [elsewhere.answer],
  'a signature for another workspace': ({ signed }) => [signed(answered, { workspace: randomUUID() })],
  'a signature for another history': ({ signed }) => [signed(answered, { head: 'f'.repeat(64) })],
  'a signature for a later moment': ({ signed }) => [signed(answered, { position: 9_999_999 })],
  'a signature that was good one act ago': ({ write, signed }) => {
    const record = signed(answered);
    write(update('T2', { title: 'Another title' }));
    write(record);
  },
  'a signature for what was shown before': ({ signed }) => [signed(answered, { shown: 'a'.repeat(64) })],
  'a signature from before the question was widened': ({ write, signed, journal }) => {
    write({ kind: 'question.widened', v: 1, id: 'Q-1', addHolds: ['src/more'] });
    assert.ok(linesOf(journal).length > 0);
    write(signed(answered)); // bound to the current head, but to earlier content
  },
  'a decision used twice': ({ counted }) => [counted],
  'a decision used twice, its base64 written another way': ({ counted }) => {
    const { envelope } = counted;
    const sig = `${envelope.signatures[0]!.sig}=`.replace(/==?=$/, '==');
    return [{ ...counted, id: 'Q-1', envelope: { ...envelope, signatures: [{ ...envelope.signatures[0]!, sig }] } }];
  },
  'a decision used twice, with the other form of its signature': ({ counted }) => {
    const { envelope } = counted;
    const [first] = envelope.signatures;
    return [{ ...counted, envelope: { ...envelope, signatures: [{ ...first!, sig: malleated(first!.sig) }] } }];
  },
  'a fresh signature in its other form': ({ signed }) => {
    const record = signed(answered);
    const [first] = record.envelope.signatures;
    return [{ ...record, envelope: { ...record.envelope, signatures: [{ ...first!, sig: malleated(first!.sig) }] } }];
  },
  'a signature by another name': ({ signed }) => {
    const { envelope } = signed(answered);
    const text = Buffer.from(envelope.payload, 'base64').toString().replace('"Ada"', '"Bob"');
    return [{ ...answered, envelope: { ...envelope, payload: Buffer.from(text).toString('base64') } }];
  },
  'an export’s signature as a decision': ({ signed }) => [
    signed(released, { action: 'audit.exported', subject: 'journal' }),
  ],

  // RFCs
  'an approval without a signature': ({ state }) => [
    { kind: 'rfc.approved', v: 1, id: 'RFC-1', revision: 2, hash: state.rfcs.get('RFC-1')!.revisions[1]!.hash },
  ],
  'the approval of a former revision': ({ oldApproval }) => [oldApproval],
  'the approval of a former revision, moved to the next': ({ oldApproval, state }) => [
    { ...oldApproval, revision: 2, hash: state.rfcs.get('RFC-1')!.revisions[1]!.hash },
  ],
  'an RFC withdrawn without a signature': () => [{ kind: 'rfc.withdrawn', v: 1, id: 'RFC-1', reason: 'Gone.' }],
  'an RFC rejected so that work continues': () => [
    { kind: 'rfc.rejected', v: 1, id: 'RFC-1', revision: 2, reason: 'No.', then: 'another_way' },
  ],
  'an answer’s signature on an RFC': ({ signed }) => [
    { kind: 'rfc.withdrawn', v: 1, id: 'RFC-1', reason: 'Gone.', envelope: signed(answered).envelope },
  ],
  'an RFC marked as implemented': () => [{ kind: 'rfc.implemented', v: 1, id: 'RFC-1' }],

  // Rules and work
  'a policy without a signature': () => [{ kind: 'policy.changed', v: 1, questionLifeHours: 1, onExpiry: 'expire' }],
  'a policy that starts parked agents without a signature': () => {
    const resuming = { hosts: ['codex'] };
    return [{ kind: 'policy.changed', v: 1, questionLifeHours: 24, onExpiry: 'expire', resuming }];
  },
  'a host added to a signed policy': ({ signed, state }) => {
    const policy = { kind: 'policy.changed', v: 1, questionLifeHours: 24, onExpiry: 'expire' } as const;
    const record = signed({ ...policy, resuming: { hosts: [] } }, { shown: hashOf(state.policy) });
    return [{ ...record, resuming: { hosts: ['codex'] } }];
  },
  'an answer given together with another, written alone': ({ signed, state }) => {
    const shown = shownHash(state, state.questions.get('Q-1')!);
    const together = [
      { id: 'Q-1', shown },
      { id: 'Q-3', shown: shownHash(state, state.questions.get('Q-3')!) },
    ];
    return [signed({ ...answered, together })];
  },
  'a journal shared without a signature': () => [
    { kind: 'store.shared', v: 1, name: 'payments', roots: [stranger.pin.publicKey] },
  ],
  'a journal shared with an answer’s signature': ({ signed }) => {
    const { envelope } = signed(answered);
    return [{ kind: 'store.shared', v: 1, name: 'payments', roots: [stranger.pin.publicKey], envelope }];
  },
  'a journal taken back without a signature': () => [{ kind: 'store.unshared', v: 1 }],
  'a dropped dependency': () => [update('T5', { removeDependsOn: ['T1'] })],
  'a shrunk scope': () => [update('T1', { removeHolds: ['src/scoped'] })],
  'a step out of its workflow': () => [update('T6', { workflow: null })],
  'work assigned to another agent': ({ write }) => {
    write(update('T1', { assignee: 'claude-002' }));
    write(update('T1', { assignee: 'claude-003' }));
  },
  'held work marked as done': () => [update('T1', { status: 'done' })],
  'work deleted by a status': () => [update('T1', { status: 'cancelled' })],
  'work registered again': () => [{ kind: 'work.registered', v: 1, id: 'T1', workKind: 'task', title: 'Fresh' }],
  'a question asked again under its id': () => [
    {
      ...question,
      kind: 'question.raised',
      v: 1,
      id: 'Q-1',
      text: 'Which?',
      work: null,
      mode: 'async',
      expiresAt: '2026-03-03T09:00:00.000Z',
    },
  ],
  'a question made asynchronous': () => [{ kind: 'question.widened', v: 1, id: 'Q-1', mode: 'async' }],
  'a second start of the workspace': () => [
    { kind: 'workspace.created', v: 1, workspace: randomUUID(), minReader: 1, minWriter: 1 },
  ],
  'an unknown format': () => [{ kind: 'format.changed', v: 1, minReader: 99, minWriter: 99 }],
  'an answer after the expiry': ({ journal }) => {
    const writing = { time: '9999-12-31T23:59:59.999Z' };
    writeByHand(journal, [{ kind: 'question.expired', v: 1, id: 'Q-1' }], writing);
    writeByHand(journal, [answered], writing);
  },
  'an answer dated before the question': ({ journal }) => {
    writeByHand(journal, [answered], { time: '1970-01-01T00:00:00.000Z' });
  },
  'a journal that claims to be restarted': () => [{ kind: 'journal.startedAnew', v: 1, formerWorkspace: null }],

  // JSON parsing
  'an answer behind __proto__': ({ journal }) => {
    appendRaw(
      journal,
      `[{"kind":"question.answered","v":1,"id":"Q-1","answer":{"choices":[]},"__proto__":{"envelope":{}}}]`,
    );
  },
  'a kind named twice': ({ journal }) => {
    appendRaw(journal, `[{"kind":"outcome.offered","kind":"question.released","v":1,"id":"Q-1","note":"Go on."}]`);
  },
  'an id named twice': ({ journal, signed }) => {
    const record = JSON.stringify(signed({ ...answered, id: 'Q-3' })).replace('"id":"Q-3"', '"id":"Q-3","id":"Q-1"');
    appendRaw(journal, `[${record}]`);
  },
  'numbers in another notation': ({ journal }) => {
    appendRaw(journal, `[{"kind":"question.released","v":1e0,"id":"Q-1","note":"Go on."}]`);
  },
  'an id in other digits': ({ signed }) => [{ ...signed(answered), id: 'Q-１' }],
  'a null where the envelope belongs': () => [{ ...answered, envelope: null }],

  // The journal as a file
  'the tail cut off': ({ journal }) => {
    fs.truncateSync(journal, linesOf(journal).at(-1)!.at + 1);
  },
  'everything from the question on cut off': ({ journal }) => {
    fs.truncateSync(journal, linesOf(journal).find(has('question.raised', 'Q-1'))!.at + 1);
  },
  'the last line torn': ({ journal }) => {
    fs.truncateSync(journal, fs.statSync(journal).size - 30);
  },
  emptied: ({ journal }) => {
    fs.truncateSync(journal, 0);
  },
  deleted: ({ journal }) => {
    fs.rmSync(journal);
  },
  'the whole store deleted': ({ sandbox }) => {
    fs.rmSync(sandbox.at('ws', '.holdpoint'), { recursive: true });
  },
  'the journal of another workspace in its place': ({ journal, elsewhere }) => {
    fs.writeFileSync(journal, elsewhere.bytes);
  },
  'a recomputed chain without the question': ({ journal }) => {
    fs.writeFileSync(journal, restamp(linesOf(journal).filter((line) => !has('question.raised', 'Q-1')(line))));
  },
  'a recomputed chain with narrower holds': ({ journal }) => {
    const text = JSON.stringify(linesOf(journal)).replaceAll('src/secret', 'src/unused');
    fs.writeFileSync(journal, restamp(JSON.parse(text) as HandLine[]));
  },
  'a recomputed chain of the same length': ({ journal }) => {
    const text = JSON.stringify(linesOf(journal)).replaceAll('"mode":"sync"', '"mode":"xync"');
    fs.writeFileSync(journal, restamp(JSON.parse(text) as HandLine[]));
  },
  'a recomputed chain in another order': ({ journal }) => {
    const lines = linesOf(journal);
    fs.writeFileSync(journal, restamp([lines[0]!, ...lines.slice(1).reverse()]));
  },
  'the last act replaced by one of the same length': ({ journal }) => {
    const bytes = fs.readFileSync(journal);
    const last = linesOf(journal).at(-1)!;
    const other = encode({
      at: last.at,
      prev: last.prev,
      op: randomUUID(),
      time: last.time,
      actor: last.actor,
      records: last.records,
    });
    fs.writeFileSync(journal, Buffer.concat([bytes.subarray(0, last.at), other]));
  },
  'the last act made void': ({ journal }) => {
    const bytes = fs.readFileSync(journal);
    const last = linesOf(journal).at(-1)!;
    const { hash: _, end: __, ...rest } = last;
    fs.writeFileSync(journal, Buffer.concat([bytes.subarray(0, last.at), encode({ ...rest, at: last.at - 1 })]));
  },
  'a letter changed': ({ journal }) => {
    const bytes = fs.readFileSync(journal);
    bytes.write('X', bytes.indexOf('Which way?'));
    fs.writeFileSync(journal, bytes);
  },
  'a hash changed': ({ journal }) => {
    const bytes = fs.readFileSync(journal);
    const { at } = linesOf(journal)[3]!;
    const place = bytes.indexOf(' ', at) + 1;
    bytes[place] = bytes[place] === 0x30 ? 0x31 : 0x30;
    fs.writeFileSync(journal, bytes);
  },
  'a forged line at the right place, from another history': ({ journal }) => {
    writeByHand(journal, [update('T2', { title: 'x' })], { prev: 'f'.repeat(64) });
  },
  'damage, set aside by a record without a signature': ({ journal }) => {
    const from = fs.statSync(journal).size - 1;
    fs.appendFileSync(journal, 'rubbish\n');
    const bytes = fs.readFileSync(journal);
    const bytesHash = createHash('sha256').update(bytes.subarray(from)).digest('hex');
    const resumes = readByHand(bytes.subarray(0, from + 1)).head;
    const record = { kind: 'journal.lineSetAside', v: 1, from, to: bytes.length, bytesHash, resumes } as const;
    const payload = { v: 1, action: record.kind };
    writeByHand(journal, [{ ...record, envelope: sealed(stranger, payload) }], { prev: resumes });
  },
  'a link in the place of the journal': ({ journal, sandbox, elsewhere }) => {
    fs.writeFileSync(sandbox.at('other.jsonl'), elsewhere.bytes);
    fs.rmSync(journal);
    fs.symlinkSync(sandbox.at('other.jsonl'), journal);
  },
  'a link in the place of the store': ({ sandbox }) => {
    fs.renameSync(sandbox.at('ws', '.holdpoint'), sandbox.at('moved'));
    fs.symlinkSync(sandbox.at('moved'), sandbox.at('ws', '.holdpoint'));
  },

  // Caches
  'a saved state without its holds': ({ sandbox }) => {
    editSaved(sandbox, (text) => text.replace(/(?<="name":"(holders|undecided)","set":)\[[^\]]*\]/g, '[]'));
  },
  'a saved state under the right name, edited': ({ sandbox }) => {
    editSaved(sandbox, (text) => text.replaceAll('"mode":"sync"', '"mode":"async"'));
  },
  'a database of another workspace': ({ sandbox }) => {
    const folder = sandbox.at('ws', '.holdpoint');
    const name = fs.readdirSync(folder).find((one) => /^holdpoint-.*\.sqlite$/.test(one)) ?? '';
    fs.writeFileSync(path.join(folder, name), Buffer.alloc(0));
  },

  // Pins
  'the human’s pin with the forger’s key': ({ sandbox, human, signed }) => {
    const pins = [{ ...human.pin, publicKey: stranger.pin.publicKey }];
    fs.writeFileSync(path.join(sandbox.userFolder, 'keys.json'), formatKeyring(pins));
    return [
      { ...answered, envelope: sealed({ ...stranger, keyid: human.keyid }, payloadOf(signed(answered).envelope)) },
    ];
  },
  'an unreadable key ring': ({ sandbox, signed }) => {
    fs.writeFileSync(path.join(sandbox.userFolder, 'keys.json'), '{');
    return [{ ...answered, envelope: sealed(stranger, payloadOf(signed(answered).envelope)) }];
  },
};

function editSaved(sandbox: Sandbox, edit: (text: string) => string): void {
  const folder = sandbox.at('ws', '.holdpoint');
  const files = fs.readdirSync(folder).filter((one) => /^(holdpoint-.*|state)\.json$/.test(one));
  assert.equal(files.length, 2, files.join());
  for (const file of files.map((name) => path.join(folder, name))) {
    const before = fs.readFileSync(file, 'utf8');
    const after = edit(before);
    assert.notEqual(after, before, file);
    fs.writeFileSync(file, after);
  }
}

/** Asserts that the gate still denies everything it denied before: items, their dependents, files. */
function assertHeld(workspace: Workspace, before: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const id of before.keys()) assert.equal(askGate(workspace, { work: id }).verdict, 'deny', id);
  for (const file of ['src/secret/a.ts', 'src/outbox/b.ts'])
    assert.equal(askGate(workspace, { files: [file] }).verdict, 'deny', file);
  const { state } = workspace.standing();
  if (!state) return;
  const now = heldWork(state);
  for (const [id, holders] of before)
    for (const holder of holders) assert.ok(now.get(id)?.has(holder), `${id} by ${holder}`);
  for (const id of ['Q-1', 'Q-3']) assert.equal(state.questions.get(id)?.resolution, null, id);
}

describe('forgeries', () => {
  afterEach(removeSandboxes);

  it('cover many attempts', () => {
    assert.ok(Object.keys(attempts).length >= 80, String(Object.keys(attempts).length));
  });

  for (const [name, forge] of Object.entries(attempts))
    it(name, async () => {
      const made = await scene();
      const before = heldWork(made.state);
      assert.deepEqual([...before.keys()].sort(), ['T1', 'T4', 'T5', 'T6', 'W1']);
      const records = forge(made);
      if (records) made.write(...records);
      const workspace = made.sandbox.open();
      assertHeld(workspace, before);
      const { state, problem } = workspace.standing();
      const audit = auditBytes(journalBytes(workspace), workspace.pins());
      if (cacheOnly.has(name)) assert.equal(problem, null);
      else if (behindSaved.has(name)) assert.ok(audit.walk.fault, 'the audit reports it');
      else assert.ok(problem !== null || state.refusals.some(isAttempt), 'a human sees it');
      const store = await workspace.store().catch(() => null);
      if (store && !problem) assert.deepEqual(heldWork(store.read().state), heldWork(state));
      if (!cacheOnly.has(name) && !problem)
        assert.ok(audit.walk.fault ?? audit.entries.some(({ mark }) => mark === 'forged' || mark === 'refused'));
    });

  it('have no effect on a running program', async () => {
    const made = await scene();
    const workspace = made.sandbox.open();
    const before = heldWork(made.state);
    assertHeld(workspace, before);
    fs.writeFileSync(
      made.journal,
      restamp(linesOf(made.journal).filter((line) => !has('question.raised', 'Q-1')(line))),
    );
    assertHeld(workspace, before);
  });

  it('are rejected for the forgery alone: the same signature of the right content counts', async () => {
    const { sandbox, write, signed } = await scene();
    write(signed(answered));
    const workspace = sandbox.open();
    assert.deepEqual(workspace.standing().state?.refusals, []);
    assert.equal(askGate(workspace, { work: 'T1' }).verdict, 'allow');
  });
});
