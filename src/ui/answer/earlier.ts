/** Earlier answers to similar questions, for the form. */
import { answerLine } from '../../core/kit/answerLine.ts';
import { firstLine } from '../../core/kit/text.ts';
import { earlierAnswers } from '../../core/question/earlier.ts';
import type { Question, State } from '../../core/state/state.ts';
import type { QuestionForm } from '../../protocol/question/question.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';

interface Place {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly state: State;
  readonly stored: Question | undefined;
}

export function earlierModel({ folders, folder, state, stored }: Place): Pick<QuestionForm, 'earlier'> {
  const earlier = (stored ? earlierAnswers(state, stored) : []).flatMap(({ id, raised, resolution }) => {
    if (!resolution?.answer) return [];
    const { by, at, answer } = resolution;
    const { choices, text = '', effect } = answer;
    return {
      ...{ key: folders.keyOf(folder, id), id, text: firstLine(raised.text), answer: answerLine(answer) },
      ...{ by, at },
      fill: { choices, text, ...(effect === undefined ? {} : { effect }) },
    };
  });
  return earlier.length === 0 ? {} : { earlier };
}
