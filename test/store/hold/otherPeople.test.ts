/** Property: what another person's agent does never makes mine freer, whatever tools it calls and whatever it names. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { requireDecided } from '../../../src/app/decision/decisions.ts';
import { shownSharingHash } from '../../../src/app/team/decisions.ts';
import { gateReasons, type GateQuery } from '../../../src/core/hold/gate.ts';
import type { State } from '../../../src/core/state/state.ts';
import { noAnchor } from '../../../src/store/journal/stateFile.ts';
import { loadSqlite } from '../../../src/store/rows/sqlite.ts';
import { postgresJournal } from '../../../src/store/shared/postgresJournal.ts';
import type { Server } from '../../../src/store/shared/server.ts';
import { openStore } from '../../../src/store/store.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { personOf } from '../../../src/core/kit/persons.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { runs } from '../../support/runs.ts';
import { heldFacts, lost } from '../../support/store/model.ts';
import { agent, signedBy, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, wasm } from '../../support/store/sandbox.ts';
import { confirmNow, markShared } from '../../support/store/sharing.ts';
import { call, furnish, randomCalls, toolNamed, works, type Call } from '../../support/store/toolCalls.ts';

const mine = ['Ada/copilot-001', 'Ada/claude-002'];
const hers = ['Grace/copilot-001', 'Grace/claude-002'];

const files = ['src/a/x.ts', 'src/b/y.ts', 'docs/z.md', 'lib/x.ts', 'free.ts'];

/** What one of my agents has done before. */
const asked: readonly (readonly [tool: string, input: object])[] = [
  ...['T1', 'T2', 'T3'].map((id) => ['update_work', { id, assigned_agent: mine[0], add_holds: ['lib/x.ts'] }] as const),
  ['update_work', { id: 'T2', status: 'in_progress' }],
  ['raise_question', { text: 'Which way?', type: 'decision', wait_seconds: 0 }],
  ['raise_question', { text: 'Shall I?', type: 'approval', work_id: 'T1', holds: ['src/b/**'], wait_seconds: 0 }],
  ['raise_question', { text: 'Why?', mode: 'async', assumption: 'So.', work_id: 'T2', wait_seconds: 0 }],
  ['propose_rfc', { title: 'One', summary: 'Short.', affected_workflows: ['W1'], submit: true }],
  ['propose_rfc', { title: 'Two', summary: 'Draft.', blocked_tasks: ['T3'] }],
  ['post_event', { type: 'warning', text: 'Mind this.', scopes: ['src'] }],
];

/** What another person's agent would free mine with, if it could. */
const attempts: readonly (readonly [tool: string, input: object])[] = [
  ...['done', 'cancelled', 'todo'].map((status) => ['update_work', { id: 'T2', status }] as const),
  ['update_work', { id: 'T2', step: 'Next.' }],
  ['update_work', { id: 'T2', remove_holds: ['lib/x.ts'] }],
  ['update_work', { id: 'T1', assigned_agent: hers[0] }],
  ['update_work', { id: 'T3', status: 'in_progress', assigned_agent: mine[0] }],
  ['register_work', { id: 'T9', title: 'Other', status: 'in_progress', assigned_agent: mine[0] }],
  ['withdraw_question', { id: 'Q-3', reason: 'Found it.' }],
  ['raise_question', { text: 'Why?', mode: 'async', assumption: 'So.', work_id: 'T2', wait_seconds: 0 }],
  ['update_rfc', { id: 'RFC-2', summary: 'Other.' }],
  ['update_rfc', { id: 'RFC-2', submit: true }],
  ['update_rfc', { id: 'RFC-2', hand_to: hers[0] }],
];

/** All that denies my agents something, by work, file and session. */
function denials(state: State): Set<string> {
  const here = { worktree: '.', ignoreCase: false };
  const queries: GateQuery[] = [
    ...mine.map((agent) => ({ ...here, session: { agent } })),
    { ...here, session: 'unknown', person: personOf(mine[0] ?? '') },
    ...works.flatMap((work) => mine.map((agent) => ({ ...here, work, session: { agent } }))),
    ...files.map((file) => ({ ...here, files: [file] })),
  ];
  return new Set(
    queries.flatMap((query) =>
      gateReasons(state, query).map(
        ({ code, subject, holder }) => `${JSON.stringify(query)} ${code} ${subject} ${holder?.id ?? ''}`,
      ),
    ),
  );
}

/** What my agents own. Anybody may add work and files to what it holds. */
function owned(state: State): unknown {
  return {
    work: [...state.work.values()].filter(({ assignee }) => assignee !== null && mine.includes(assignee)),
    questions: [...state.questions.values()]
      .filter(({ asker }) => mine.includes(asker.id))
      .map(({ id, raised, status, resolution, askBacks }) => ({ id, raised, status, resolution, askBacks })),
    rfcs: [...state.rfcs.values()]
      .filter(({ asker }) => mine.includes(asker.id))
      .map(({ id, status, keeper, revisions }) => ({ id, status, keeper, revisions })),
  };
}

/** As after sharing. Its server acknowledges every line. */
async function sharedWorkspace(): Promise<Workspace> {
  const sandbox = makeSandbox();
  const opened = sandbox.open();
  const ada = enrolledHuman(opened);
  const local = await opened.store();
  await registerWork(local, agent(mine[0]), { id: 'first', workKind: 'task', title: 'First' });
  markShared(opened, ada);
  confirmNow(opened);
  const roots = [ada.pin.publicKey];
  const signing = signedBy(local, ada);
  await requireDecided(
    signing,
    { kind: 'store.shared', v: 1, name: 'team', roots },
    shownSharingHash(local.read().state),
  );
  const server = {
    reach: () => Promise.resolve(),
    append: () => Promise.resolve({ outcome: 'won', at: 0, size: 0, head: '', rows: [] }),
  } as unknown as Server;
  const store = openStore({
    ...{ root: sandbox.folder, fs: realFs, stateFile: noAnchor, sqlite: await loadSqlite(wasm), platform: 'linux' },
    ...{ trust: createTrust(() => [ada.pin]), now: () => opened.now(), newId: randomUUID },
    journal: (folded) =>
      postgresJournal(folded, {
        ...{ workspace: local.workspaceId ?? '', newId: randomUUID, serverFor: () => server },
        ...{ pull: () => Promise.resolve(), onContact: () => undefined, sleep: () => Promise.resolve() },
      }),
  });
  return { ...opened, store: () => Promise.resolve(store) };
}

function told({ as, tool, input }: Call): string {
  return `${as}: ${tool.name} ${JSON.stringify(input)}`;
}

describe('in a shared journal, no call', () => {
  afterEach(removeSandboxes);

  it('of another person’s agent frees my agents of anything, or changes what is theirs', async () => {
    const all = [...mine, ...hers];
    const named = fc.constantFrom(...attempts).chain(([tool, input]) =>
      fc.record({
        tool: fc.constant(toolNamed(tool)),
        input: fc.constant(input),
        as: fc.constantFrom(...hers),
      }),
    );
    const acts = fc.oneof(named, fc.oneof(...randomCalls(all, hers)));
    let [denied, done] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 60, maxLength: 80, size: 'max' }), async (sequence) => {
        const here = await sharedWorkspace();
        const store = await here.store();
        await furnish(here, all);
        for (const [tool, input] of asked) {
          const { status, text } = await call(here, { tool: toolNamed(tool), input, as: mine[0]! });
          assert.ok(status !== 'error', `${tool}: ${text}`);
        }
        for (const act of sequence) {
          const { state } = store.read();
          const [before, facts, own] = [denials(state), heldFacts(state), structuredClone(owned(state))];
          const { status } = await call(here, act);
          if (status === 'ok') done++;
          const now = store.read().state;
          assert.deepEqual(lost(before, denials(now)), [], told(act));
          assert.deepEqual(lost(facts, heldFacts(now)), []);
          assert.deepEqual(structuredClone(owned(now)), own, told(act));
          denied += before.size;
        }
        store.close();
        here.close();
      }),
      { numRuns: runs(24), endOnFailure: true },
    );
    assert.ok(denied > runs(500) && done > runs(100), `${String(denied)} denials, ${String(done)} acts`);
  }).timeout(120_000);
});
