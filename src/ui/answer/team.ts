/** Forms about a team: sharing a workspace that is not shared yet, and leaving one that is. */
import { addressOf, agentsLogin } from '../../app/team/servers.ts';
import { overviewOf, type Overview } from '../../app/team/overview.ts';
import { shownSharing } from '../../core/decision/workspace.ts';
import { hashOf } from '../../trust/canonical.ts';
import { fingerprintOf } from '../../trust/publicKeys.ts';
import type { OpenFolder } from '../kit/folders.ts';
import type { ViewOf } from '../kit/view.ts';
import { formHead, optionalField, type FormOptions } from '../surface/workspaceForms.ts';

/** What everyone on the team will see, before any of it leaves the machine. */
export type ShareView = ViewOf<NonNullable<Awaited<ReturnType<typeof shareModel>>>>;

/** Before the journal moves back to this machine. */
export type LeaveView = ViewOf<NonNullable<ReturnType<typeof leaveModel>>>;

/** The latest overview of each folder, with the end of the journal that it describes: reading one takes a while. */
const overviews = new WeakMap<object, { readonly head: string; readonly overview: Promise<Overview> }>();

async function overviewFor({ workspace }: OpenFolder): Promise<Overview> {
  const head = workspace.position()?.head ?? '';
  const known = overviews.get(workspace);
  if (known?.head === head) return known.overview;
  const overview = overviewOf(workspace);
  overviews.set(workspace, { head, overview });
  return overview;
}

/** @param login URL of the human's login; null until this editor is connected */
export async function shareModel(options: FormOptions, login: string | null) {
  const { folder, standing } = options;
  const { state } = options.view;
  const { workspace, name } = folder;
  const { shared } = state;
  if (shared && workspace.team() !== null) return null;
  const { secrets, ...overview } = await overviewFor(folder);
  const agents = agentsLogin(workspace);
  return {
    ...formHead(options, 'share', { shown: hashOf(shownSharing(state)) }),
    ...overview,
    project: name,
    secrets: secrets.map(({ beginning, ...secret }) => ({ ...secret, beginning: beginning.slice(0, 200) })),
    // A suggestion for the workspace's name on the server.
    name: shared?.name ?? suggestedName(name),
    // The human's login and that of this person's agents, without their passwords.
    ...optionalField('server', login === null ? null : addressOf(login)),
    ...('login' in agents ? { agents: agents.login } : {}),
    // Teammates compare it; absent until this editor's first decision creates its key.
    ...(standing.kind === 'enrolled' ? { fingerprint: fingerprintOf(standing.keyid) } : {}),
    // An interrupted attempt, to continue with under the same name.
    ...optionalField('begun', shared?.name),
  };
}

function suggestedName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, 64) || 'workspace'
  );
}

/** Null for a workspace of this machine alone. */
export function leaveModel(options: FormOptions) {
  const { state } = options.view;
  if (state.shared === null) return null;
  return { ...formHead(options, 'leave', { shown: hashOf(shownSharing(state)) }), shared: state.shared.name };
}
