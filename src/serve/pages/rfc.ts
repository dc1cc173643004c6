/** The review of an RFC in a browser. */
import { limits } from '../../core/kit/limits.ts';
import { rfcMessage, type RfcMessage } from '../../ui/rfc/messages.ts';
import type { RfcSnapshot, RfcView } from '../../ui/rfc/model.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { carryOut, type Seen } from '../../ui/rfc/acts.ts';
import { readImage } from '../../ui/rfc/images.ts';
import { inDoubt } from '../../ui/surface/unavailable.ts';
import type { SigningSurface, Unsigned, Current } from '../../ui/surface/signingSurface.ts';
import { whyLocked } from '../../ui/surface/workspaceForms.ts';
import { openSigningPage, restoreHere, readsOnly, standingOf } from './reader.ts';
import { pathOf, type PageOptions } from './livePage.ts';
import { currentReview, type Reading } from '../../ui/rfc/review.ts';
import type { SignerStanding } from '../../ui/surface/standing.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';

export function openRfcPage(options: PageOptions): Closable {
  const reading: Reading = {};
  return openSigningPage<RfcSnapshot, RfcMessage, Seen>(options, {
    schema: rfcMessage,
    besides: {
      limits: { text: limits.otherText, name: limits.title, lines: limits.listItems, answer: limits.answerText },
    },
    current: (render) => reviewNow(options, reading, render),
    sign: (means, message, seen) => carryOut({ ...means, seen }, message),
    receive: (message, surface) => receive(options, reading, surface, message),
  });
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

async function reviewNow(
  { folders, session, key }: PageOptions,
  reading: Reading,
  render: string,
): Promise<Current<RfcView, Seen>> {
  const found = folders.find(key ?? '');
  if (!found) throw new Error('no folder');
  const { problem } = found.folder.workspace.standing();
  if (problem) return { view: inDoubt(problem) };
  const locked = (standing: SignerStanding, readOnly: boolean) => {
    const why = whyLocked(readOnly) ?? (standing.kind === 'stranger' ? readsOnly() : undefined);
    return why === undefined ? undefined : { why };
  };
  const standing = (workspace: Workspace) => standingOf(workspace, session);
  return currentReview({ folders, reading, render, where: 'browser', standing, locked, hasModel: false }, found);
}
