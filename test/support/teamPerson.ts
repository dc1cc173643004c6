/**
 * A person on a machine of a team, as the editor acts for one: `teamPerson.ts <folder> <home> <name>`, forked, with the URL
 * of the person's own login in DEMO_HUMAN_URL. The key never leaves this program.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPastedKey } from '../../src/app/keys/acts.ts';
import { addMember as addKey } from '../../src/app/team/ring.ts';
import { readSharedFile, readSharedRing } from '../../src/app/workspace/sharedFile.ts';
import { appendRing, openServer } from '../../src/store/shared/server.ts';
import { settingsOfUrl } from '../../src/store/shared/settings.ts';
import { formatPublicKey } from '../../src/trust/publicKeys.ts';
import { decide, enrolledHuman, makeHuman } from './store/people.ts';
import { share } from './store/sharedWorkspace.ts';
import { openPersonal, type Order, type Reply } from './teamPlace.ts';

const [, , folder = '', home = '', name = ''] = process.argv;
const url = process.env['DEMO_HUMAN_URL'] ?? '';
const workspace = openPersonal({ folder, home }, url);
const server = openServer({ settings: settingsOfUrl(url) });
let human = makeHuman(name);

const acts: Readonly<Record<Order['act'], (order: Order) => Promise<string>>> = {
  async share({ text, agents = '' }) {
    human = enrolledHuman(workspace, name);
    await share({ workspace, signer: human, server, agents, name: text });
    return human.pin.keyid;
  },
  key: () => Promise.resolve(formatPublicKey({ ...human.pin, name })),
  async admit({ text }) {
    const path = workspace.stateFile.path;
    const shared = readSharedFile(workspace.options.fs, path);
    if (!shared) throw new Error('this machine has not joined');
    const ring = readSharedRing(workspace.options.fs, path, shared);
    const append = (record: Uint8Array, after: number) => appendRing(server, shared.workspace, record, after);
    await addKey({ signer: human, now: workspace.now, append }, ring, readPastedKey(text));
    return '';
  },
  async waitFor({ text }) {
    workspace.onChange(() => undefined); // from now on it follows the server
    const store = await workspace.store();
    for (;;) {
      const found = [...store.read().state.questions.values()].find((one) => one.raised?.text === text);
      if (found) return found.id;
      await sleep(2);
    }
  },
  async answer({ text, id = '' }) {
    const { outcome } = await decide(workspace, human, id, { kind: 'answer', answer: { text, choices: [] } });
    return outcome;
  },
};

process.on('message', (order: Order) => {
  acts[order.act](order).then(
    (text) => process.send?.({ text, error: null } satisfies Reply),
    (error: unknown) => process.send?.({ text: '', error: String(error) } satisfies Reply),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ text: randomUUID(), error: null } satisfies Reply);
