/** Machines with copies of one shared journal: each has a folder, a home and connections of its own. */
import { randomUUID } from 'node:crypto';
import { noAnchor } from '../../../src/store/journal/stateFile.ts';
import { loadSqlite } from '../../../src/store/rows/sqlite.ts';
import { openLink, type Link, type LinkOptions } from '../../../src/store/shared/link.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import type { PinnedKey } from '../../../src/trust/keyring.ts';
import { makeSandbox, realFs, wasm, type Sandbox } from './sandbox.ts';
import type { LoginName, SharedDatabase } from './sharedDatabase.ts';

export interface Machine {
  readonly sandbox: Sandbox;
  readonly link: Link;
  readonly store: Store;
  close(): Promise<void>;
}

export interface MachineOptions {
  readonly database: SharedDatabase;
  readonly workspace: string;
  readonly pins: readonly PinnedKey[];
  /** Default: `ada_agent`. Null: no login. */
  readonly agent?: LoginName | null;
  readonly human?: LoginName | null;
  readonly sandbox?: Sandbox;
  readonly link?: Partial<LinkOptions>;
  readonly store?: Partial<StoreOptions>;
}

export async function openMachine(options: MachineOptions): Promise<Machine> {
  const { database, workspace, pins, sandbox = makeSandbox() } = options;
  const logins = { agent: options.agent ?? 'ada_agent', human: options.human ?? null } as const;
  const trust = createTrust(() => pins);
  const link = openLink({
    root: sandbox.folder,
    fs: realFs,
    workspace,
    settingsFor: (as) => {
      const login = logins[as];
      return login === null ? null : settingsOfUrl(database.postgres.url(login));
    },
    newId: randomUUID,
    now: () => ({ at: sandbox.clock.now, up: null }),
    onContact: () => undefined,
    ...options.link,
  });
  const store = openStore({
    root: sandbox.folder,
    fs: realFs,
    trust,
    stateFile: noAnchor,
    sqlite: await loadSqlite(wasm),
    platform: 'linux',
    now: () => new Date(sandbox.clock.now).toISOString(),
    newId: randomUUID,
    journal: (opened) => link.journal(opened),
    ...options.store,
  });
  return {
    sandbox,
    link,
    store,
    async close() {
      store.close();
      await link.close();
    },
  };
}
