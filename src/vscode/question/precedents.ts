/** The form of precedents, on the host's side. */
import * as vscode from 'vscode';
import type { Signing } from '../../app/decision/decisions.ts';
import {
  canBecomePrecedent,
  endPrecedent,
  previewPrecedent,
  proposedEdits,
  setPrecedent,
  shownPrecedentsHash,
  untilAfter,
} from '../../app/decision/precedents.ts';
import type { PrecedentEdits } from '../../app/decision/precedents.ts';
import { listPrecedents } from '../../app/question/precedents.ts';
import type { PrecedentView } from '../../app/question/precedents.ts';
import { answerLine } from '../../core/kit/answerLine.ts';
import { firstLine } from '../../core/kit/text.ts';
import { effectOf } from '../../core/state/answerEffect.ts';
import type { Question } from '../../core/state/state.ts';
import type { Outcome } from '../../protocol/kit/outcome.ts';
import type {
  ListedPrecedent,
  PrecedentDraft,
  PrecedentFields,
  PrecedentMessage,
  PrecedentsView,
} from '../../protocol/question/precedents.ts';
import type { AnswerSnapshot, QuestionForm } from '../../protocol/question/question.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { precedentInBrowser } from '../surface/inBrowser.ts';
import { refused, unconfirmed } from '../surface/signedActs.ts';
import { folderName, precedentsKey, signerOf } from '../surface/workspaceForms.ts';
import type { FormOptions } from '../surface/workspaceForms.ts';

const listedAtMost = 50;
const usesAtMost = 20;
const proposedDays = 30;
const morePrefix = 'more.';

interface Options extends FormOptions {
  /** The answered question; none: only the list. */
  readonly from: string | undefined;
  /** What the human has typed so far; null before. */
  readonly typed: PrecedentFields | null;
}

/** Null if the question cannot become a precedent. */
export function precedentsModel(options: Options): PrecedentsView | null {
  const { folders, folder, view, standing, render, locked, from, typed } = options;
  const question = from === undefined ? undefined : view.state.questions.get(from);
  if (from !== undefined && !(question && canBecomePrecedent(question))) return null;
  const drafted = question ? draftOf(options, question, typed) : null;
  const list = listPrecedents(view).slice(0, listedAtMost);
  return {
    type: 'precedents',
    key: precedentsKey(folders, folder, from),
    // Without a draft that can be signed, the list itself is what an act is about.
    shown: drafted?.shown ?? shownPrecedentsHash(view.state),
    render,
    ...folderName(folders, folder),
    ...(drafted ? { draft: drafted.draft } : {}),
    list: list.map((one) => listed(folders, folder, one)),
    answersAs: signerOf(standing),
    ...(question ? precedentInBrowser(view.state, question, standing) : {}),
    ...(locked === undefined ? {} : { locked }),
  };
}

function draftOf(
  { folders, folder, view }: Options,
  question: Question,
  typed: PrecedentFields | null,
): { readonly draft: PrecedentDraft; readonly shown: string | null } {
  const { state, now } = view;
  const fields = typed ?? fieldsOf(proposedEdits(state, question, now));
  const edits = editsOf(fields, now);
  const { problem, earlier, shown } = previewPrecedent(state, question.id, edits, now);
  const { answer = null } = question.resolution ?? {};
  const said = (one: Question) => (one.resolution?.answer ? answerLine(one.resolution.answer) : null);
  const draft: PrecedentDraft = {
    from: question.id,
    kind: question.raised.type,
    choices: question.raised.choices.map(({ label, description = '' }) =>
      description === '' ? label : `${label}: ${description}`,
    ),
    answer: { choices: answer?.choices ?? [], text: answer?.text ?? '', effect: effectOf(question) ?? 'proceed' },
    fields,
    until: edits.until,
    ...(problem === null ? {} : { problem }),
    earlier: earlier.map((one) => {
      const words = said(one);
      return {
        ...{ key: folders.keyOf(folder, one.id), id: one.id, text: firstLine(one.raised.text, 200) },
        raisedAt: one.raisedAt,
        ...(words === null ? {} : { answer: words }),
        same: words !== null && words === said(question) && effectOf(one) === effectOf(question),
      };
    }),
  };
  return { draft, shown };
}

function fieldsOf({ text, more, work, globs, uses }: PrecedentEdits): PrecedentFields {
  return {
    text,
    ...Object.fromEntries(Object.entries(more).map(([name, source]) => [morePrefix + name, source])),
    ...{ work: (work ?? []).join(', '), globs: globs.join('\n'), days: String(proposedDays), uses: String(uses) },
  };
}

/** @param now ISO 8601 */
function editsOf(fields: PrecedentFields, now: string): PrecedentEdits {
  const more = Object.entries(fields).flatMap(([name, text]) =>
    name.startsWith(morePrefix) ? [[name.slice(morePrefix.length), text.trim()] as const] : [],
  );
  const items = words(fields['work'], /[\s,]+/);
  return {
    text: (fields['text'] ?? '').trim(),
    more: Object.fromEntries(more),
    work: items.length === 0 ? null : items,
    globs: words(fields['globs'], /\n/),
    until: untilAfter(now, wholeNumber(fields['days'])),
    uses: wholeNumber(fields['uses']),
  };
}

function words(text = '', separator: RegExp): string[] {
  return text
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** 0 for anything else, which no precedent takes. */
function wholeNumber(text = ''): number {
  return /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
}

function listed(folders: Folders, folder: OpenFolder, one: PrecedentView): ListedPrecedent {
  return {
    ...{ id: one.id, status: one.status, text: one.text, answer: answerLine(one.answer), by: one.signed_by },
    ...{ until: one.until, used: one.uses.length, atMost: one.uses_at_most },
    uses: one.uses
      .slice(-usesAtMost)
      .reverse()
      .map(({ question, at, taken_back_at: back }) => ({
        ...{ key: folders.keyOf(folder, question), id: question, at, takenBack: back !== null },
      })),
  };
}

/** The link below an answer: to make a precedent of it, or to the precedent that gave it. */
export function precedentLink(
  folders: Folders,
  folder: OpenFolder,
  stored: Question | undefined,
): Pick<QuestionForm, 'precedents'> {
  if (!stored) return {};
  if (stored.resolution?.precedent !== undefined)
    return { precedents: { key: precedentsKey(folders, folder), drafts: false } };
  return canBecomePrecedent(stored)
    ? { precedents: { key: precedentsKey(folders, folder, stored.id), drafts: true } }
    : {};
}

/** Signs the draft of the rendering that the human saw, or ends a precedent. */
export async function carryOutPrecedent(
  signing: Signing,
  message: PrecedentMessage,
  view: AnswerSnapshot,
): Promise<Outcome> {
  const { act } = message;
  if (message.type === 'endPrecedent') {
    await endPrecedent(signing, message.id, message.reason);
    return { type: 'done', act, text: vscode.l10n.t('Ended: {0}. Its earlier answers still stand.', message.id) };
  }
  if (!message.confirmed) return unconfirmed(act, vscode.l10n.t('Signing a precedent needs a second step.'));
  if (view.type !== 'precedents' || !view.draft || view.draft.problem !== undefined)
    return refused(act, 'changed', vscode.l10n.t('This form was updated. Check it and try again.'));
  const { from, fields, until } = view.draft;
  const edits = { ...editsOf(fields, signing.store.read().now), until };
  const id = await setPrecedent(signing, { from, edits, shown: view.shown });
  return { type: 'done', act, text: vscode.l10n.t('Signed: {0}. Such questions are answered from now on.', id) };
}
