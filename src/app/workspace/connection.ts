/** A workspace's connection to the server that its team shares. Everything about PostgreSQL is loaded on first use. */
import { besideStateFile, type StateFile } from '../../store/journal/stateFile.ts';
import type { Moment } from '../../core/hold/freshness.ts';
import type { ConfirmedEnd, Link } from '../../store/shared/link.ts';
import type { LoginPlace } from '../../store/shared/settings.ts';
import { messageOf, problem, StoreError, type Problem } from '../../store/journal/problem.ts';
import type { State } from '../../core/state/state.ts';
import { readSharedFile, type SharedFile } from './sharedFile.ts';

export interface ConnectionOptions extends Omit<LoginPlace, 'stateFile'> {
  readonly root: string;
  readonly stateFile: StateFile;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly moment: () => Moment;
  /** Asks no server, although the workspace is shared. */
  readonly filesOnly?: boolean | undefined;
  readonly humanLogin?: (() => string | null) | undefined;
  /** The server has just shown that the copy ends where its journal does, or that it has another journal. */
  readonly onContact: (contact: 'current' | 'forked', end: ConfirmedEnd) => void;
}

/** A key that was removed stops counting on other machines within this time. Milliseconds. */
const ringEveryMs = 10_000;

export function openConnection(options: ConnectionOptions) {
  const { fs, root, stateFile } = options;
  let known: { readonly mark: string; readonly shared: SharedFile | null } | null = null;
  let opening: Promise<Link> | null = null;
  let closings = 0;
  let ringPulledAt = -Infinity;

  /**
   * Where this user has joined; null for a workspace of this machine alone.
   * @throws Error when the file that says so cannot be read
   */
  function joined(): SharedFile | null {
    try {
      const stat = fs.statSync(besideStateFile(stateFile.path, 'shared'), { throwIfNoEntry: false });
      const mark = stat ? `${String(stat.ino)} ${String(stat.ctimeMs)}` : '';
      if (known?.mark !== mark) known = { mark, shared: stat ? readSharedFile(fs, stateFile.path) : null };
      return known.shared;
    } catch (error) {
      throw new StoreError('unknown-state', messageOf(error), { cause: error });
    }
  }

  async function open(shared: SharedFile): Promise<Link> {
    const [{ openLink }, { agentsUrl, settingsOfUrl }] = await Promise.all([
      import('../../store/shared/link.ts'),
      import('../../store/shared/settings.ts'),
    ]);
    return openLink({
      root,
      fs,
      workspace: shared.workspace,
      settingsFor(as) {
        const url = as === 'agent' ? agentsUrl({ ...options, stateFile: stateFile.path }) : options.humanLogin?.();
        return typeof url === 'string' ? settingsOfUrl(url) : null;
      },
      newId: options.newId,
      now: options.moment,
      onContact: options.onContact,
    });
  }

  return {
    joined,
    /** Whose agents' login it is; null for a workspace of this machine alone, and when that is not known. */
    person(): string | null {
      try {
        return joined()?.person ?? null;
      } catch {
        return null; // the standing says so, and nothing can be written
      }
    },
    /** Why the copy cannot be used although its files are sound; null when it can. */
    problem(state: Pick<State, 'workspace' | 'shared'>, fresh: boolean): Problem | null {
      let shared: SharedFile | null;
      try {
        shared = joined();
      } catch (error) {
        return problem('unreadable', messageOf(error));
      }
      if (shared && (fresh || state.workspace?.id !== shared.workspace))
        return problem('disconnected', 'The shared journal of this workspace has not been copied to this machine yet.');
      if (!shared && state.shared)
        return problem(
          'disconnected',
          `This workspace is shared as ${state.shared.name}, and you have not joined it here.`,
        );
      return null;
    },
    /** Null for a workspace of this machine alone, and where no server is to be asked. */
    async link(): Promise<Link | null> {
      const shared = options.filesOnly ? null : joined();
      if (!shared) return null;
      return (opening ??= open(shared));
    },
    /**
     * Whether another program of this machine has shared the workspace, or left the team, in the meantime.
     * @param from id of the shared workspace, or null for one of this machine alone
     */
    hasMoved(from: string | null): boolean {
      try {
        return !options.filesOnly && (joined()?.workspace ?? null) !== from;
      } catch {
        return false; // the standing says that the connection is not known
      }
    },
    /**
     * Copies the key ring, unless that was done a moment ago. A ring that is wrong is copied too: then no key is trusted.
     * @throws StoreError, RingError
     */
    async pullRing(link: Link): Promise<void> {
      const shared = joined();
      if (!shared || options.clock() - ringPulledAt < ringEveryMs) return;
      const { pullSharedRing } = await import('./sharedFile.ts');
      const files = { fs, stateFile: stateFile.path, newId: options.newId };
      await pullSharedRing(files, shared, () => link.ring());
      ringPulledAt = options.clock();
    },
    /** How often it was closed: a link from before is of no use. */
    get closings() {
      return closings;
    },
    close() {
      closings++;
      // Also one that is still being opened.
      opening?.then(
        (link) => link.close(),
        () => undefined,
      );
      opening = null;
      ringPulledAt = -Infinity;
    },
  };
}
