/** The acts of the forms about requests. Their drafts are kept like those of questions: choice, text, and more. */
import type { AppointView, RequestAction, RequestView } from '../../src/protocol/request/forms.ts';
import { mark, missingName } from '../shared/marks.ts';
import { t } from '../shared/strings.ts';
import type { Decider } from './decider.ts';
import { emptyDraft } from './saved.ts';
import type { Draft } from './saved.ts';

export interface RequestActsOptions extends Decider {
  readonly maxText: () => number;
  readonly draftOf: (key: string) => Draft | undefined;
  readonly keepDraft: (key: string, draft: Draft) => void;
  /** Shows a part that may be folded. */
  readonly unfold: (part: string) => void;
}

/** What a form about a request has so far. `until` is as the field has it, in local time. */
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

export function createRequestActs(options: RequestActsOptions) {
  const { newAct, ready, send, complain, nameFor } = options;

  function requestDraft(view: RequestView): RequestDraft {
    const kept = options.draftOf(view.key);
    const action = view.actions.find((one) => kept?.choices[0] === one);
    return { action, note: kept?.text.answer ?? '', until: kept?.text.cancel ?? '' };
  }

  function appointDraft(view: AppointView): AppointDraft {
    const kept = options.draftOf(view.key);
    return {
      kind: kept?.choices[0] === 'steward' ? 'steward' : 'human',
      id: kept?.text.answer ?? '',
      called: kept?.text.release ?? '',
      agents: kept?.text.cancel ?? '',
    };
  }

  function keep(view: RequestView | AppointView, choice: string | undefined, text: Partial<Draft['text']>): void {
    const draft = emptyDraft(view.shown);
    options.keepDraft(view.key, {
      ...draft,
      choices: choice === undefined ? [] : [choice],
      text: { ...draft.text, ...text },
    });
  }

  return {
    requestDraft,
    appointDraft,
    /** Whether what was begun was begun on something else. */
    isStale: (view: RequestView | AppointView): boolean => {
      const kept = options.draftOf(view.key);
      return kept !== undefined && kept.shown !== view.shown;
    },

    editRequest: (view: RequestView, change: Partial<RequestDraft>): void => {
      const { action, note, until } = { ...requestDraft(view), ...change };
      keep(view, action, { answer: note, cancel: until });
    },

    editAppointment: (view: AppointView, change: Partial<AppointDraft>): void => {
      const { kind, id, called, agents } = { ...appointDraft(view), ...change };
      keep(view, kind, { answer: id, release: called, cancel: agents });
    },

    answerRequest: (): void => {
      const view = options.view();
      if (view?.type !== 'request' || view.locked !== undefined || view.actions.length === 0 || !ready()) return;
      const { action, note: written, until } = requestDraft(view);
      const note = written.trim();
      const name = nameFor(view.answersAs.name);
      const max = options.maxText();
      const time = new Date(until);
      if (action === undefined) complain({ field: 'choices', text: t('request.pickFirst') });
      else if (action === 'defer' && !(time.getTime() > Date.now()))
        complain({ field: 'until', text: t('request.untilMissing') });
      else if (needsNote(action) && note === '') complain({ field: 'text', text: t('request.noteMissing') });
      else if (note.length > max)
        complain({ field: 'text', text: t('answer.tooLong', { n: note.length, max, over: note.length - max }) });
      else {
        const lacking = missingName(view.answersAs, name);
        const when = action === 'defer' ? { until: time.toISOString() } : {};
        if (lacking) complain(lacking);
        else send({ type: 'request', ...mark(view, newAct(), name), action, note, ...when });
      }
    },

    appoint: (): void => {
      const view = options.view();
      if (view?.type !== 'appoint' || view.locked !== undefined || !ready()) return;
      const draft = appointDraft(view);
      const id = draft.id.trim();
      const called = draft.called.trim();
      const name = nameFor(view.answersAs.name);
      const lacking = missingName(view.answersAs, name);
      if (!idPattern.test(id)) complain({ field: 'id', text: t('appoint.idWrong') });
      else if (called === '') complain({ field: 'called', text: t('appoint.calledMissing') });
      else if (lacking) complain(lacking);
      else if (options.confirmed()) {
        const agents = draft.kind === 'human' ? [] : agentsOf(draft);
        send({ type: 'appoint', ...mark(view, newAct(), name), id, kind: draft.kind, called, agents, confirmed: true });
      }
    },
  };
}

function agentsOf({ agents }: AppointDraft): string[] {
  return agents
    .split(/[\s,]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
