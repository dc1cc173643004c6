/** The form for a new request in the name of a human, or of a steward without agents. */
import * as l10n from '@vscode/l10n';
import type { Signing } from '../../app/decision/decisions.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { createAsHuman } from '../../app/request/decisions.ts';
import { requestDetails } from '../../app/request/views.ts';
import { actsFor } from '../../core/request/request.ts';
import { requestAsk } from '../../core/records/request.ts';
import type { RequestAsk } from '../../core/records/request.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { Outcome, FormView, Token } from '../kit/view.ts';
import type { AskMessage } from './messages.ts';
import type { View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import { refused } from '../surface/signedActs.ts';
import { appointKey, askKey, folderName, signerOf } from '../surface/workspaceForms.ts';
import type { FormOptions } from '../surface/workspaceForms.ts';
import type { ResponsibilityKind } from '../../core/records/requestWords.ts';

interface Party {
  id: string;
  kind: ResponsibilityKind;
  name: string;
}

/** A new request: possible senders and recipients, and what a human steward still has to pass on. */
export interface AskView extends FormView {
  type: 'ask';
  /** Possible senders: humans and stewards. */
  origins: readonly Party[];
  targets: readonly Party[];
  /** Ingestions that a steward has accepted, normalised and added to the lineage. */
  ingestions: readonly { id: string; steward: string; subject: string; bundles: readonly string[] }[];
  /** The form for appointing one. */
  appoint: Token;
}

type Offered = Pick<AskView, 'origins' | 'targets' | 'ingestions'>;

/** The possible origins and targets, and what a steward can pass on. */
function offered(view: View): Offered {
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

export function askModel({ folders, folder, view, standing, render, locked }: FormOptions): AskView {
  const all = offered(view);
  return {
    type: 'ask',
    key: askKey(folders, folder),
    shown: hashOf(all),
    render,
    ...folderName(folders, folder),
    ...all,
    appoint: appointKey(folders, folder),
    answersAs: signerOf(standing),
    ...(locked === undefined ? {} : { locked }),
  };
}

/** @throws AppError `not_found`, `denied` by a guardrail, `bad_input` */
export async function carryOutAsk(signing: Signing, message: AskMessage): Promise<Outcome> {
  const { act, shown, origin, target, subject, summary, priority } = message;
  const view = signing.store.read();
  if (shown !== hashOf(offered(view)))
    return refused(
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

function askOf({ kind, suggested, links, tags, bundles, objectives, ingestion }: AskMessage): RequestAsk {
  const common = { suggested_actions: suggested, links, tags };
  const context = kind === 'request_for_action' ? {} : { bundle_ids: bundles, objectives };
  const passed = ingestion === undefined ? {} : { ingest_request_id: ingestion };
  const parsed = requestAsk().safeParse({ type: kind, payload: { ...common, ...context, ...passed } });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError('bad_input', `${issue?.path.slice(1).join('.') ?? kind}: ${issue?.message ?? ''}`);
}
