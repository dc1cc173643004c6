/** The act of the form for a new request. Its fields are kept as a draft, by name. */
import type { AskMessage } from '../../src/ui/answer/messages.ts';
import type { AskView } from '../../src/ui/answer/requests.ts';
import type { Missing } from '../shared/formPage.ts';
import { t } from '../shared/strings.ts';
import { askFields } from './askFields.ts';
import type { AskField } from './askFields.ts';
import type { RequestActsOptions } from './acts.ts';

/** Every field's value; times in local time, deadlines in hours. */
export type AskDraft = Readonly<Record<AskField, string>>;

/** The fields in the part that starts collapsed. */
const folded: readonly AskField[] = ['suggested', 'links', 'tags', 'available', 'due', 'respond', 'finish'];

export type AskKind = AskMessage['kind'];
export const askPriorities = { sooner: 50, normal: 100, later: 200 } as const;

/** The kinds that are allowed between these two. */
export function askKinds(view: AskView, { origin, target }: AskDraft): readonly AskKind[] {
  const kindOf = (id: string) => view.targets.find((one) => one.id === id)?.kind;
  const kinds: AskKind[] = ['request_for_action'];
  if (kindOf(target) === 'steward') kinds.push('ingest_new_context');
  if (kindOf(origin) === 'steward') kinds.push('new_context_available');
  return kinds;
}

export function pickedKind(view: AskView, draft: AskDraft): AskKind {
  return askKinds(view, draft).find((kind) => kind === draft.kind) ?? 'request_for_action';
}

/** One entry per line. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function createAskActs({ acts, view, maxText }: RequestActsOptions) {
  function askDraft({ key, origins }: AskView): AskDraft {
    const kept = acts.fieldsOf(key)?.fields ?? {};
    const draft = Object.fromEntries(askFields.map((name) => [name, kept[name] ?? ''])) as Record<AskField, string>;
    // With only one name there is nothing to choose.
    const [only] = origins;
    if (origins.length === 1 && only) draft.origin = only.id;
    return draft;
  }

  return {
    askDraft,

    editAsk: (target: AskView, change: Partial<AskDraft>): void =>
      acts.keepFields(target, { ...askDraft(target), ...change }),

    ask: (): void => {
      const target = view();
      if (target?.type !== 'ask' || target.locked !== undefined || target.origins.length === 0) return;
      const draft = askDraft(target);
      const lacking = missingAsk(target, draft, maxText());
      if (lacking && acts.ready() && folded.some((field) => field === lacking.field)) acts.unfold('more', true);
      acts.attempt({ target, lacking, make: (marks) => ({ type: 'ask', ...marks, ...contentOf(target, draft) }) });
    },
  };
}

function missingAsk(view: AskView, draft: AskDraft, max: number): Missing | undefined {
  const kind = pickedKind(view, draft);
  if (!view.origins.some(({ id }) => id === draft.origin)) return { field: 'origin', text: t('Choose a sender.') };
  if (!view.targets.some(({ id }) => id === draft.target)) return { field: 'target', text: t('Choose a recipient.') };
  if (draft.origin === draft.target) return { field: 'target', text: t('Sender and recipient must differ.') };
  if (draft.subject.trim() === '') return { field: 'subject', text: t('Enter a subject.') };
  if (draft.subject.trim().length > 200) return tooLong('subject', draft.subject.trim().length, 200);
  if (draft.summary.trim() === '')
    return {
      field: 'summary',
      text: t('Describe the request and its reason; the recipient has no other information.'),
    };
  if (draft.summary.trim().length > max) return tooLong('summary', draft.summary.trim().length, max);
  if (kind !== 'request_for_action') {
    if (linesOf(draft.bundles).length === 0) return { field: 'bundles', text: t('Enter the bundles, one per line.') };
    if (linesOf(draft.objectives).length === 0) return { field: 'objectives', text: t('Say why the bundles matter.') };
  }
  return missingLines(draft, max) ?? missingTime(draft);
}

function tooLong(field: AskField, n: number, max: number): Missing {
  return { field, text: t('{n} of {max}: shorten it by {over}.', { n, max, over: n - max }) };
}

function missingLines(draft: AskDraft, max: number): Missing | undefined {
  const longest = { bundles: 200, objectives: max, suggested: max, links: 200, tags: 200 } as const;
  for (const field of ['bundles', 'objectives', 'suggested', 'links', 'tags'] as const) {
    const lines = linesOf(draft[field]);
    if (lines.length > 100) return { field, text: t('{n} lines; the limit is 100.', { n: lines.length }) };
    const long = lines.find((line) => line.length > longest[field]);
    if (long !== undefined) return tooLong(field, long.length, longest[field]);
  }
  return undefined;
}

function missingTime(draft: AskDraft): Missing | undefined {
  const now = Date.now();
  const at = (text: string) => new Date(text).getTime();
  if (draft.available !== '' && !(at(draft.available) > now))
    return { field: 'available', text: t('Choose a time in the future.') };
  if (draft.due !== '' && !(at(draft.due) > now)) return { field: 'due', text: t('Choose a time in the future.') };
  if (draft.available !== '' && draft.due !== '' && !(at(draft.due) > at(draft.available)))
    return { field: 'due', text: t('Choose a time after “Not before”.') };
  for (const field of ['respond', 'finish'] as const)
    if (draft[field].trim() !== '' && secondsOf(draft[field]) === undefined)
      return { field, text: t('Enter hours from 0.01 to 8760, or leave it empty.') };
  return undefined;
}

/** Parses a number of hours, up to a year. */
function secondsOf(hours: string): number | undefined {
  const value = /^\d{1,4}([.,]\d{1,2})?$/.test(hours.trim()) ? Number(hours.trim().replace(',', '.')) : NaN;
  const seconds = Math.round(value * 3_600);
  return seconds >= 1 && value <= 8_760 ? seconds : undefined;
}

type Content = Omit<AskMessage, 'type' | 'act' | 'key' | 'shown' | 'render' | 'name'>;

function contentOf(view: AskView, draft: AskDraft): Content {
  const kind = pickedKind(view, draft);
  const aboutContext = kind !== 'request_for_action';
  const passed =
    kind === 'new_context_available' &&
    view.ingestions.some(({ id, steward }) => id === draft.ingestion && steward === draft.origin);
  const time = (field: 'available' | 'due') => new Date(draft[field]).toISOString();
  const respond = secondsOf(draft.respond);
  const finish = secondsOf(draft.finish);
  return {
    kind,
    origin: draft.origin,
    target: draft.target,
    subject: draft.subject.trim(),
    summary: draft.summary.trim(),
    suggested: linesOf(draft.suggested),
    links: linesOf(draft.links),
    tags: linesOf(draft.tags),
    bundles: aboutContext ? linesOf(draft.bundles) : [],
    objectives: aboutContext ? linesOf(draft.objectives) : [],
    priority: askPriorities[isPriority(draft.priority) ? draft.priority : 'normal'],
    ...(passed ? { ingestion: draft.ingestion } : {}),
    ...(draft.available === '' ? {} : { availableAt: time('available') }),
    ...(draft.due === '' ? {} : { dueAt: time('due') }),
    ...(respond === undefined ? {} : { responseSeconds: respond }),
    ...(finish === undefined ? {} : { completionSeconds: finish }),
  };
}

export function isPriority(text: string): text is keyof typeof askPriorities {
  return text in askPriorities;
}
