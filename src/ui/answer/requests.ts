/** The forms for requests: their keys, view models and acts. */
import { shownAgent } from '../../core/kit/persons.ts';
import * as l10n from '@vscode/l10n';
import { AppError } from '../../app/workspace/errors.ts';
import {
  answerRequest,
  appoint,
  noteSeen,
  shownAppointmentHash,
  shownRequestHash,
  createAsHuman,
} from '../../app/request/decisions.ts';
import type { Answer } from '../../app/request/requests.ts';
import type { Signing } from '../../app/decision/decisions.ts';
import { listResponsibilities, requestDetails, type RequestDetails } from '../../app/request/views.ts';
import { shownPayload, agentId } from '../../core/kit/fields.ts';
import { guardrailProblem, actsFor } from '../../core/request/request.ts';
import { requestId, requestAsk, type RequestAsk } from '../../core/records/request.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { Outcome } from '../kit/view.ts';
import type { Decision, RequestAction, DecisionOf } from './messages.ts';
import type { Store, View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import { refusedOutcome } from '../surface/signedActs.ts';
import { fileExists } from '../kit/workspaceFiles.ts';
import { formHead, formKey, folderName, signerOf, type FormOptions } from '../surface/workspaceForms.ts';

export function isRequestId(id: string): boolean {
  return requestId.safeParse(id).success;
}

export type RequestView = NonNullable<Awaited<ReturnType<typeof requestModel>>>;

/** Null for an unknown request. Showing it to a human acknowledges it. */
export async function requestModel(options: FormOptions & { readonly id: string; readonly store: Store }) {
  const { folders, folder, standing, render, locked, id, store } = options;
  if (locked === undefined && standing.kind === 'enrolled') await noteSeen(store, standing, id);
  const view = store.read();
  const request = requestDetails(view, id);
  if (!request) return null;
  const { payload } = request;
  const attached = shownPayload(request.payload_json);
  const bundles = 'bundle_ids' in payload ? payload.bundle_ids : [];
  const links = [...(request.body_md_path === null ? [] : [request.body_md_path]), ...payload.links];
  const isFile = (link: string) => !/^[a-z][a-z0-9+.-]*:/i.test(link);
  return {
    type: 'request' as const,
    key: folders.keyOf(folder, id),
    shown: shownRequestHash(view.state, id) ?? hashOf([id, request.status]),
    render,
    id,
    ...folderName(folders, folder),
    kind: request.type,
    status: request.status,
    origin: nameOf(options, request.origin_responsibility_id),
    target: nameOf(options, request.target_responsibility_id),
    subject: request.subject,
    summary: request.summary,
    suggested: [...payload.suggested_actions],
    bundles: [...bundles],
    objectives: 'objectives' in payload ? [payload.objectives].flat() : [],
    files: links.filter(isFile).map((path) => ({ path, exists: fileExists(folder.workspace, path) })),
    links: links.filter((link) => !isFile(link)),
    tags: [...payload.tags],
    ...(attached === null ? {} : { payload: attached }),
    work: [...request.work],
    steps:
      request.type === 'ingest_new_context' && request.status === 'accepted'
        ? (['normalise', 'lineage', 'dispatch'] as const).map((step) => ({ step, done: request.steps.includes(step) }))
        : [],
    createdAt: request.created_at,
    ...(request.status === 'created' || request.status === 'deferred' ? { availableAt: request.available_at } : {}),
    ...(request.due_at === null ? {} : { dueAt: request.due_at }),
    overdue: request.overdue,
    ...(request.note === null ? {} : { note: request.note }),
    actions: actionsOf(options, request),
    answersAs: signerOf(standing),
    ...(locked === undefined ? {} : { locked }),
    history: request.events.slice(-50).map(({ created_at: at, event_type, created_by, created_agent_id, note }) => ({
      at,
      text: historyWords(event_type.replaceAll('_', ' '), shownAgent(created_agent_id ?? created_by, view.own), note),
    })),
  };
}

function historyWords(what: string, by: string, note: string | null): string {
  return note === null ? l10n.t('{0} by {1}', what, by) : l10n.t('{0} by {1}: {2}', what, by, note.slice(0, 500));
}

function nameOf({ view }: FormOptions, id: string): string {
  const name = view.state.responsibilities.get(id)?.name ?? id;
  return name === id ? id : `${name} (${id})`.slice(0, 200);
}

/** The acts that the guardrails allow the human now. */
function actionsOf({ view, standing }: FormOptions, request: RequestDetails): RequestAction[] {
  const signer = signerOf(standing).name;
  const may = (act: Parameters<typeof guardrailProblem>[2]) =>
    guardrailProblem(view.state, request.id, act, { kind: 'human', id: signer, signed: true }) === null;
  const context = request.type === 'new_context_available';
  const ingests = request.type === 'ingest_new_context';
  const next = (['normalise', 'lineage', 'dispatch'] as const).find((step) => !request.steps.includes(step));
  const all: readonly [RequestAction, boolean][] = [
    [context ? 'ack_context_relevant' : 'accept', may('accept')],
    ['defer', may('defer')],
    [context ? 'not_relevant' : 'reject', may('reject')],
    ...(next === undefined || !ingests ? [] : [[next, may('record a step')] as [RequestAction, boolean]]),
    ['complete', may('complete') && (!ingests || next === undefined)],
    ['cancel', may('cancel')],
  ];
  return all.filter(([, allowed]) => allowed).map(([action]) => action);
}

export type AppointView = ReturnType<typeof appointModel>;

export function appointModel(options: FormOptions) {
  const known = appointed(options.view);
  return { ...formHead(options, 'appoint', { shown: hashOf(known) }), known };
}

function appointed(view: View) {
  return listResponsibilities(view).map(({ id, kind, name, agents }) => ({ id, kind, name, agents: [...agents] }));
}

type RequestDecision = Extract<Decision, { type: 'request' | 'appoint' }>;

export async function carryOutRequest(signing: Signing, id: string, message: RequestDecision): Promise<Outcome> {
  if (message.type === 'appoint') return carryOutAppointment(signing, message);
  const { outcome, request } = await answerRequest(signing, id, answerOf(message), message.shown);
  const done: Outcome = { type: 'done', act: message.act };
  if (outcome === 'done') return { ...done, text: doneWords(message.action, request) };
  const text =
    outcome === 'already'
      ? l10n.t('It was already decided: it is {0}.', request.status)
      : l10n.t('The request has changed since it was shown. Check it, then decide.');
  return refusedOutcome(message.act, outcome === 'already' ? 'conflict' : 'changed', text);
}

function doneWords(action: RequestAction, { origin_responsibility_id: origin }: RequestDetails): string {
  switch (action) {
    case 'accept':
    case 'ack_context_relevant':
      return l10n.t('Accepted. {0} can see it.', origin);
    case 'defer':
      return l10n.t('Deferred. It returns on its own.');
    case 'reject':
    case 'not_relevant':
      return l10n.t('Rejected. {0} can see why.', origin);
    case 'complete':
      return l10n.t('Completed. {0} can see the result.', origin);
    case 'cancel':
      return l10n.t('Withdrawn.');
    case 'normalise':
    case 'lineage':
    case 'dispatch':
      return l10n.t('Posted.');
  }
}

function answerOf({ action, note, until }: Extract<Decision, { type: 'request' }>): Answer {
  const said = note === '' ? {} : { note };
  switch (action) {
    case 'accept':
    case 'reject':
      return { act: action, ...said };
    case 'ack_context_relevant':
      return { act: 'accept', relevance: action, ...said };
    case 'not_relevant':
      return { act: 'reject', relevance: action, ...said };
    case 'defer':
      return { act: 'defer', until: until ?? '', ...said };
    case 'complete':
    case 'cancel':
      return { act: action, note };
    case 'normalise':
    case 'lineage':
    case 'dispatch':
      return { act: 'record a step', step: action, note, requests: [] };
  }
}

async function carryOutAppointment(
  signing: Signing,
  { act, shown, id, kind, called, agents }: Extract<Decision, { type: 'appoint' }>,
): Promise<Outcome> {
  const view = signing.store.read();
  if (shown !== hashOf(appointed(view)))
    return refusedOutcome(act, 'changed', l10n.t('The list has changed since it was shown. Check it, then save.'));
  const wrong = agents.find((agent) => !agentId.safeParse(agent).success);
  if (wrong !== undefined) throw new AppError('bad_input', l10n.t('{0} is not a valid agent ID.', wrong));
  const appointment = { id, kind, name: called, agents };
  const saved = await appoint(signing, appointment, shownAppointmentHash(view.state, appointment));
  return { type: 'done', act, text: l10n.t('Saved: {0}.', `${saved.name} (${saved.id})`) };
}

// The form for a new request in the name of a human, or of a steward without agents.

/** The possible origins and targets, and what a steward can pass on. */
function offeredActions(view: View) {
  const { responsibilities, requests } = view.state;
  const targets = [...responsibilities.values()].map(({ id, kind, name }) => ({ id, kind, name }));
  const human = { kind: 'human', id: '', signed: true } as const;
  const origins = targets.filter(({ id }) => {
    const known = responsibilities.get(id);
    return known !== undefined && actsFor(human, known);
  });
  const ingestions = [...requests.values()]
    .filter(
      ({ type, status, steps, target }) =>
        type === 'ingest_new_context' &&
        status === 'accepted' &&
        steps.includes('normalise') &&
        steps.includes('lineage') &&
        origins.some(({ id }) => id === target),
    )
    .map(({ id, target: steward, bundles }) => {
      const subject = firstLine(requestDetails(view, id)?.subject ?? id, 200);
      return { id, steward, subject, bundles: [...bundles] };
    });
  return { origins, targets, ingestions };
}

export type AskView = ReturnType<typeof askModel>;

export function askModel(options: FormOptions) {
  const all = offeredActions(options.view);
  const appoint = formKey(options.folders, options.folder, 'appoint');
  return { ...formHead(options, 'ask', { shown: hashOf(all) }), ...all, appoint };
}

/** @throws AppError `not_found`, `denied` by a guardrail, `bad_input` */
export async function carryOutAsk(signing: Signing, message: DecisionOf<'ask'>): Promise<Outcome> {
  const { act, shown, origin, target, subject, summary, priority } = message;
  const view = signing.store.read();
  if (shown !== hashOf(offeredActions(view)))
    return refusedOutcome(
      act,
      'changed',
      l10n.t('The list of recipients has changed since it was shown. Check it, then send.'),
    );
  const { availableAt, dueAt, responseSeconds, completionSeconds } = message;
  // A repeated act creates no second request, even after a window crash.
  const idempotencyKey = act;
  const ask = askOf(message);
  const request = await createAsHuman(signing, {
    ...{ origin, target, subject, summary, priority, ask, idempotencyKey },
    ...{ availableAt, dueAt, responseSeconds, completionSeconds },
  });
  const name = view.state.responsibilities.get(target)?.name ?? target;
  return { type: 'done', act, text: l10n.t('Sent: {0} to {1}.', request.id, name) };
}

function askOf({ kind, suggested, links, tags, bundles, objectives, ingestion }: DecisionOf<'ask'>): RequestAsk {
  const common = { suggested_actions: suggested, links, tags };
  const context = kind === 'request_for_action' ? {} : { bundle_ids: bundles, objectives };
  const passed = ingestion === undefined ? {} : { ingest_request_id: ingestion };
  const parsed = requestAsk().safeParse({ type: kind, payload: { ...common, ...context, ...passed } });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError('bad_input', `${issue?.path.slice(1).join('.') ?? kind}: ${issue?.message ?? ''}`);
}
