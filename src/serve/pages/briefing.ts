/** The briefing of the whole project in a browser. */
import { limits } from '../../core/kit/words.ts';
import { briefingMessage } from '../../ui/briefing/messages.ts';
import type { BriefingMessage } from '../../ui/briefing/messages.ts';
import type { BriefingSnapshot, BriefingView } from '../../ui/briefing/model.ts';
import type { UnavailableView } from '../../ui/kit/view.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { signInBriefing } from '../../ui/briefing/acts.ts';
import { briefingModel } from '../../ui/briefing/model.ts';
import { latestBriefing } from '../../ui/briefing/latest.ts';
import { inDoubt, outageOf } from '../../ui/surface/unavailable.ts';
import type { Shown } from '../../ui/surface/signingSurface.ts';
import { createSigningSurface } from '../../ui/surface/signingSurface.ts';
import { whyLocked } from '../../ui/surface/workspaceForms.ts';
import { readsOnly, signInBrowser, standingOf } from './reader.ts';
import { pathOf } from './livePage.ts';
import type { PageOptions } from './livePage.ts';

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
        const shared = await models.of(['briefing', session.keyid], () => currentBriefing(options));
        const text = models.textOf(shared);
        if (!('render' in shared)) return { view: shared, text };
        const view = { ...shared, render };
        return { view, text, seen: seenOf(view) };
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
async function currentBriefing({ folders, session }: PageOptions): Promise<BriefingView | UnavailableView> {
  const [folder] = folders.all;
  if (!folder) throw new Error('no folder');
  const { problem } = folder.workspace.standing();
  if (problem) return inDoubt(problem);
  const store = await folder.workspace.store();
  const standing = standingOf(folder.workspace, session);
  const locked = whyLocked(store.readOnly) ?? (standing.kind === 'stranger' ? readsOnly() : undefined);
  const briefing = await latestBriefing(folder.workspace, null);
  return briefingModel({
    ...{ folders, folder, view: store.read(), briefing, standing, locked, render: '' },
    ...{ note: undefined, focus: null, pinned: false },
  });
}

function seenOf(view: BriefingView): Shown {
  const { proposals, critical, relevant, other, waiting } = view;
  const groups = [critical, ...Object.values(relevant), other];
  const targets = [view, ...proposals, ...groups.flatMap(({ items }) => items)];
  return { targets, layout: String(waiting.items.length) };
}
