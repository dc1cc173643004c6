/** What a machine asks the server, and when: each request costs a round trip of a network that may be slow. */
import assert from 'node:assert/strict';
import { registerWork } from '../../../src/app/work/work.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { startProxy, type Proxy } from '../../support/proxy.ts';
import { openMachine, type Machine, type MachineOptions } from '../../support/store/machines.ts';
import { adasAgent as agent } from '../../support/store/people.ts';
import { removeSandboxes } from '../../support/store/sandbox.ts';
import { line, noLine, startShared, type SharedDatabase } from '../../support/store/sharedDatabase.ts';
import { until } from '../../support/until.ts';

describe('a machine and the server of its journal', function () {
  this.timeout(120_000);
  let database: SharedDatabase;
  let proxy: Proxy;
  const machines: Machine[] = [];

  before(async () => {
    database = await startShared();
    proxy = await startProxy(database.postgres);
    const created = { kind: 'workspace.created', v: 1, workspace: database.ours, minReader: 1, minWriter: 1 };
    const first = line({ at: 0, prev: noLine, actor: 'system', records: [created] });
    await database.server('ada_agent').append('agent', database.ours, first.bytes);
  });
  after(async () => {
    await proxy.close();
    await database.stop();
  });
  afterEach(async () => {
    for (const machine of machines.splice(0)) await machine.close();
    removeSandboxes();
  });

  async function machine(more: Partial<MachineOptions> = {}): Promise<Machine> {
    const made = await openMachine({ database, workspace: database.ours, pins: [], ...more });
    machines.push(made);
    await made.store.pull();
    return made;
  }
  const throughProxy = (): Partial<MachineOptions> => {
    const settings = { ...settingsOfUrl(database.postgres.url('ada_agent')), host: '127.0.0.1', port: proxy.port };
    return { link: { settingsFor: () => settings } };
  };
  const register = ({ store }: Machine, id: string) =>
    registerWork(store, agent(), { id, workKind: 'task', title: id });

  it('an act takes one request, and none follows when its own notification comes', async () => {
    const [one, two] = [await machine(throughProxy()), await machine()];
    const hints: string[] = [];
    one.link.listen((what) => {
      hints.push(what);
      if (what === 'lines') void one.store.pull();
    });
    await until('connected', () => hints.length > 0);
    const requests: string[] = [];
    proxy.onMessage((text) => requests.push(text));
    for (const id of ['A1', 'A2', 'A3']) await register(one, id);
    // Notifications come in order, so this one comes after those of the acts.
    await register(two, 'B1');
    await until('notified', () => one.store.read().state.work.has('B1'));
    proxy.onMessage(null);
    const sent = (part: string) => requests.filter((text) => text.includes(part)).length;
    assert.deepEqual({ append: sent('append_agent'), tail: sent('holdpoint.tail') }, { append: 3, tail: 1 });
    assert.deepEqual(
      hints.filter((what) => what === 'lines'),
      ['lines'],
    );
  });

  it('bringing the copy up to date includes what came after the reply to an earlier request', async () => {
    const [one, two] = [await machine(throughProxy()), await machine()];
    const replied = new Promise<void>((resolve) => {
      proxy.onReplyTo('holdpoint.tail', () => {
        proxy.hold('toClient');
        resolve();
      });
    });
    const before = one.store.pull();
    await replied;
    await register(two, 'Late');
    const after = [one.store.pull(), one.store.pull()];
    proxy.restore();
    await before;
    assert.ok(!one.store.read().state.work.has('Late'));
    await Promise.all(after);
    assert.ok(one.store.read().state.work.has('Late'));
  });
});
