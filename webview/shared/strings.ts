/**
 * Every word a webview shows, in English, by key. The host may send a translated bundle with a snapshot; what it lacks
 * is shown in English. `{name}` marks a place; keys that count end in `.one` and `.other`.
 */
import { html } from 'lit';
import type { TemplateResult } from 'lit';

const english = {
  'time.justNow': 'just now',
  'time.underMinute': 'under a minute',
  'time.ago': '{time} ago',
  'time.seconds': '{n} s',
  'time.minutes': '{n} min',
  'time.hours': '{n} h',
  'time.days': '{n} days',

  'urgency.low': 'low',
  'urgency.medium': 'medium',
  'urgency.high': 'high',
  'urgency.critical': 'critical',
  'kind.clarification': 'clarification',
  'kind.decision': 'decision',
  'kind.approval': 'approval',

  'headline.waiting': 'waiting {time}',
  'headline.asked': 'asked {time}',
  'headline.async': 'goes on meanwhile',
  'headline.position': '{index} of {of}',
  'headline.label': 'Question {id} from {agent}',

  'context.more': 'Show more',
  'context.less': 'Show less',
  'context.impact': 'Impact',
  'context.delayed': 'If this waits',
  'context.holds': 'Holds',
  'context.held': 'Held',
  'context.and': 'and',
  'context.cascade.one': '{n} that depends on it',
  'context.cascade.other': '{n} that depend on it',
  'context.unnamed.one': 'and {n} more',
  'context.unnamed.other': 'and {n} more',
  'context.session': '{agent} does nothing else meanwhile',
  'context.files': 'Files',
  'context.gone': '{path} is not there',
  'context.open': 'Open {path} beside',
  'context.alternatives.one': 'Already considered ({n})',
  'context.alternatives.other': 'Already considered ({n})',
  'context.snippet': 'Context',
  'context.assumption': 'Goes on assuming',
  'context.touched.one': 'Touched since: {n} file',
  'context.touched.other': 'Touched since: {n} files',
  'context.history': 'What happened so far',

  'choices.legend': 'Your answer',
  'choices.legendMultiple': 'Your answer (pick any)',
  'choices.recommended': 'recommended',

  'answer.text': 'Your answer',
  'answer.reason': 'Add a reason',
  'answer.reasonNeeded': 'Reason',
  'answer.send': 'Answer',
  'answer.placeholder': '{label} ({key} to send)',
  'answer.sendFirst': '{label}…',
  'answer.release': 'Let it go on without an answer…',
  'answer.cancel': 'Cancel this question…',
  'answer.pickOrWrite': 'Pick one, or write an answer.',
  'answer.pick': 'Pick one first.',
  'answer.write': 'Write an answer first.',
  'answer.giveReason': '“{choice}” needs a reason.',
  'answer.count': '{n} of {max}',
  'answer.tooLong': '{n} of {max}: shorten it by {over}.',
  'answer.name': 'Your name',
  'answer.nameHint': 'Signs your answers; agents see it.',
  'answer.nameMissing': 'Say who you are first.',
  'answer.sending': 'Sending…',
  'answer.slow': 'This takes longer than usual. Nothing is lost.',
  'answer.again': 'Try again',
  'answer.back': 'Back',
  'answer.changed': 'This question was changed after you began. Read it again before you answer.',
  'answer.locked': 'Read only',

  'confirm.answer': 'This is critical. Send this answer?',
  'confirm.answerYes': 'Yes, answer',
  'confirm.release': 'This is critical. Let the work go on without an answer?',
  'confirm.releaseYes': 'Yes, let it go on',
  'confirm.cancel': 'This is critical. Cancel the question?',
  'confirm.cancelYes': 'Yes, cancel it',

  'release.title': 'Let it go on without an answer',
  'release.effect': 'Frees what this holds. {agent} gets your note in place of an answer.',
  'release.note': 'Note to the agent',
  'release.send': 'Let it go on',
  'release.missing': 'Write a note first: it is all the agent gets.',
  'cancel.title': 'Cancel this question',
  'cancel.effect': 'Frees what this holds. {agent} is told that the question no longer matters, and why.',
  'cancel.reason': 'Reason',
  'cancel.send': 'Cancel the question',
  'cancel.missing': 'Write a reason first: the agent is told why.',

  'done.you': 'You',
  'done.answered': '{who} answered {time}',
  'done.cancelled': '{who} cancelled this {time}',
  'done.released': '{who} let it go on without an answer {time}',
  'done.expired': 'Expired {time}: nobody answered',
  'done.received': '{agent} got it {time} later and goes on.',
  'done.receivedCancel': '{agent} was told {time} later.',
  'done.waiting': 'Waiting for {agent} to pick it up',
  'done.next': 'Next: {id}',
  'done.noNext': 'Nothing else waits on you.',
  'done.draft': 'Your draft, not sent',
  'done.copy': 'Copy',
  'done.discard': 'Discard',
  'done.expiredFailed': 'Failed because nobody answered:',
  'done.expiredHeld': 'What it holds stays held until you let it go on.',
  'done.expiredFree': 'Nothing is held by it.',

  'foot.expires': 'expires in {time}',
  'foot.expiring': 'about to expire',
  'foot.as': 'answering as {name}',
  'foot.copyLink': 'copy link',
  'foot.copied': 'copied',

  'forgery.title': 'Ignored records',
  'forgery.answer': 'A record that claims to answer {id} has no valid signature. It was ignored; {rest}',
  'forgery.cancel': 'A record that claims to cancel {id} has no valid signature. It was ignored; {rest}',
  'forgery.release': 'A record that claims to release {id} has no valid signature. It was ignored; {rest}',
  'forgery.other': 'A record about {id} has no valid signature. It was ignored; {rest}',
  'forgery.waits': '{id} is still waiting.',
  'forgery.settled': 'nothing about {id} has changed.',
  'forgery.show': 'Show {id}',
  'forgery.dismiss': 'Dismiss',
  'forgery.more.one': 'and {n} more like it',
  'forgery.more.other': 'and {n} more like it',

  'nothing.title': 'Nothing waits on you',
  'nothing.idle': 'No agent is at work. When one stops to ask, its question appears here.',
  'nothing.working': 'At work now',

  'recovery.title': 'Holdpoint cannot tell what is held',
  'recovery.consequence':
    'Until you choose a way out, every agent is told to stop: a damaged record never means that nothing is held.',
  'recovery.detail': 'Details',
  'recovery.ways': 'Ways out',
  'recovery.restore': 'Restore the copy this editor keeps',
  'recovery.restoreFrom': 'Copied {time}',
  'recovery.restoreDo': 'Restore the copy',
  'recovery.setAside': 'Set the damaged line aside',
  'recovery.setAsideDo': 'Set it aside',
  'recovery.startAnew': 'Start anew',
  'recovery.startAnewDo': 'Start anew',
  'recovery.choose': 'Choose…',
  'recovery.loses': 'Lost for good:',
  'recovery.typeWord': 'Type “{word}” to go on',
  'recovery.tickFirst': 'Tick the box first: it says what will be lost.',
  'recovery.wordFirst': 'Type “{word}” first, exactly as it is written.',

  'enrol.title': 'This editor cannot sign for you yet',
  'enrol.why':
    'Answers are signed with a key that lives in this editor, and other keys are already known on this machine. Until you add this editor’s, nothing you answer here would count.',
  'enrol.pinned': 'Known keys',
  'enrol.pinnedAt': 'since {time}',
  'enrol.do': 'Let this editor sign',
  'enrol.notYou': 'If none of these is yours, somebody else has used Holdpoint on this account. Ask before you go on.',

  'unavailable.openFolder': 'Open Folder',
  'unavailable.manageTrust': 'Manage Workspace Trust',
  'unavailable.reloadWindow': 'Reload Window',

  'live.done': 'Done.',
  'live.waiting.one': '{n} question waits on you.',
  'live.waiting.other': '{n} questions wait on you.',
} as const;

export type Key = keyof typeof english;
type CountedKey = Key extends infer K ? (K extends `${infer Base}.other` ? Base : never) : never;
type Values = Record<string, string | number>;

let translated: Readonly<Record<string, string>> = {};
let language = 'en';
let plural = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat('en');

/** Called with every snapshot. */
export function setLanguage(tag: string, bundle: Readonly<Record<string, string>> | undefined): void {
  translated = bundle ?? {};
  if (tag === language) return;
  language = isLanguage(tag) ? tag : 'en';
  plural = new Intl.PluralRules(language);
  numbers = new Intl.NumberFormat(language);
}

/** The host's word for a language may be none that the browser knows. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

export function locale(): string {
  return language;
}

export function t(key: Key, values: Values = {}): string {
  return pattern(key).replace(/\{(\w+)\}/g, (whole, name: string) => written(values[name] ?? whole));
}

function written(value: string | number): string {
  return typeof value === 'number' ? numbers.format(value) : value;
}

/** A string that counts `n` things. */
export function tn(base: CountedKey, n: number, values: Values = {}): string {
  const key = `${base}.${plural.select(n) === 'one' ? 'one' : 'other'}` as Key;
  return t(key, { n, ...values });
}

/** The same with templates in the places (names set apart, times with tooltips). */
export function th(key: Key, values: Record<string, unknown>): TemplateResult {
  const parts = pattern(key).split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : (values[part] ?? '')))}`;
}

function pattern(key: Key): string {
  return translated[key] ?? english[key];
}
