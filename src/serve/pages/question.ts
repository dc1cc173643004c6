/** The form of a question or a request in a browser. */
import * as l10n from '@vscode/l10n';
import { isRfcId } from '../../core/waiting/items.ts';
import { limits } from '../../core/kit/limits.ts';
import { questionMessage, type Decision, type QuestionMessage } from '../../ui/answer/messages.ts';
import type { Outcome } from '../../ui/kit/view.ts';
import type { AnswerSnapshot, Snapshot } from '../../ui/answer/view.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import { formAbout } from '../../ui/answer/form.ts';
import { nothingModel, waitingQueue } from '../../ui/answer/nothing.ts';
import { inDoubt, outageOf } from '../../ui/surface/unavailable.ts';
import { createSigningSurface, type Shown, type SigningSurface } from '../../ui/surface/signingSurface.ts';
import { refused } from '../../ui/surface/signedActs.ts';
import { createDecisions, type Decidable } from '../../ui/answer/decisions.ts';
import { workspaceForm } from '../../ui/surface/workspaceForms.ts';
import { lookFirst, restoreHere, readsOnly, signInBrowser, standingOf } from './reader.ts';
import { pathOf, type PageOptions } from './livePage.ts';

export function openQuestionPage(options: PageOptions): Closable {
  const { folders, live, session, models, key } = options;
  const all = collect();
  const surface: SigningSurface<Snapshot> = all.add(
    createSigningSurface<Snapshot, QuestionMessage, Seen>({
      parse: (raw) => Promise.resolve(questionMessage.safeParse(raw).data),
      async current(render) {
        const shared = await models.of(['question', key, session.keyid], () => currentForm(options));
        const text = models.textOf(shared);
        if (!('render' in shared)) return { view: shared, text };
        const view = { ...shared, render };
        return { view, text, seen: { targets: [view], view } };
      },
      beside: () => ({
        limits: { answer: limits.answerText, reason: limits.otherText, name: limits.title },
        tab: true,
        ...models.of(['outage'], () => outageOf(folders)),
      }),
      kept: () => undefined,
      keep: () => Promise.resolve(),
      sign: (message, { view }) => decide(options, message, view),
      receive(message) {
        if (message.type === 'select') live.send({ event: 'go', data: pathOf(message.key) });
        if (message.type === 'back') live.send({ event: 'go', data: '/' });
        if (message.type === 'restoreHeld') return restoreHere(options, message);
      },
    }),
  );
  surface.attach(live.page);
  all.add(options.redraws.event(() => void surface.draw()));
  return all;
}

interface Seen extends Shown {
  readonly view: Decidable;
}

/** The acts on one item, and those that a policy on passkeys asks a passkey for. All else is done in the editor. */
const offered: readonly Decision['type'][] = [
  ...(['answer', 'cancel', 'release', 'askBack', 'revoke', 'lift'] as const),
  ...(['holdAll', 'holdNamed', 'request', 'answerTogether', 'acceptChanges', 'policy', 'deleteWork'] as const),
];

function isOffered(message: Decision): boolean {
  return offered.includes(message.type) || (message.type === 'keys' && message.what.do === 'confirmPasskey');
}

function decide({ folders, session, live }: PageOptions, message: Decision, view: Decidable): Promise<Outcome> {
  const [folder] = folders.all;
  if (!folder || !isOffered(message))
    return Promise.resolve(refused(message.act, 'invalid', l10n.t('This is done in the editor.')));
  return signInBrowser({ workspace: folder.workspace, folders, session, live }, message.act, (means) =>
    createDecisions(means)(message, view),
  );
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
