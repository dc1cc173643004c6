import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { undelivered } from '../../app/waiting/delivery.ts';
import { isAskedBack, isDecided, openQuestionsOfAgent, questionsOf } from '../../app/question/questions.ts';
import { undeliveredRfcs } from '../../app/rfc/delivery.ts';
import { listRfcs, rfcSummary } from '../../app/rfc/views.ts';
import type { RfcSummary } from '../../app/rfc/views.ts';
import { questionView } from '../../app/question/views.ts';
import type { QuestionView } from '../../app/question/views.ts';
import { waitUntil } from '../../app/workspace/waiting.ts';
import { waitSeconds } from '../kit/fields.ts';
import { rfcText } from '../rfc/texts.ts';
import { outcomeOf, overall, rfcOutcomeOf } from '../kit/outcome.ts';
import type { Outcome } from '../kit/outcome.ts';
import { awaitedText, dueText } from '../kit/parkingTexts.ts';
import { isDue, patience } from './patience.ts';
import { heldNote, readerOf } from '../kit/reader.ts';
import type { Reader } from '../kit/reader.ts';
import { defineOperation } from '../kit/operation.ts';

export const awaitAnswer = defineOperation({
  name: 'await_answer',
  readOnly: false,
  input: z.strictObject({
    id: z
      .string()
      .regex(/^(?:Q|RFC)-[1-9]\d{0,8}$/, 'must look like Q-12 or RFC-3')
      .optional()
      .describe('A question or RFC, for example "Q-12". Omit it to wait for all your open ones.'),
    wait_seconds: waitSeconds,
  }),
  async run(context, input) {
    const { workspace, session, signal, onTick } = context;
    const reader = readerOf(context);
    const agent = session.actor.id;
    const forMs = input.wait_seconds === undefined ? context.waitMs : input.wait_seconds * 1000;
    const awaited = idsToAwait((await workspace.store()).read());
    if (awaited.questions.length + awaited.rfcs.length === 0)
      return {
        status: 'ok',
        text: `You have no open questions or RFCs: nothing to wait for.${heldNote(reader)}`,
        data: { ...overall([], reader), questions: [], rfcs: [] },
      };
    const isAsked = (question: QuestionView) => isAskedBack(question, agent);
    const isOver = (now: Seen) => now.questions.some(isAsked) || isSettled(now);
    const asked = awaited.questions.map((id) => ({ id }));
    // RFCs cannot be parked.
    const waitMs = awaited.rfcs.length > 0 ? forMs : patience((await workspace.store()).read(), asked, agent, forMs);
    const seen = await waitUntil(workspace, look, isOver, { forMs: waitMs, signal, onTick });
    const now = (await workspace.store()).read();
    const isOverdue = (question: QuestionView) => awaited.rfcs.length === 0 && isDue(now, question, agent);
    const questions = seen.questions.filter((one) => one.resolution !== null || isAsked(one));
    const first = questions[0] ?? seen.questions[0];
    return {
      status: 'ok',
      text: [
        ...seen.questions.map((one) => (isOverdue(one) ? dueText(one, reader) : awaitedText(one, reader))),
        ...seen.rfcs.map((one) => rfcText(one, reader, agent)),
      ].join('\n'),
      data: {
        ...overallOf(seen, reader),
        ...(first ? { question: first } : {}),
        questions: seen.questions,
        ...(seen.questions.some(isOverdue) ? { parking_due: true as const } : {}),
        ...(seen.rfcs.length === 0 ? {} : { rfcs: seen.rfcs }),
      },
      ...(questions.length + seen.decided.length === 0
        ? {}
        : { delivers: { questions, rfcs: seen.decided, asked: true } }),
    };

    function look(view: StoreView): Seen {
      const rfcs = awaited.rfcs.map((id) => rfcSummary(view, id)).filter((rfc) => rfc !== null);
      const fresh = undeliveredRfcs(view, agent).map(({ id }) => id);
      // A review without objections changes nothing for the author: it does not end the wait.
      const decided = rfcs.filter((rfc) => fresh.includes(rfc.id) && (!rfc.waiting || asksChanges(rfc)));
      return { questions: questionsOf(view, awaited.questions), rfcs, decided };
    }

    function idsToAwait(view: StoreView): { questions: string[]; rfcs: string[] } {
      const { id } = input;
      if (id !== undefined) {
        const known = id.startsWith('Q-') ? questionView(view, id) : rfcSummary(view, id);
        if (known) return id.startsWith('Q-') ? { questions: [id], rfcs: [] } : { questions: [], rfcs: [id] };
        throw new AppError('not_found', id.startsWith('Q-') ? `there is no question ${id}` : `there is no ${id}`, {
          advice: ({ name }) => `${name(id.startsWith('Q-') ? 'list_questions' : 'list_rfcs')} lists all.`,
        });
      }
      const rfcs = [...undeliveredRfcs(view, agent), ...listRfcs(view, { agent, waiting: true })];
      return {
        questions: unique([...undelivered(view, agent), ...openQuestionsOfAgent(view, agent)]),
        rfcs: unique(rfcs),
      };
    }
  },
});

type StoreView = Parameters<typeof rfcSummary>[0];

interface Seen {
  readonly questions: readonly QuestionView[];
  readonly rfcs: readonly RfcSummary[];
  /** Those with a decision that has not reached this agent yet. */
  readonly decided: readonly RfcSummary[];
}

function unique(items: readonly { readonly id: string }[]): string[] {
  return [...new Set(items.map(({ id }) => id))];
}

/** Something is decided or has expired, or none of them is with a human any more. */
function isSettled({ questions, rfcs, decided }: Seen): boolean {
  if (questions.length > 0 && isDecided(questions)) return true;
  return decided.length > 0 || (questions.length === 0 && rfcs.every(({ waiting }) => !waiting));
}

/** A review that asks for changes ends the wait of the author, who has to revise, though no human has decided. */
function asksChanges({ waiting, last_review }: RfcSummary): boolean {
  return waiting && last_review?.verdict === 'revise';
}

function overallOf({ questions, rfcs, decided }: Seen, reader: Reader): Outcome {
  const revise: Outcome = { result: 'denied', outcome: 'revise', effect: null, approved: null };
  const decidedOutcomeOf = (rfc: RfcSummary) =>
    decided.includes(rfc) && asksChanges(rfc) ? revise : rfcOutcomeOf(rfc, reader);
  const over = decided.length > 0 ? decided : rfcs;
  return overall([...questions.map((one) => outcomeOf(one, reader)), ...over.map(decidedOutcomeOf)], reader);
}
