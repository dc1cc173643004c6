import * as z from 'zod';
import { undeliveredNotices } from '../../app/request/notices.ts';
import { listRequests, requestDetails, responsibilitiesOf } from '../../app/request/views.ts';
import type { RequestDetails, RequestView } from '../../app/request/views.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { sweep } from '../../app/workspace/sweep.ts';
import { waitUntil } from '../../app/workspace/waiting.ts';
import { isSettled } from '../../core/request/request.ts';
import { openRequestStatus } from '../../core/records/requestWords.ts';
import { waitSeconds } from '../kit/fields.ts';
import { overall, requestOutcomeOf } from '../kit/outcome.ts';
import { statusText } from '../kit/requestTexts.ts';
import { heldNote, readerOf } from '../kit/reader.ts';
import type { Reader } from '../kit/reader.ts';
import { defineOperation } from '../kit/operation.ts';
import { requestIdField } from './fields.ts';

type View = Parameters<typeof requestDetails>[0];

/** As many open requests as one responsibility may have. */
const atMost = 1_000;

export const awaitRequest = defineOperation({
  name: 'await_request',
  readOnly: false,
  input: z.strictObject({
    id: requestIdField.optional().describe('A request, for example "R-7". Omit it to wait for all your open ones.'),
    wait_seconds: waitSeconds.describe(
      'How long to wait before returning, in seconds. Omit it to use the default of your host.',
    ),
  }),
  async run(context, input) {
    const { workspace, session, signal, onTick, waitMs } = context;
    const agent = session.actor.id;
    const reader = readerOf(context);
    const store = await workspace.store();
    await sweep(store);
    const awaited = idsToAwait(store.read(), agent, input.id);
    if (awaited.length === 0)
      return {
        status: 'ok',
        text: `You have no open requests: nothing to wait for.${heldNote(reader)}`,
        data: { ...overall([], reader), requests: [] },
      };
    const seen = await waitUntil(workspace, (view) => look(view, agent, awaited), isOver, {
      forMs: input.wait_seconds === undefined ? waitMs : input.wait_seconds * 1_000,
      signal,
      // Deadlines can pass while no other program has the store open.
      onTick: (waitedMs) => {
        // One that fails is tried again at the next tick.
        sweep(store).catch(() => undefined);
        onTick?.(waitedMs);
      },
    });
    const { requests } = seen;
    return {
      status: 'ok',
      text: requests.map((one) => textOf(one, reader)).join('\n'),
      data: {
        ...overall(
          requests.map((one) => requestOutcomeOf(one, reader)),
          reader,
        ),
        requests,
      },
      delivers: { questions: [], requests: requests.filter(isSaidInFull), asked: true },
    };
  },
});

function idsToAwait(view: View, agent: string, id: string | undefined): string[] {
  if (id !== undefined) {
    if (requestDetails(view, id)) return [id];
    throw new AppError('not_found', `there is no request ${id}`, {
      advice: (guide) => `${guide.name('list_requests')} lists them all.`,
    });
  }
  const statuses = openRequestStatus.options;
  const of = responsibilitiesOf(view, agent);
  const open = of.length === 0 ? [] : listRequests(view, { box: 'outbox', of, statuses, limit: atMost }).requests;
  const ended = undeliveredNotices(view, agent).filter(
    ({ notice, status }) => notice.to === 'origin' && isSettled(status),
  );
  return [...new Set([...ended, ...open].map((request) => request.id))];
}

interface Seen {
  readonly requests: readonly RequestDetails[];
  /** A missed deadline that this agent has not been notified of. */
  readonly late: boolean;
}

function look(view: View, agent: string, ids: readonly string[]): Seen {
  return {
    requests: ids.flatMap((id) => requestDetails(view, id) ?? []),
    late: undeliveredNotices(view, agent).some(
      ({ id, notice }) => ids.includes(id) && notice.to === 'origin' && notice.type.endsWith('_overdue'),
    ),
  };
}

function isOver({ requests, late }: Seen): boolean {
  return late || requests.some(({ status }) => isSettled(status));
}

/** Whether the status says as much as the notices of it. */
function isSaidInFull({ status, overdue }: RequestView): boolean {
  return isSettled(status) || ((status === 'accepted' || status === 'deferred') && !overdue);
}

function textOf(request: RequestView, reader: Reader): string {
  const { id, status } = request;
  if (!isSettled(status)) return `${statusText(request)} To wait: ${reader.guide.name('await_request', { id })}.`;
  return `${statusText(request)}${status === 'completed' ? heldNote(reader) : ''}`;
}
