/** Humans' decisions on RFCs, in the lab. */
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { latestRevision, unansweredQuestions, waivedQuestion } from '../../../src/core/rfc/rfc.ts';
import type { Folded } from '../../../src/core/fold/fold.ts';
import type { State } from '../../../src/core/state/state.ts';
import type { Rfc } from '../../../src/core/state/items.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import type { RfcRuling } from './arbitraries.ts';
import type { Lab } from './lab.ts';

/** The record of a ruling on the current state of an RFC. */
export function rulingRecord(state: State, id: string, ruling: RfcRuling): Unsigned {
  const rfc = state.rfcs.get(id);
  const latest = rfc ? latestRevision(rfc) : { number: 1, hash: '0'.repeat(64) };
  const about = { v: 1, id, revision: latest.number } as const;
  switch (ruling) {
    case 'approve':
      return {
        kind: 'rfc.approved',
        ...about,
        hash: latest.hash,
        conditions: ['Limit the rate.'],
        constraints: [],
        ...waivers(state, rfc),
      };
    case 'reject':
      return { kind: 'rfc.rejected', ...about, reason: 'Too large.', then: 'another_way' };
    case 'stop':
      return { kind: 'rfc.rejected', ...about, reason: 'Not wanted.', then: 'stop' };
    case 'send back':
      return { kind: 'rfc.changesRequested', ...about, reason: 'Say more.' };
    case 'withdraw':
      return { kind: 'rfc.withdrawn', v: 1, id, reason: 'Not now.' };
    case 'resolve':
      return {
        kind: 'rfc.threadResolved',
        v: 1,
        id,
        thread: rfc?.threads.find(({ blocking, resolved }) => blocking && !resolved)?.number ?? 1,
      };
    case 'overrule':
      return {
        kind: 'rfc.answerOverruled',
        v: 1,
        id,
        question: rfc?.questions.find(({ answeredIn }) => answeredIn !== null)?.number ?? 1,
      };
  }
}

function waivers(state: State, rfc: Rfc | undefined) {
  const open = rfc ? unansweredQuestions(state, rfc) : [];
  if (!rfc || open.length === 0) return {};
  const waived = open.map((question) => ({ question: question.number, hash: hashOf(waivedQuestion(rfc, question)) }));
  return { waived };
}

/** Decides with a valid signature. */
export function rule(lab: Lab, id: string, ruling: RfcRuling): Folded {
  return lab.write([lab.signed(rulingRecord(lab.state, id, ruling))], { kind: 'human', id: lab.human.name });
}
