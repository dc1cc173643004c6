/** What a person reads before signing, derived from nothing but what is hashed. */
import * as vscode from 'vscode';
import type { UnsignedRecord } from '../core/records/decision.ts';
import type { CheckedItem } from './check.ts';
import type { ShownQuestion } from './models.ts';

export interface Described {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Everything that is signed, as JSON. */
  readonly whole: string;
}

interface Row {
  readonly label: string;
  readonly text: string;
  /** The question and the decision are larger. */
  readonly isMain?: boolean;
}

export function describe({ record, shown, whole }: CheckedItem): Described {
  const rows: Row[] = [];
  if (shown.about === 'policy') rows.push(...policyRows(shown.policy, record));
  else {
    const question = shown.about === 'question' ? shown.question : shown.answer.question;
    rows.push(main(vscode.l10n.t('Question'), question.text));
    rows.push(...decisionRows(record));
    if (shown.about === 'answer')
      rows.push({ label: vscode.l10n.t('Answered before'), text: json(shown.answer.resolution) });
    rows.push(...questionRows(question));
  }
  return { title: titleOf(record), rows, whole: json(whole) };
}

function titleOf(record: UnsignedRecord): string {
  switch (record.kind) {
    case 'question.answered':
      return vscode.l10n.t('Answer {0}', record.id);
    case 'question.cancelled':
      return vscode.l10n.t('Cancel {0}', record.id);
    case 'question.released':
      return vscode.l10n.t('Release {0} without an answer', record.id);
    case 'question.askedBack':
      return vscode.l10n.t('Ask back about {0}', record.id);
    case 'answer.revoked':
      return vscode.l10n.t('Stop reusing the answer to {0}', record.id);
    case 'refusal.lifted':
      return vscode.l10n.t('Lift the refusal of {0}', record.id);
    case 'policy.changed':
      return vscode.l10n.t('Change the policy');
    default:
      return record.kind;
  }
}

function decisionRows(record: UnsignedRecord): Row[] {
  switch (record.kind) {
    case 'question.answered': {
      const { choices, text, effect } = record.answer;
      const chosen = choices.map((choice) => main(vscode.l10n.t('Your choice'), choice));
      const said = text === undefined ? [] : [main(vscode.l10n.t('Your answer'), text)];
      const meant = effect === undefined ? [] : [{ label: vscode.l10n.t('Effect'), text: effectWords(effect) }];
      return [...chosen, ...said, ...meant];
    }
    case 'question.cancelled':
    case 'answer.revoked':
    case 'refusal.lifted':
      return [main(vscode.l10n.t('Your reason'), record.reason)];
    case 'question.released':
      return [main(vscode.l10n.t('Your note'), record.note)];
    case 'question.askedBack':
      return [main(vscode.l10n.t('Your question to the agent'), record.text)];
    default:
      return [];
  }
}

function effectWords(effect: 'proceed' | 'do_not' | 'stop'): string {
  switch (effect) {
    case 'proceed':
      return vscode.l10n.t('It may be done.');
    case 'do_not':
      return vscode.l10n.t('It must not be done until you lift this.');
    case 'stop':
      return vscode.l10n.t('The work is cancelled.');
  }
}

function questionRows(question: ShownQuestion): Row[] {
  const { asker, urgency, type, mode, work, alsoWork = [], scopes, widened, choices } = question;
  const items = [...(work === null ? [] : [work]), ...alsoWork];
  return [
    { label: vscode.l10n.t('Agent'), text: asker },
    { label: vscode.l10n.t('Urgency'), text: urgency },
    { label: vscode.l10n.t('Type'), text: type },
    {
      label: vscode.l10n.t('The agent waits'),
      text: mode === 'sync' ? vscode.l10n.t('yes') : vscode.l10n.t('no, it continues'),
    },
    { label: vscode.l10n.t('Held work'), text: items.length === 0 ? vscode.l10n.t('none named') : list(items) },
    { label: vscode.l10n.t('Held files'), text: filesOf(scopes, widened !== undefined) },
    ...(choices.length === 0
      ? []
      : [{ label: vscode.l10n.t('Choices'), text: list(choices.map(({ label }) => label)) }]),
  ];
}

function filesOf(scopes: readonly string[], areAll: boolean): string {
  if (areAll) return vscode.l10n.t('all files of the workspace');
  return scopes.length === 0 ? vscode.l10n.t('none named') : list(scopes);
}

/** Each value that changes, before and after. */
function policyRows(before: Readonly<Record<string, unknown>>, record: UnsignedRecord): Row[] {
  const { kind: _, v: __, ...after } = record as UnsignedRecord & Readonly<Record<string, unknown>>;
  return Object.entries(after)
    .filter(([name, value]) => json(value) !== json(before[name] ?? null))
    .map(([name, value]) => main(name, vscode.l10n.t('{0}, instead of {1}', json(value), json(before[name] ?? null))));
}

function main(label: string, text: string): Row {
  return { label, text, isMain: true };
}

function list(entries: readonly string[]): string {
  return entries.join('\n');
}

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
