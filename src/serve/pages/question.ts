/** The form of a question or a request in a browser. */
import * as l10n from '@vscode/l10n';
import { isRfcId } from '../../core/waiting/items.ts';
import { limits } from '../../core/kit/limits.ts';
import { isOfBrowsers, questionMessage, type QuestionMessage } from '../../ui/answer/messages.ts';
import type { AnswerSnapshot, Snapshot } from '../../ui/answer/view.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { formAbout } from '../../ui/answer/form.ts';
import { nothingModel, waitingQueue } from '../../ui/answer/nothing.ts';
import { inDoubt } from '../../ui/surface/unavailable.ts';
import type { Shown } from '../../ui/surface/signingSurface.ts';
import { refusedOutcome } from '../../ui/surface/signedActs.ts';
import { createDecisions, type Decidable } from '../../ui/answer/decisions.ts';
import { workspaceForm } from '../../ui/surface/workspaceForms.ts';
import { lookFirst, openSigningPage, restoreHere, readsOnly, sharedView, standingOf } from './reader.ts';
import { pathOf, type PageOptions } from './livePage.ts';

export function openQuestionPage(options: PageOptions): Closable {
  const { live, session, models, key } = options;
  return openSigningPage<Snapshot, QuestionMessage, Seen>(options, {
    schema: questionMessage,
    besides: { limits: { answer: limits.answerText, reason: limits.otherText, name: limits.title }, tab: true },
    async current(render) {
      const make = () => currentForm(options);
      const { view, text } = await sharedView(models, { key: ['question', key, session.keyid], render, make });
      return 'render' in view ? { view, text, seen: { targets: [view], view } } : { view, text };
    },
    sign: (means, message, { view }) =>
      isOfBrowsers(message)
        ? createDecisions(means)(message, view)
        : Promise.resolve(refusedOutcome(message.act, 'invalid', l10n.t('This is done in the editor.'))),
    receive(message) {
      if (message.type === 'select') live.send({ event: 'go', data: pathOf(message.key) });
      if (message.type === 'back') live.send({ event: 'go', data: '/' });
      if (message.type === 'restoreHeld') return restoreHere(options, message);
    },
  });
}

interface Seen extends Shown {
  readonly view: Decidable;
}

/** Without the mark of one page's rendering. Of other keys, a browser shows nothing. */
async function currentForm({ folders, session, models, key }: PageOptions): Promise<AnswerSnapshot> {
  const [folder] = folders.all;
  if (!folder) throw new Error('no folder');
  const { problem } = folder.workspace.standing();
  if (problem) return inDoubt(problem);
  const queue = await models.of(['queue'], () => waitingQueue(folders));
  const id = folders.find(key ?? queue.find((one) => !isRfcId(one.id))?.key ?? '')?.id;
  const show = (of: string | undefined) =>
    of === undefined
      ? null
      : formAbout(
          {
            ...{ folders, where: 'browser', rootsOf: () => [], pasted: '', readsOnly: readsOnly() },
            standing: (workspace) => standingOf(workspace, session),
            keys: { strangers: () => Promise.resolve(new Set<string>()), own: () => Promise.resolve(null) },
            look: (workspace, about) => models.of(['look', about], () => lookFirst(workspace, about)),
          },
          { folder, id: of, queue, render: '' },
        );
  const wide = workspaceForm(id ?? '');
  // Once none is left to answer with it: the result of this one.
  const alone = wide?.kind === 'together' ? wide.about : undefined;
  return (await show(id)) ?? (await show(alone)) ?? nothingModel(folders, queue);
}
