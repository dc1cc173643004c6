/** The briefing of the whole project in a browser. */
import { limits } from '../../core/kit/limits.ts';
import { briefingMessage, type BriefingMessage } from '../../ui/briefing/messages.ts';
import { currentBriefing, seenInBriefing, type BriefingSnapshot, type BriefingView } from '../../ui/briefing/model.ts';
import type { UnavailableView } from '../../ui/kit/view.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import { signInBriefing } from '../../ui/briefing/acts.ts';
import { inDoubt, outageOf } from '../../ui/surface/unavailable.ts';
import { createSigningSurface, type Shown } from '../../ui/surface/signingSurface.ts';
import { whyLocked } from '../../ui/surface/workspaceForms.ts';
import { readsOnly, signInBrowser, standingOf } from './reader.ts';
import { pathOf, type PageOptions } from './livePage.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';

export function openBriefingPage(options: PageOptions): Closable {
  const { folders, session, live, models } = options;
  const [folder] = folders.all;
  const all = collect();
  if (!folder) return all;
  const { workspace } = folder;
  const surface = all.add(
    createSigningSurface<BriefingSnapshot, BriefingMessage, Shown>({
      parse: (raw) => Promise.resolve(briefingMessage.safeParse(raw).data),
      async current(render) {
        const shared = await models.of(['briefing', session.keyid], () => briefingNow(options, folder));
        const text = models.textOf(shared);
        if (!('render' in shared)) return { view: shared, text };
        const view = { ...shared, render };
        return { view, text, seen: seenInBriefing(view) };
      },
      beside: () => ({
        ...models.of(['outage'], () => outageOf(folders)),
        limits: { text: limits.otherText, scopes: limits.listItems },
      }),
      kept: () => undefined,
      keep: () => Promise.resolve(),
      sign: (message) =>
        signInBrowser({ workspace, folders, session, live }, message.act, (means) =>
          signInBriefing(means.folders, means.keys, message),
        ),
      receive(message) {
        if (message.type === 'openForm') live.send({ event: 'go', data: pathOf(message.key) });
      },
    }),
  );
  surface.attach(live.page);
  all.add(options.redraws.event(() => void surface.draw()));
  return all;
}

/** Without the mark of one page's rendering. */
async function briefingNow(
  { folders, session }: PageOptions,
  folder: OpenFolder,
): Promise<BriefingView | UnavailableView> {
  const { problem } = folder.workspace.standing();
  if (problem) return inDoubt(problem);
  const standing = standingOf(folder.workspace, session);
  return currentBriefing({
    ...{ folders, folder, standing, render: '', note: undefined, focus: null, pinned: false },
    locked: (readOnly) => whyLocked(readOnly) ?? (standing.kind === 'stranger' ? readsOnly() : undefined),
  });
}
