/** What routes share. */
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { HttpEndpoint } from '../../mcp/httpEndpoint.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import type { InboxFeed } from '../pages/inbox.ts';
import type { LivePages } from '../pages/livePages.ts';
import type { Challenges } from '../security/passkeys.ts';
import type { AddressOptions } from '../security/guard.ts';
import type { Codes, Session, Sessions } from '../security/sessions.ts';

export interface EditorLink {
  readonly secret: string;
  readonly byEditor: boolean;
  readonly end: () => void;
}

export interface Served extends AddressOptions {
  readonly workspace: Workspace;
  readonly folders: Folders;
  readonly pages: LivePages;
  readonly inbox: InboxFeed;
  readonly sessions: Sessions;
  readonly codes: Codes;
  readonly challenges: Challenges;
  readonly mcp: HttpEndpoint;
  /** What browsers call the server. */
  readonly origin: () => string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** The editor's way to this server; null beyond this machine. */
  readonly editor: EditorLink | null;
  readonly assets: string;
}

/** Set by the middleware that requires a session, and by the one that writes headers. */
export interface Env {
  readonly Variables: {
    readonly session: Session;
    readonly secureHeadersNonce?: string;
  };
}
