/** What waiting costs the agent, and the resume brief of one that stopped waiting, for the form. */
import type { QuestionView } from '../../app/question/views.ts';
import { agentCache } from '../surface/agentCache.ts';
import type { OpenFolder } from '../kit/folders.ts';
import type { QuestionForm } from '../../protocol/question/question.ts';

export function parkedModel(
  folder: Pick<OpenFolder, 'workspace'>,
  { id, resolution, parked }: Pick<QuestionView, 'id' | 'resolution' | 'parked'>,
  resume: QuestionForm['resume'],
): Pick<QuestionForm, 'parked' | 'resume' | 'cache'> {
  const cache = agentCache(folder, id);
  const always = { ...(resume ? { resume } : {}), ...(cache ? { cache } : {}) };
  if (!parked || resolution !== null) return always;
  const { by: agent, at, doing, next, files, check_first: checkFirst } = parked;
  return {
    ...always,
    parked: { ...{ agent, at, doing, next }, files: [...files], ...(checkFirst === null ? {} : { checkFirst }) },
  };
}
