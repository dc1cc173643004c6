/**
 * What a person is shown on their side before they sign: the content that the payload's `shown` is the hash of, and texts
 * that the record or this content name by their hash. The compiler asks for every signed kind.
 */
import type { UnsignedRecord } from '../../core/records/decision.ts';
import { shownWithChanges } from '../../core/fold/heldChanges.ts';
import { shownInForce } from '../../core/fold/precedents.ts';
import { shownHolder } from '../../core/fold/widening.ts';
import { holderOf } from '../../core/hold/holds.ts';
import { postedContent, shownEvent, shownPost } from '../../core/memory/event.ts';
import { shownPrecedent } from '../../core/precedent/matching.ts';
import { askedContent, shownAppointment, shownRequest } from '../../core/request/request.ts';
import { shownTo } from '../../core/rfc/foldDecision.ts';
import { latestRevision } from '../../core/rfc/rfc.ts';
import { shownAnswer, shownPolicy, shownQuestion } from '../../core/question/question.ts';
import type { Question, State } from '../../core/state/state.ts';
import type { View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import { eventNamed } from '../memory/views.ts';
import { documentOf } from '../rfc/parts.ts';
import { askedRequest } from './asked.ts';
import { threadTexts } from './threads.ts';

export interface Content {
  readonly shown: object;
  readonly parts?: readonly object[];
}

/** Signed only by a key of the editor. */
export const notThere = 'notThere';

type Kind = UnsignedRecord['kind'];
type Of<K extends Kind> = Extract<UnsignedRecord, { kind: K }>;
/** Null if the item does not exist. `shown`: as the payload has it. */
type ContentOf<K extends Kind> = (view: View, record: Of<K>, shown: Shown) => Content | null;

interface Shown {
  readonly hash: string;
  /** Contents that are not in the journal, such as the keys of the form. */
  readonly known: readonly object[];
}

const contents: { readonly [K in Kind]: ContentOf<K> | typeof notThere } = {
  'question.answered': ofQuestion(shownQuestion),
  'question.cancelled': ofQuestion(shownQuestion),
  'question.released': ofQuestion(shownQuestion),
  'question.askedBack': ofQuestion(shownQuestion),
  'answer.revoked': ofQuestion(shownAnswer),
  'refusal.lifted': ofQuestion(shownAnswer),
  'hold.changeAccepted': ofChanged,
  'hold.widened': ofHolder,
  'hold.narrowed': ofHolder,
  'policy.changed': ({ state }) => ({ shown: shownPolicy(state) }),
  'rfc.approved': ofRfc,
  'rfc.changesRequested': ofRfc,
  'rfc.rejected': ofRfc,
  'rfc.withdrawn': ofRfc,
  'rfc.commented': ofRfc,
  'rfc.threadReplied': ofRfc,
  'rfc.threadResolved': ofRfc,
  'rfc.answerOverruled': ofRfc,
  'event.postedByHuman': (_, record) => ({ shown: shownPost(record) }),
  'event.closedByHuman': ofEvent,
  'event.proposalDeclined': ofEvent,
  'request.createdByHuman': (_, record) => ({ shown: askedContent(record) }),
  'request.movedByHuman': ofRequest,
  'request.stepRecordedByHuman': ofRequest,
  'responsibility.appointed': ({ state }, { responsibilityKind: kind, id, name, agents }) => ({
    shown: shownAppointment(state, { id, kind, name, agents }),
  }),
  'precedent.set': ({ state }, { kind: _, v: __, ...terms }) => ({ shown: shownPrecedent(state, terms) }),
  'precedent.ended': ofPrecedent,
  'precedent.takenBack': ofQuestion(shownAnswer),
  'key.enrolled': ofForm,
  'key.lost': ofForm,
  'key.trusted': ofForm,
  'key.retired': ofForm,
  'key.passkeyAdded': ofForm,
  'key.passkeyRenamed': ofForm,
  // Of a journal that cannot be read: `signRecoveryThere` takes the diagnosis that the form showed.
  'journal.lineSetAside': ofForm,
  'journal.restored': ofForm,
  'journal.startedAnew': ofForm,
  // What these are about is not in the journal, or needs a second key; docs/security.md says what to do instead.
  'key.rotated': notThere,
  'store.shared': notThere,
  'store.unshared': notThere,
};

/** What the person is shown of this record. */
export function contentOf(view: View, record: UnsignedRecord, shown: Shown): Content | null | typeof notThere {
  const content = contents[record.kind] as ContentOf<Kind> | typeof notThere;
  return content === notThere ? notThere : content(view, record, shown);
}

function ofQuestion(shown: (state: State, question: Question) => object) {
  return ({ state }: View, { id }: { readonly id: string }): Content | null => {
    const question = state.questions.get(id);
    return question ? { shown: shown(state, question) } : null;
  };
}

function ofPrecedent({ state }: View, { id }: { readonly id: string }): Content | null {
  const precedent = state.precedents.get(id);
  return precedent ? { shown: shownInForce(precedent) } : null;
}

function ofHolder({ state }: View, { id }: { readonly id: string }): Content | null {
  const shown = shownHolder(state, id);
  return shown && { shown };
}

/** A question, also with its answer, or an RFC, with the changes of the files that it holds. */
function ofChanged({ state }: View, { id }: { readonly id: string }): Content | null {
  const holder = holderOf(state, id);
  return holder ? { shown: shownWithChanges(state, holder) } : null;
}

/** A verdict is on the text of the latest revision and on all threads; each names its texts by their hash. */
function ofRfc(view: View, record: Of<Extract<Kind, `rfc.${string}`>>): Content | null {
  const rfc = view.state.rfcs.get(record.id);
  const shown = rfc && shownTo(view.state, rfc, record);
  if (!rfc || !shown) return null;
  const document = 'title' in shown ? [documentOf(view, rfc, latestRevision(rfc).number)] : [];
  return { shown, parts: [...document, ...threadTexts(view, rfc, 'thread' in record ? record.thread : null)] };
}

function ofEvent(view: View, { id, content }: { readonly id: string; readonly content: string }): Content | null {
  const event = eventNamed(view, id);
  if (!event) return null;
  const { type, text, priority, scopes, author, posted_at } = event;
  const parts = [postedContent({ type, text, priority, scopes: [...scopes] }, author, posted_at)];
  return { shown: shownEvent(view.state, id, content), parts };
}

function ofRequest(view: View, { id }: { readonly id: string }): Content | null {
  const request = view.state.requests.get(id);
  const asked = request && askedRequest(view, request);
  return asked ? { shown: shownRequest(request), parts: [asked] } : null;
}

/** What the form showed. */
function ofForm(_: View, __: UnsignedRecord, { hash, known }: Shown): Content | null {
  const shown = known.find((one) => hashOf(one) === hash);
  return shown ? { shown } : null;
}
