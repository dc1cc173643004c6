/** For the form: the resume brief of an agent that stopped waiting. */
import { shownAgent } from '../../core/kit/persons.ts';
import type { QuestionView } from '../../app/question/views.ts';
import type { QuestionForm } from '../../protocol/question/question.ts';

export function parkedModel(
  { resolution, parked }: Pick<QuestionView, 'resolution' | 'parked'>,
  resume: QuestionForm['resume'],
  own: string | null,
): Pick<QuestionForm, 'parked' | 'resume'> {
  const always = resume ? { resume } : {};
  if (!parked || resolution !== null) return always;
  const { by, at, doing, next, files, check_first: checkFirst } = parked;
  return {
    ...always,
    parked: {
      ...{ agent: shownAgent(by, own), at, doing, next },
      files: [...files],
      ...(checkFirst === null ? {} : { checkFirst }),
    },
  };
}
