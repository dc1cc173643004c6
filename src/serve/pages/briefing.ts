/** The briefing of the whole project in a browser. */
import { limits } from '../../core/kit/limits.ts';
import { briefingMessage, type BriefingMessage } from '../../ui/briefing/messages.ts';
import { currentBriefing, seenInBriefing, type BriefingSnapshot, type BriefingView } from '../../ui/briefing/model.ts';
import type { UnavailableView } from '../../ui/kit/view.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { signInBriefing } from '../../ui/briefing/acts.ts';
import { inDoubt } from '../../ui/surface/unavailable.ts';
import type { Shown } from '../../ui/surface/signingSurface.ts';
import { whyLocked } from '../../ui/surface/workspaceForms.ts';
import { openSigningPage, readsOnly, sharedView, standingOf } from './reader.ts';
import { pathOf, type PageOptions } from './livePage.ts';

export function openBriefingPage(options: PageOptions): Closable {
  const { session, live, models } = options;
  return openSigningPage<BriefingSnapshot, BriefingMessage, Shown>(options, {
    schema: briefingMessage,
    besides: { limits: { text: limits.otherText, scopes: limits.listItems } },
    async current(render) {
      const make = () => briefingNow(options);
      const { view, text } = await sharedView(models, { key: ['briefing', session.keyid], render, make });
      return 'render' in view ? { view, text, seen: seenInBriefing(view) } : { view, text };
    },
    sign: (means, message) => signInBriefing(means.folders, means.keys, message),
    receive(message) {
      if (message.type === 'openForm') live.send({ event: 'go', data: pathOf(message.key) });
    },
  });
}

/** Without the mark of one page's rendering. */
async function briefingNow({ folders, session }: PageOptions): Promise<BriefingView | UnavailableView> {
  const [folder] = folders.all;
  if (!folder) throw new Error('no folder');
  const { problem } = folder.workspace.standing();
  if (problem) return inDoubt(problem);
  const standing = standingOf(folder.workspace, session);
  return currentBriefing({
    ...{ folders, folder, standing, render: '', note: undefined, focus: null, pinned: false },
    locked: (readOnly) => whyLocked(readOnly) ?? (standing.kind === 'stranger' ? readsOnly() : undefined),
  });
}
