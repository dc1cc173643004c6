/** Texts about requests for agents: the status of one, and which wait for the agent. */
import type { NoticedRequest, WaitingRequests, RequestView } from '../../app/request/views.ts';
import type { Guide } from '../../core/kit/guide.ts';
import { plural, firstLine } from '../../core/kit/text.ts';
import { clock } from './gateText.ts';

/** At most this many are named; the list has all of them. */
export const namedAtMost = 5;

/** `2 requests wait for you: R-3 "Rotate the keys" (from finance), R-4 …`; empty when there is none. */
export function waitingText({ requests, total }: WaitingRequests, guide: Guide): string {
  const nameAndOrigin = (request: RequestView) => `${nameOf(request)} (from ${request.origin_responsibility_id})`;
  return waitingLine(requests.map(nameAndOrigin), total, guide);
}

/** Lists waiting ids for callers that do not load the subjects. */
export function waitingIdsText(requests: readonly { readonly id: string }[], guide: Guide): string {
  return waitingLine(
    requests.map(({ id }) => id),
    requests.length,
    guide,
  );
}

function waitingLine(names: readonly string[], total: number, guide: Guide): string {
  if (total === 0) return '';
  const wait = total === 1 ? 'waits' : 'wait';
  const shown = names.slice(0, namedAtMost);
  const more = total > shown.length ? ` and ${String(total - shown.length)} more` : '';
  const next = `${guide.name('list_requests')} shows them; accept, defer or reject with ${guide.name('respond_to_request')}.`;
  return `${plural(total, 'request')} ${wait} for you: ${shown.join(', ')}${more}. ${next}`;
}

/** Notices in their order; requests that wait for the agent share one line. */
export function noticesText(notices: readonly NoticedRequest[], guide: Guide): string[] {
  const requests = notices.filter(({ notice }) => notice.type === 'waiting');
  const waiting = waitingText({ requests, total: requests.length }, guide);
  const others = notices.filter(({ notice }) => notice.type !== 'waiting').map((one) => noticeText(one, guide));
  return waiting === '' ? others : [...others, waiting];
}

function noticeText(request: NoticedRequest, guide: Guide): string {
  const { notice, target_responsibility_id: target, origin_responsibility_id: origin } = request;
  const name = nameOf(request);
  const mine = notice.to === 'target';
  switch (notice.type) {
    case 'response_overdue':
      return mine
        ? `${name} is overdue: ${origin} expected an answer by ${dueText(request)}. Accept, defer or reject it with ${guide.name('respond_to_request')}.`
        : `${name} is overdue: ${target} has not answered in time.`;
    case 'completion_overdue':
      return mine
        ? `${name} is overdue: ${origin} expected it to be done by ${dueText(request)}. Complete it with ${guide.name('respond_to_request')}.`
        : `${name} is overdue: ${target} accepted it, but has not completed it in time.`;
    case 'reassigned':
      return notice.to === 'origin'
        ? `${name} was overdue and is now with ${target}, which can accept, defer or reject it.`
        : `${name} was overdue and is now with ${target}. It is no longer yours: stop working on it.`;
    default:
      return statusText(request);
  }
}

export function statusText(request: RequestView): string {
  const { status, target_responsibility_id: target, origin_responsibility_id: origin, note, response } = request;
  const name = nameOf(request);
  const why = [response, note === null ? null : firstLine(note, 500)].filter((part) => part !== null).join(': ');
  const because = why === '' ? '.' : `: ${/[.!?]$/.test(why) ? why : `${why}.`}`;
  const at = request.closed_at === null ? '' : `, ${clock(request.closed_at)}`;
  switch (status) {
    case 'completed':
      return `${name} was completed by ${target}${at}${because}`;
    case 'rejected':
      return `${name} was rejected by ${target}${at}${because}`;
    case 'cancelled':
      return `${name} was cancelled by ${origin}${at}${because}`;
    case 'expired':
      return `${name} expired${at}: ${target} did not accept it in time.`;
    case 'accepted':
      return `${name} was accepted by ${request.accepted_by ?? target}${acceptedFor(request, target)}, ${clock(request.accepted_at ?? request.created_at)}. It is not done yet.`;
    case 'deferred':
      return `${name} was deferred by ${target} until ${clock(request.available_at)}${because}`;
    case 'created':
      return `${name} becomes available to ${target} at ${clock(request.available_at)}.`;
    case 'pending':
      return `${name} waits for ${target}.`;
  }
}

function acceptedFor({ accepted_by }: RequestView, target: string): string {
  return accepted_by === null ? '' : ` for ${target}`;
}

function nameOf({ id, subject }: RequestView): string {
  return `${id} "${firstLine(subject)}"`;
}

function dueText({ sla_due_at }: RequestView): string {
  return clock(sla_due_at ?? '');
}
