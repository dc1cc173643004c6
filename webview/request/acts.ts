/** The acts of the forms about requests: answering one, and appointing stewards and humans. */
import type { AppointMessage, AskMessage, RequestAction, RequestMessage } from '../../src/ui/answer/messages.ts';
import type { AppointView, RequestView, AskView } from '../../src/ui/answer/requests.ts';
import type { Missing } from '../shared/formPage.ts';
import type { FormActs } from '../shared/oneForm.ts';
import { t } from '../shared/strings.ts';

export interface RequestActsOptions {
  readonly acts: FormActs<RequestMessage | AskMessage | AppointMessage>;
  readonly view: () => RequestView | AskView | AppointView | undefined;
  readonly maxText: () => number;
}

/** The draft of a form about a request. `until` is the field's value, in local time. */
export interface RequestDraft {
  readonly action: RequestAction | undefined;
  readonly note: string;
  readonly until: string;
}

export interface AppointDraft {
  readonly kind: 'human' | 'steward';
  readonly id: string;
  readonly called: string;
  readonly agents: string;
}

const idPattern = /^[a-z0-9][a-z0-9._@-]{0,99}$/;
const noteOptional: readonly RequestAction[] = ['accept', 'ack_context_relevant', 'defer', 'not_relevant'];

export function needsNote(action: RequestAction | undefined): boolean {
  return action !== undefined && !noteOptional.includes(action);
}

export function createRequestActs({ acts, view, maxText }: RequestActsOptions) {
  function requestDraft({ key, actions }: RequestView): RequestDraft {
    const { action, note = '', until = '' } = acts.fieldsOf(key)?.fields ?? {};
    return { action: actions.find((one) => one === action), note, until };
  }

  function appointDraft({ key }: AppointView): AppointDraft {
    const { kind, id = '', called = '', agents = '' } = acts.fieldsOf(key)?.fields ?? {};
    return { kind: kind === 'steward' ? 'steward' : 'human', id, called, agents };
  }

  return {
    requestDraft,
    appointDraft,
    /** Whether the draft was started on different content. */
    isStale: ({ key, shown }: RequestView | AppointView): boolean => {
      const kept = acts.fieldsOf(key);
      return kept !== undefined && kept.shown !== shown;
    },

    editRequest: (target: RequestView, change: Partial<RequestDraft>): void => {
      const { action, ...others } = { ...requestDraft(target), ...change };
      acts.keepFields(target, { ...others, ...(action === undefined ? {} : { action }) });
    },

    editAppointment: (target: AppointView, change: Partial<AppointDraft>): void =>
      acts.keepFields(target, { ...appointDraft(target), ...change }),

    answerRequest: (): void => {
      const target = view();
      if (target?.type !== 'request' || target.locked !== undefined || target.actions.length === 0) return;
      const draft = requestDraft(target);
      const { action, until } = draft;
      const lacking = missingRequest(draft, maxText());
      if (action === undefined) {
        if (acts.ready()) acts.complain({ field: 'choices', text: t('Choose a response first.') });
        return;
      }
      acts.attempt({
        ...{ target, lacking },
        make: (marks) => ({
          ...{ type: 'request', ...marks, action, note: draft.note.trim() },
          ...(action === 'defer' ? { until: new Date(until).toISOString() } : {}),
        }),
      });
    },

    appoint: (): void => {
      const target = view();
      if (target?.type !== 'appoint' || target.locked !== undefined) return;
      const draft = appointDraft(target);
      const agents = draft.kind === 'human' ? [] : agentsOf(draft);
      acts.attempt({
        ...{ target, lacking: missingAppointment(draft), twice: true },
        make: (marks) => ({
          ...{ type: 'appoint', ...marks, id: draft.id.trim(), kind: draft.kind, called: draft.called.trim() },
          ...{ agents, confirmed: true },
        }),
      });
    },
  };
}

function missingRequest({ action, note: written, until }: RequestDraft, max: number): Missing | undefined {
  const note = written.trim();
  if (action === 'defer' && !(new Date(until).getTime() > Date.now()))
    return { field: 'until', text: t('Choose a time in the future.') };
  if (needsNote(action) && note === '') return { field: 'text', text: t('Enter a reply; the requester will read it.') };
  if (note.length <= max) return undefined;
  return {
    field: 'text',
    text: t('{n} of {max}: shorten it by {over}.', { n: note.length, max, over: note.length - max }),
  };
}

function missingAppointment({ id, called }: AppointDraft): Missing | undefined {
  if (!idPattern.test(id.trim())) return { field: 'id', text: t('Use lower-case letters, digits and . _ @ -') };
  return called.trim() === '' ? { field: 'called', text: t('Enter a name.') } : undefined;
}

function agentsOf({ agents }: AppointDraft): string[] {
  return agents
    .split(/[\s,]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
