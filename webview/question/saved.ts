/**
 * The state that the page keeps over selection changes and reloads: drafts and expanded parts. Everything else comes
 * from the host with the next snapshot.
 */
import type { AnswerEffect } from '../../src/core/kit/words.ts';
import { parseForms, parseUnfolded, type OneFormSaved } from '../forms/page.ts';
import { holdPanels, type HoldPanel } from '../shared/parts.ts';
import { fitting, isRecord, isText, isTexts, oneOf, withFields } from '../shared/signing.ts';

export type TextPanel = 'answer' | 'refuse' | 'release' | 'cancel' | 'revoke' | 'lift' | 'askBack';
export type Panel = TextPanel | HoldPanel;

export interface Draft {
  readonly choices: readonly string[];
  /** Of an option that says no by its effect; without one, the choices determine it. */
  readonly effect?: AnswerEffect | undefined;
  readonly text: Readonly<Record<TextPanel, string>>;
  readonly panel: Panel;
  /** The `shown` when the draft was started: a different one means that the question has changed since. */
  readonly shown: string;
}

export interface Saved extends OneFormSaved {
  readonly version: 1;
  /** By question key, the latest last. */
  readonly drafts: Readonly<Record<string, Draft>>;
}

export const nothingSaved: Saved = { version: 1, revision: 0, drafts: {}, forms: {}, unfolded: {} };

const noText = { answer: '', refuse: '', release: '', cancel: '', revoke: '', lift: '', askBack: '' };

export function emptyDraft(shown: string): Draft {
  return { choices: [], text: noText, panel: 'answer', shown };
}

export function isEmpty(draft: Draft): boolean {
  const texts = Object.values(draft.text);
  return draft.choices.length === 0 && draft.effect === undefined && texts.every((text) => text.trim() === '');
}

export function draftText(draft: Draft): string {
  const { answer, refuse, release, cancel, askBack } = draft.text;
  return [answer, refuse, release, cancel, askBack]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Parses the state of an earlier page; undefined for anything unexpected. */
export function parseSaved(value: unknown): Saved | undefined {
  if (!isRecord(value) || value['version'] !== 1) return undefined;
  const { drafts, forms, unfolded } = value;
  if (!isRecord(drafts) || !isRecord(unfolded)) return undefined;
  const good = Object.entries(fitting<Draft>(drafts, isDraft));
  const revision = typeof value['revision'] === 'number' ? value['revision'] : 0;
  return {
    ...{ version: 1, revision },
    drafts: Object.fromEntries(good.map(([key, draft]) => [key, { ...draft, text: { ...noText, ...draft.text } }])),
    ...{ forms: parseForms(forms), unfolded: parseUnfolded(unfolded) },
  };
}

export const effects: readonly AnswerEffect[] = ['proceed', 'do_not', 'stop'];

const textPanels: readonly TextPanel[] = ['answer', 'refuse', 'release', 'cancel', 'revoke', 'lift', 'askBack'];

const isDraft = withFields({
  ...{ choices: isTexts, shown: isText, panel: oneOf(...textPanels, ...holdPanels) },
  effect: (value) => value === undefined || oneOf(...effects)(value),
  // Earlier versions had fewer acts.
  text: (value) => isRecord(value) && textPanels.every((name) => isText(value[name] ?? '')),
});
