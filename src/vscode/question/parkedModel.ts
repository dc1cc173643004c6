/** The resume brief of an agent that stopped waiting, for the form. */
import type { QuestionView } from '../../app/question/views.ts';
import type { QuestionForm } from '../../protocol/question/question.ts';

export function parkedModel(
  { resolution, parked }: Pick<QuestionView, 'resolution' | 'parked'>,
  resume: QuestionForm['resume'],
): Pick<QuestionForm, 'parked' | 'resume'> {
  const resuming = resume ? { resume } : {};
  if (!parked || resolution !== null) return resuming;
  const { by: agent, at, doing, next, files, check_first: checkFirst } = parked;
  return {
    ...resuming,
    parked: { ...{ agent, at, doing, next }, files: [...files], ...(checkFirst === null ? {} : { checkFirst }) },
  };
}
