/** Forms about a team: sharing a workspace, and leaving a shared one. */
import type { SecretKind } from '../../core/kit/secrets.ts';
import type { FormView } from '../kit/view.ts';

/** A login to the server, without its password. */
interface ServerLogin {
  login: string;
  host: string;
}

/** What everyone on the team will see, before any of it leaves the machine. */
export interface ShareView extends FormView {
  type: 'share';
  project: string;
  counts: Record<'questions' | 'rfcs' | 'events' | 'requests' | 'work' | 'agents', number>;
  /** Texts that look like secrets: the first ones, and how many there are. */
  secrets: readonly { item: string; kind: SecretKind; beginning: string }[];
  secretCount: number;
  /** A suggestion for the workspace's name on the server. */
  name: string;
  /** The human's login; absent until this editor is connected. */
  server?: ServerLogin | undefined;
  /** Login of this person's agents. */
  agents?: string | undefined;
  /** The fingerprint that teammates compare; absent until this editor's first decision creates its key. */
  fingerprint?: string | undefined;
  /** An interrupted attempt, to go on with under the same name. */
  begun?: string | undefined;
}

/** Before the journal moves back to this machine. */
export interface LeaveView extends FormView {
  type: 'leave';
  shared: string;
}
