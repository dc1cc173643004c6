/** Carries out signed acts of the "Briefing" view. */
import { acceptProposal, closeAsHuman, declineProposal, postAsHuman } from '../../app/memory/decisions.ts';
import type { Signing } from '../../app/decision/decisions.ts';
import { workspaceRelative } from '../../app/workspace/paths.ts';
import type { BriefingAct } from './messages.ts';
import type { Outcome } from '../kit/view.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { carriedOut, signingIn } from '../surface/signedActs.ts';
import type { Keys } from '../surface/standing.ts';

/** Never throws: the form receives the outcome. */
export function signInBriefing(folders: Folders, keys: Keys, message: BriefingAct): Promise<Outcome> {
  return carriedOut(folders, message, async (folder, id) => {
    await act(await signingIn(keys, folder.workspace, message.name), { folder, id }, message);
    return { type: 'done', act: message.act };
  });
}

interface About {
  readonly folder: OpenFolder;
  readonly id: string;
}

async function act(signing: Signing, { folder, id }: About, message: BriefingAct): Promise<void> {
  switch (message.type) {
    case 'post': {
      const { event: type, priority, text } = message;
      const scopes = message.scopes.map((scope) => workspaceRelative(folder.workspace, scope, scope));
      await postAsHuman(signing, { type, priority, text, scopes });
      return;
    }
    case 'close':
      await closeAsHuman(signing, id, message.closing, message.shown);
      return;
    case 'decline':
      await declineProposal(signing, id, message.shown);
      return;
    case 'accept':
      await acceptProposal(signing, id, message.shown);
  }
}
