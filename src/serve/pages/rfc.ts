/** The review of an RFC in a browser. */
import * as l10n from '@vscode/l10n';
import { rfcView } from '../../app/rfc/views.ts';
import { limits } from '../../core/kit/words.ts';
import { rfcMessage } from '../../ui/rfc/messages.ts';
import type { RfcMessage } from '../../ui/rfc/messages.ts';
import type { RfcSnapshot, RfcView } from '../../ui/rfc/model.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { carryOut, raisedHashes } from '../../ui/rfc/acts.ts';
import type { Seen } from '../../ui/rfc/acts.ts';
import { readImage } from '../../ui/rfc/images.ts';
import { rfcModel } from '../../ui/rfc/model.ts';
import { inDoubt, outageOf } from '../../ui/surface/unavailable.ts';
import { createSigningSurface } from '../../ui/surface/signingSurface.ts';
import type { SigningSurface, Unsigned, Current } from '../../ui/surface/signingSurface.ts';
import { whyLocked } from '../../ui/surface/workspaceForms.ts';
import { lookFirst, restoreHere, readsOnly, signInBrowser, standingOf } from './reader.ts';
import { pathOf } from './livePage.ts';
import type { PageOptions } from './livePage.ts';

/** The reader's place. The displayed revision stays when later ones arrive. */
interface Reading {
  revision?: number;
  compared?: number | undefined;
}

export function openRfcPage(options: PageOptions): Closable {
  const { folders, session, live } = options;
  const all = collect();
  const [folder] = folders.all;
  if (!folder) return all;
  const reading: Reading = {};
  const surface: SigningSurface<RfcSnapshot> = all.add(
    createSigningSurface<RfcSnapshot, RfcMessage, Seen>({
      parse: (raw) => Promise.resolve(rfcMessage.safeParse(raw).data),
      current: (render) => currentReview(options, reading, render),
      beside: () => ({
        ...options.models.of(['outage'], () => outageOf(folders)),
        limits: { text: limits.otherText, name: limits.title, lines: limits.listItems, answer: limits.answerText },
      }),
      kept: () => undefined,
      keep: () => Promise.resolve(),
      sign: (message, seen) =>
        signInBrowser({ workspace: folder.workspace, folders, session, live }, message.act, (means) =>
          carryOut({ ...means, seen }, message),
        ),
      receive: (message) => receive(options, reading, surface, message),
    }),
  );
  surface.attach(live.page);
  all.add(options.redraws.event(() => void surface.draw()));
  return all;
}

/** What the editor alone can do, such as starting a reviewer, does nothing here. */
async function receive(
  options: PageOptions,
  reading: Reading,
  surface: SigningSurface<RfcSnapshot>,
  message: Unsigned<RfcMessage>,
): Promise<void> {
  const { folders, key, live } = options;
  switch (message.type) {
    case 'restoreHeld':
      await restoreHere(options, message);
      break;
    case 'selectRevision':
      reading.revision = message.revision;
      break;
    case 'showDiff':
      reading.compared = message.from;
      break;
    case 'openQuestion':
      live.send({ event: 'go', data: pathOf(message.question) });
      return;
    case 'showImage': {
      const found = folders.find(key ?? '');
      if (!found) return;
      surface.add({ image: await readImage(found.folder.workspace, message.path) });
      break;
    }
    default:
      return;
  }
  await surface.draw();
}

async function currentReview(
  { folders, session, key }: PageOptions,
  reading: Reading,
  render: string,
): Promise<Current<RfcView, Seen>> {
  const found = folders.find(key ?? '');
  const problem = found?.folder.workspace.standing().problem;
  if (problem) return { view: inDoubt(problem) };
  if (found) await lookFirst(found.folder.workspace, found.id);
  const store = await found?.folder.workspace.store();
  const view = store?.read();
  const rfc = view && rfcView(view, found?.id ?? '');
  const stored = view?.state.rfcs.get(found?.id ?? '');
  if (!found || !store || !view || !rfc || !stored) {
    const text = l10n.t('There is no {0} here.', found?.id ?? '');
    return { view: { type: 'unavailable', title: text, text } };
  }
  const { folder } = found;
  const standing = standingOf(folder.workspace, session);
  const revision = (reading.revision = Math.min(reading.revision ?? rfc.text_revision, rfc.revision));
  if (reading.compared !== undefined && reading.compared >= revision) reading.compared = undefined;
  const { compared } = reading;
  const why = whyLocked(store.readOnly) ?? (standing.kind === 'stranger' ? readsOnly() : undefined);
  const model = rfcModel({
    ...{ folders, folder, view, rfc, stored, standing, revision, compared, render },
    locked: why === undefined ? undefined : { why },
    browser: {},
    reviewed: undefined,
    hasModel: false,
    where: 'browser',
  });
  const layout = JSON.stringify([revision, compared]);
  return {
    view: model,
    seen: { targets: [model], layout, view: model, rfc: stored, raised: raisedHashes(view.state, stored) },
  };
}
