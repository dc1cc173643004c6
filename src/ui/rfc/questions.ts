/** The open questions of an RFC as its review shows them. */
import * as l10n from '@vscode/l10n';
import type { OpenQuestionView } from '../../app/rfc/parts.ts';
import type { OpenQuestion, WrittenUnder } from './sections.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';

/** @returns null until the question is raised */
function raisedChoices(view: View, id: string | undefined): OpenQuestion['choices'] | null {
  const raised = view.state.questions.get(id ?? '')?.raised;
  if (!raised) return null;
  return raised.choices.map(({ label, description, recommended }) => ({
    label,
    ...(description === undefined ? {} : { description }),
    ...(recommended ? { recommended } : {}),
  }));
}

interface QuestionOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly view: View;
  readonly one: OpenQuestionView;
  readonly written: WrittenUnder;
  readonly you: string | null;
}

export function questionModel({ folders, folder, view, one, written, you }: QuestionOptions): OpenQuestion {
  const choices = raisedChoices(view, one.human?.question_id) ?? [...written.choices];
  return {
    key: String(one.number),
    text: one.text,
    choices,
    ...(written.more === '' ? {} : { more: written.more }),
    standing: standingModel(folders, folder, one, you),
  };
}

function standingModel(
  folders: Folders,
  folder: OpenFolder,
  { state, author_answer: author, ai_answer: model, human }: OpenQuestionView,
  you: string | null,
): OpenQuestion['standing'] {
  const person = (name: string) => ({ name, you: name === you });
  switch (state) {
    case 'unanswered':
      return { type: 'open' };
    case 'author_answered':
      return { type: 'settled', ...(author === null ? {} : { answer: author }) };
    case 'ai_answered':
      return {
        type: 'answeredByModel',
        model: model?.model ?? l10n.t('a language model'),
        at: model?.at ?? '',
        answer: model?.answer ?? '',
        ...(model && model.evidence.length > 0
          ? { evidence: model.evidence.map((line) => `- ${line.replaceAll('\n', '\n  ')}`).join('\n') }
          : {}),
        ...(model?.confidence === 'low' || model?.confidence === 'medium' || model?.confidence === 'high'
          ? { confidence: model.confidence }
          : {}),
      };
    case 'human_required':
      return {
        type: 'waitsForHuman',
        ...(human ? { question: { key: folders.keyOf(folder, human.question_id), id: human.question_id } } : {}),
      };
    case 'human_answered':
      return {
        type: 'answeredByHuman',
        by: person(human?.by ?? ''),
        at: human?.at ?? '',
        answer: human?.answer ?? '',
      };
  }
}
