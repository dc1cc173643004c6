/**
 * The human side: signed decisions. Only the editor and `serve` import this; no tool, command line or MCP bundle contains it. A
 * decision is bound to the workspace, the item, the content shown, the decision itself and the journal's position.
 */
import { subjectOf, withoutEnvelope, type DecisionPayload } from '../../core/records/decision.ts';
import { definitionOf, type UnsignedRecord } from '../../core/decision/decisions.ts';
import { answerProblem } from '../../core/decision/question.ts';
import { defaultEffect, effectProblem, goesWithoutSaying } from '../../core/state/answerEffect.ts';
import { shownAnswer, shownPolicy, shownQuestion } from '../../core/question/question.ts';
import type { Envelope } from '../../core/records/parts.ts';
import {
  type QuestionRaised,
  type Actor,
  type Answer,
  type SignedRecord,
  anyRecord,
} from '../../core/records/records.ts';
import { isUnruled } from '../../core/state/quorum.ts';
import {
  raisedOf,
  isWaiting,
  type Policy,
  type Question,
  type State,
  undecidedQuestions,
} from '../../core/state/state.ts';
import type { Act, Store, View } from '../../store/store.ts';
import { canonicalJson, hashOf } from '../../trust/canonical.ts';
import { payloadType, preAuthEncoding } from '../../trust/envelope.ts';
import { AppError } from '../workspace/errors.ts';
import { requireQuestionView, type QuestionView } from '../question/views.ts';
import { shownDeletion, type Deletion } from '../../core/work/fold.ts';
import { passkeyProblem, markOf, outcomeOf, personProblem, ruledContent } from '../../core/fold/quorum.ts';

/** What it takes to record a signed act. */
export interface Signing {
  readonly store: Store;
  readonly signer: Signer;
  readonly newId: () => string;
}

export type Verdict =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'cancel'; readonly reason: string }
  | { readonly kind: 'release'; readonly note: string };

/**
 * `kept`: it is recorded, and needs more people, so nothing is released yet. `already`: another decision came first.
 * `changed`: it differs from what was shown, so show it again and ask again. Of these two, nothing was recorded.
 */
export type Outcome = 'decided' | 'kept' | 'already' | 'changed';
type Obstacle = Exclude<Outcome, 'decided' | 'kept'>;

export interface DecisionOutcome {
  readonly outcome: Outcome;
  readonly question: QuestionView;
}

/** Hash of the question as a form shows it; the form returns it with the decision. */
export function shownHash(state: State, question: Question): string {
  return hashOf(shownQuestion(state, question));
}

/**
 * What keeps a decision from counting as it was shown; null if nothing does. Records nothing.
 * @throws AppError as `decideQuestion`
 */
export function obstacleOf(state: State, id: string, verdict: Verdict, shown: string): Obstacle | null {
  const ruling = rulingOf(state, id, verdict, shown);
  return typeof ruling === 'string' ? ruling : null;
}

/** The verdict as it would be recorded now, or why it would not be. */
export function rulingOf(state: State, id: string, verdict: Verdict, shown: string): Verdict | Obstacle {
  const question = state.questions.get(id);
  if (!question) throw new AppError('not_found', `there is no question ${id}`);
  if (question.resolution !== null) return 'already';
  if (shown !== shownHash(state, question)) return 'changed';
  if (question.status === 'expired' && verdict.kind === 'cancel')
    throw new AppError('conflict', `${id} has expired: answer it, or dismiss it with a note to the agent`);
  if (verdict.kind !== 'answer') return verdict;
  const misfit = answerProblem(raisedOf(state, question), verdict.answer);
  if (misfit !== null) throw new AppError('bad_input', misfit);
  return { kind: 'answer', answer: answerWithEffect(raisedOf(state, question), verdict.answer) };
}

/**
 * Decides one question. The first decision wins.
 * @param shown the hash the form was rendered with
 * @throws AppError `not_found`, `bad_input` (an answer that does not fit); StoreError
 */
export async function decideQuestion(
  signing: Signing,
  id: string,
  verdict: Verdict,
  shown: string,
): Promise<DecisionOutcome> {
  const make = ({ state }: View) => {
    const meant = rulingOf(state, id, verdict, shown);
    return typeof meant === 'string' ? meant : recordFor(id, meant);
  };
  const { outcome } = await decideOne(signing, make, shown);
  return { outcome, question: requireQuestionView(signing.store.read(), id) };
}

/**
 * Adds the effect, unless it is implied.
 * @throws AppError `bad_input` where the human must state it
 */
function answerWithEffect(raised: QuestionRaised, answer: Answer): Answer {
  const effect = answer.effect ?? defaultEffect(raised, answer.choices);
  if (effect === null) throw new AppError('bad_input', 'effect: say whether what was asked may be done');
  const problem = effectProblem(raised, { ...answer, effect });
  if (problem !== null) throw new AppError('bad_input', problem);
  const { effect: _, ...said } = answer;
  return goesWithoutSaying(raised, answer, effect) ? said : { ...said, effect };
}

/**
 * The open questions of one agent, or of all, that one person can release together; those that need several are decided
 * one by one.
 */
export function releasableQuestions(state: State, agent?: string): Question[] {
  return undecidedQuestions(state).filter(
    (question) => (agent === undefined || question.asker.id === agent) && isUnruled(state, question),
  );
}

/** Hash of the list that a form shows before a release. */
export function shownOpenQuestions(
  state: State,
  agent: string,
): { readonly ids: readonly string[]; readonly shown: string } {
  const open = releasableQuestions(state, agent);
  const shown = hashOf(open.map((question) => [question.id, shownHash(state, question)]));
  return { ids: open.map(({ id }) => id), shown };
}

/** Number of releases per journal line: a line is limited to 1 MiB, the number of questions is not. */
function releasesPerLine(note: string): number {
  const bytes = Buffer.byteLength(JSON.stringify(note)) + 2_000; // a record with its envelope takes about 1,300
  return Math.max(1, Math.floor(900_000 / bytes));
}

/**
 * Releases all open questions of one agent without an answer, in one act: one line, or several for many questions. A
 * question that changes between those lines is not released.
 * @param shown hash of the list the form showed
 * @returns the ids of the released questions
 */
export async function releaseAll(
  signing: Signing,
  agent: string,
  note: string,
  shown: string,
): Promise<readonly string[]> {
  const { store, signer } = signing;
  const perLine = releasesPerLine(note);
  const agreed = agreedQuestions(store.read().state, agent, shown);
  const released: string[] = [];
  for (let at = 0; at < agreed.length; at += perLine)
    released.push(
      ...(await store.transact(humanActor(signer), ({ state, now }) => {
        const same = agreed.slice(at, at + perLine).filter((one) => {
          const question = state.questions.get(one.id);
          return question !== undefined && isWaiting(question) && shownHash(state, question) === one.shown;
        });
        const records = same.map((one) => sign(signing, recordFor(one.id, { kind: 'release', note }), one.shown, now));
        return { records, result: same.map(({ id }) => id) };
      })),
    );
  return released;
}

function agreedQuestions(state: State, agent: string, shown: string) {
  if (shownOpenQuestions(state, agent).shown !== shown)
    throw new AppError(
      'conflict',
      `the open questions of ${agent} have changed since they were shown: check them again`,
    );
  return releasableQuestions(state, agent).map((question) => ({ id: question.id, shown: shownHash(state, question) }));
}

/** Hash of an answer as a form shows it when revoking it or lifting its refusal. */
export function shownAnswerHash(state: State, question: Question): string {
  return hashOf(shownAnswer(state, question));
}

interface Undoing {
  readonly id: string;
  readonly reason: string;
  /** The hash the form was rendered with. */
  readonly shown: string;
}

/**
 * Prevents reuse of an answer: next time, agents ask a human. Work it released stays released.
 * @throws AppError as `requireDecided`
 */
export const revokeAnswer = (signing: Signing, given: Undoing) => undo(signing, 'answer.revoked', given);

/** Lifts an answer's refusal: the refused thing is allowed, and stopped work may continue. */
export const liftRefusal = (signing: Signing, given: Undoing) => undo(signing, 'refusal.lifted', given);

async function undo(
  signing: Signing,
  kind: 'answer.revoked' | 'refusal.lifted',
  { id, reason, shown }: Undoing,
): Promise<QuestionView> {
  await requireDecided(signing, { kind, v: 1, id, reason }, shown);
  return requireQuestionView(signing.store.read(), id);
}

export function shownPolicyHash(state: State): string {
  return hashOf(shownPolicy(state));
}

/**
 * Changes the workspace policy; `kept`: it changes a rule that takes more people, who must sign the same.
 * @throws AppError as `requireDecided`
 */
export async function changePolicy(signing: Signing, policy: Policy, shown: string): Promise<'decided' | 'kept'> {
  const { precedents: _, ...changed } = policy;
  return requireDecided(signing, { kind: 'policy.changed', v: 1, ...changed } as Unsigned, shown);
}

/** Hash of the items as a form shows them before a deletion. */
export function shownDeletionHash(deletion: Deletion): string {
  return hashOf(shownDeletion(deletion));
}

/**
 * Deletes a work item and everything in it, also while it is held or needed.
 * @throws AppError as `requireDecided`
 */
export async function deleteWork(signing: Signing, id: string, shown: string): Promise<void> {
  await requireDecided(signing, { kind: 'work.deleted', v: 1, id }, shown);
}

export function recordFor(id: string, verdict: Verdict): Unsigned {
  switch (verdict.kind) {
    case 'answer':
      return { kind: 'question.answered', v: 1, id, answer: verdict.answer };
    case 'cancel':
      return { kind: 'question.cancelled', v: 1, id, reason: verdict.reason };
    case 'release':
      return { kind: 'question.released', v: 1, id, note: verdict.note };
  }
}

/** A decision before it is signed. */
export type Unsigned = UnsignedRecord;

export function humanActor(signer: Pick<Signer, 'name'>): Actor {
  return { kind: 'human', id: signer.name };
}

export interface Binding {
  readonly shown: string;
  readonly nonce: string;
  readonly at: string;
}

/** Signs a record for the journal's current position. */
export function signRecord(
  store: {
    readonly workspaceId: string | null;
    readonly position: { readonly position: number; readonly head: string };
  },
  signer: Signer,
  record: Unsigned,
  binding: Binding,
): SignedRecord {
  const full = parsedRecord(record);
  const plain = withoutEnvelope(full) as Unsigned;
  const payload: DecisionPayload = {
    v: 1,
    workspace: store.workspaceId ?? '',
    action: full.kind,
    subject: subjectOf(full),
    shown: binding.shown,
    recordHash: hashOf(plain),
    nonce: binding.nonce,
    ...store.position,
    at: binding.at,
    by: signer.name,
  };
  const envelope = 'seal' in signer ? signer.seal(payload) : seal(signer, payload);
  return { ...full, envelope };
}

/** Signs a record for the journal's current position, as it was shown. */
export function sign({ store, signer, newId }: Signing, record: Unsigned, shown: string, at: string): SignedRecord {
  return signRecord(store, signer, record, { shown, nonce: newId(), at });
}

interface Recorded {
  readonly outcome: Outcome;
  /** Of `already` and `changed`. */
  readonly why: string;
}

/** Why a decision has no effect as it was shown; null if it has one. @throws AppError `not_found` */
export function obstacleTo(
  state: State,
  record: Unsigned,
  shown: string,
): { readonly outcome: Obstacle; readonly why: string } | null {
  const definition = definitionOf(record);
  const seen = definition.shown(state, record);
  const why = definition.problem(state, record);
  const id = subjectOf(record);
  if (seen === null && why !== null) throw new AppError('not_found', why);
  if (why !== null) return { outcome: 'already', why };
  return seen !== null && shown === hashOf(seen)
    ? null
    : { outcome: 'changed', why: `${id} has changed since it was shown: check it again` };
}

/**
 * Signs and records a decision, if it has an effect as it was shown.
 * @param make the decision, or why there is none
 * @param shown the hash the form was rendered with
 * @throws AppError `not_found`; `denied` when the policy asks for other people or keys; StoreError
 */
export async function decideOne(
  signing: Signing,
  make: (view: View) => Unsigned | Obstacle,
  shown: string,
): Promise<Recorded> {
  const { store, signer } = signing;
  return store.transact(humanActor(signer), (view): Act<Recorded> => {
    const record = make(view);
    if (typeof record === 'string') return { records: [], result: { outcome: record, why: '' } };
    const obstacle = obstacleTo(view.state, record, shown);
    if (obstacle) return { records: [], result: obstacle };
    const outcome = requirePerson(view.state, record, shown, signer) === 'kept' ? 'kept' : 'decided';
    return { records: [sign(signing, record, shown, view.now)], result: { outcome, why: '' } };
  });
}

/** @throws AppError as `decideOne`; `conflict` for a decision without an effect as it was shown */
export async function requireDecided(
  signing: Signing,
  record: Unsigned | ((view: View) => Unsigned),
  shown: string,
): Promise<'decided' | 'kept'> {
  const make = typeof record === 'function' ? record : () => record;
  const { outcome, why } = await decideOne(signing, make, shown);
  if (outcome === 'already' || outcome === 'changed') throw new AppError('conflict', why);
  return outcome;
}

/** Wraps a payload in a signed envelope. */
export function seal(signer: KeySigner, payload: DecisionPayload): Envelope {
  const bytes = Buffer.from(canonicalJson(payload), 'utf8');
  const sig = Buffer.from(signer.sign(preAuthEncoding(payloadType, bytes))).toString('base64');
  return { payloadType, payload: bytes.toString('base64'), signatures: [{ keyid: signer.keyid, sig }] };
}

/** The record as the fold will see it: trimmed, with defaults. The signature must cover what is read back. */
export function parsedRecord(record: UnsignedRecord): SignedRecord {
  const result = anyRecord.safeParse({ ...record, envelope: emptyEnvelope });
  if (result.success && 'envelope' in result.data) return result.data;
  const issue = result.error?.issues[0];
  throw new AppError('bad_input', `${issue?.path.join('.') ?? record.kind}: ${issue?.message ?? 'is malformed'}`);
}

/** In the place of one that is not made yet. */
export const emptyEnvelope: Envelope = { payloadType, payload: '', signatures: [{ keyid: '0'.repeat(64), sig: '' }] };

/**
 * What the record will do: take effect, or be kept as an approval.
 * @param signer whose name is that of the key in the ring
 * @throws AppError `denied` when the policy does not name this person, `conflict` when they have signed the same before
 */
export function requirePerson(state: State, record: UnsignedRecord, shown: string, signer: Signer): 'counts' | 'kept' {
  const problem =
    passkeyProblem(state, record, { keyid: signer.keyid, passkey: signer.isPasskey === true }) ??
    personProblem(state, record, signer);
  if (problem !== null) throw new AppError('denied', problem);
  const recordHash = hashOf(withoutEnvelope(parsedRecord(record)));
  const mark = markOf(record, { shown, recordHash }, () => hashOf(ruledContent(state, record)));
  const outcome = outcomeOf(state, record, mark, signer);
  if (outcome === 'repeated') throw new AppError('conflict', 'you have already signed this: it needs other people now');
  return outcome;
}

export type Signer = KeySigner | PasskeySigner;

interface SignerBase {
  /** SHA-256 of the public key's SPKI DER, hexadecimal. */
  readonly keyid: string;
  readonly name: string;
}

/** Holds the private key; lives in the editor. */
export interface KeySigner extends SignerBase {
  readonly isPasskey?: false;
  /** Signs bytes with Ed25519. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** A passkey in a browser (`passkey.ts`). */
export interface PasskeySigner extends SignerBase {
  readonly isPasskey: true;
  seal(payload: DecisionPayload): Envelope;
}
