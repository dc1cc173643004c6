/** A server, a proxy in front of it that delays, and machines with copies of the store of a seed. */
import fs from 'node:fs';
import path from 'node:path';
import { besideStateFile } from '../../src/store/journal/stateFile.ts';
import { storeFolder } from '../../src/store/journal/segments.ts';
import { startProxy } from '../../test/support/proxy.ts';
import type { Proxy } from '../../test/support/proxy.ts';
import type { Human } from '../../test/support/store/people.ts';
import { enrolledHuman } from '../../test/support/store/people.ts';
import { startShared } from '../../test/support/store/sharedDatabase.ts';
import type { LoginName, SharedDatabase } from '../../test/support/store/sharedDatabase.ts';
import { share } from '../../test/support/store/sharedWorkspace.ts';
import { copySeed, newPlace, openPlace } from '../seed.ts';
import type { Place, Seed } from '../seed.ts';
import { openShared } from './open.ts';

export interface Team {
  readonly database: SharedDatabase;
  readonly proxy: Proxy;
  /** Through the proxy. */
  url(login: LoginName): string;
  /** Shares a copy of the seed's store. */
  share(seed: Seed): Promise<SharedSeed>;
  stop(): Promise<void>;
}

export interface SharedSeed {
  readonly human: Human;
  /** A folder and a home of their own with a copy, as after joining. */
  machine(): Place;
}

export async function startTeam(folder: string): Promise<Team> {
  // The usual settings for durability: an acknowledged commit is on the server's disk.
  const database = await startShared({ settings: { max_connections: '300' } });
  await database.admin.query('alter role ada_agent connection limit -1');
  const proxy = await startProxy(database.postgres);
  const url = (login: LoginName) => `postgresql://${login}@127.0.0.1:${String(proxy.port)}/postgres`;
  return {
    database,
    proxy,
    url,
    async share(seed) {
      const place = copySeed(folder, seed);
      const workspace = openShared(place, url('ada_agent'), url('ada'));
      const human = enrolledHuman(workspace);
      const server = database.server('ada');
      await share({ workspace, signer: human, server });
      // The seed's snapshot is for no keys at all: with it, each program would replay the journal.
      (await workspace.store()).save();
      workspace.close();
      return { human, machine: () => copyMachine(folder, place) };
    },
    async stop() {
      await proxy.close();
      await database.stop();
    },
  };
}

function copyMachine(folder: string, from: Place): Place {
  const place = newPlace(folder);
  fs.cpSync(path.join(from.folder, storeFolder), path.join(place.folder, storeFolder), { recursive: true });
  const [before, after] = [openPlace(from).stateFile, openPlace(place).stateFile];
  const anchor = before.read();
  if (!anchor) throw new Error('the shared store has no anchor');
  after.advance({ ...anchor, root: place.folder });
  for (const extension of ['shared', 'ring'] as const)
    fs.copyFileSync(besideStateFile(before.path, extension), besideStateFile(after.path, extension));
  return place;
}
