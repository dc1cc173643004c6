import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { AgentSession } from '../../../src/app/workspace/session.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseHumanQuestions } from '../../../src/app/rfc/review.ts';
import {
  commentOnRfc,
  decideRfc,
  replyToThread,
  resolveThread,
  shownRfcHash,
  type RfcVerdict,
} from '../../../src/app/rfc/decisions.ts';
import { relationshipsOf } from '../../../src/app/work/work.ts';
import { rfcView, type RfcView } from '../../../src/app/rfc/views.ts';
import { waitingCount } from '../../../src/app/question/views.ts';
import { briefingOf } from '../../../src/app/memory/briefing.ts';
import { dashboard } from '../../../src/app/dashboard/dashboard.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { Notification } from '../../../src/core/waiting/eventStream.ts';
import { changedDocument, emptyDocument } from '../../../src/core/rfc/document.ts';
import { parseRfc } from '../../../src/core/rfc/markdown.ts';
import type { Store } from '../../../src/store/store.ts';
import type { ToolResult } from '../../../src/tools/kit/operation.ts';
import { agent, signedBy, enrolledHuman, type Human } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { callTool } from '../../support/store/callTool.ts';

describe('RFCs, by their tools', () => {
  afterEach(removeSandboxes);

  interface Scene {
    readonly workspace: Workspace;
    readonly store: Store;
    readonly human: Human;
    call(name: string, input?: object, who?: AgentSession): Promise<ToolResult>;
    view(id?: string): RfcView;
    decide(verdict: RfcVerdict, id?: string): ReturnType<typeof decideRfc>;
  }

  async function scene(): Promise<Scene> {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    const human = enrolledHuman(workspace);
    const call: Scene['call'] = (name, input, as) => callTool(workspace, name, input, { as });
    await call('register_work', { id: 'W1', kind: 'workflow', title: 'Login', holds: ['src/auth'] });
    await call('register_work', { id: 'T1', title: 'API tokens', workflow: 'W1' });
    await call('post_event', { type: 'discovery', text: 'Sessions fill the memory.' });
    await call('post_event', { type: 'decision', text: 'No state on the server.' });
    return {
      workspace,
      store,
      human,
      call,
      view: (id = 'RFC-1') => rfcView(store.read(), id)!,
      async decide(verdict, id = 'RFC-1') {
        const { state } = store.read();
        return decideRfc(signedBy(store, human), id, verdict, shownRfcHash(state, state.rfcs.get(id)!));
      },
    };
  }

  const design = {
    title: 'Token design',
    summary: 'Use tokens.',
    motivation: 'Sessions do not scale.',
    detailed_design: 'Sign them.',
    implementation_timeline: 'Two weeks.',
    rollback_plan: 'Go back to sessions.',
    other_sections: [{ heading: 'Security', text: 'Rotate keys.' }],
    alternatives: [
      { name: 'Sessions', description: 'As now.', pros: ['Known'], cons: ['Slow'], effort_estimate: '1 d' },
    ],
    affected_workflows: ['W1'],
    holds: ['src/tokens/**'],
    context_ids: ['E-1'],
    reasoning_ids: ['E-2'],
  };
  const asks = { unresolved_questions: ['Which library?'] };
  const approve: RfcVerdict = { kind: 'approve', conditions: ['Limit the rate.'], constraints: ['No new service.'] };

  it('refer only to existing items', async () => {
    const { call, view } = await scene();
    const unknown = await call('propose_rfc', { ...design, reasoning_ids: ['E-9'] });
    assert.equal(unknown.status, 'error');
    assert.match(
      unknown.text,
      /reasoning_ids: there is no event E-9 here\. Give ids such as E-12\. holdpoint_get_briefing lists them/,
    );
    await call('propose_rfc', design);
    assert.match(
      (await call('update_rfc', { id: 'RFC-1', context_ids: ['note'] })).text,
      /context_ids: there is no event/,
    );
    await call('propose_rfc', { title: 'After it', context_ids: ['RFC-1'], submit: true });
    assert.deepEqual(view('RFC-2').contexts, [{ id: 'RFC-1', role: 'context' }]);
  });

  it('are in the briefing as drafts until submitted, and as decided until acknowledged', async () => {
    const { call, decide, workspace, store } = await scene();
    const waiting = (human: boolean) =>
      briefingOf(workspace, store.read(), { focus: null, human }).briefing.waiting.items.map(
        ({ kind, id, waits_on, agent_id, answer }) => [kind, id, waits_on, agent_id, answer],
      );
    await call('propose_rfc', design);
    assert.deepEqual(waiting(true), [['hold', 'RFC-1', 'author', 'copilot-001', null]]);
    assert.match(
      (await call('get_briefing')).text,
      /RFC-1 "Token design" is a draft that its author has not submitted \(copilot-001, holds 2 work items\)/,
    );
    await call('update_rfc', { id: 'RFC-1', submit: true });
    assert.deepEqual(waiting(true), [['hold', 'RFC-1', 'human', 'copilot-001', null]]);
    await decide({ kind: 'reject', reason: 'Too costly.', then: 'another_way' });
    const picked = () =>
      dashboard(store.read(), 'agents', { days: 1, offsetMinutes: () => 0 }).agents.flatMap(({ unacknowledged }) =>
        unacknowledged.map(({ id, name }) => [id, name]),
      );
    assert.deepEqual(picked(), [['RFC-1', 'Token design']]);
    assert.deepEqual(waiting(true), [['answer', 'RFC-1', 'agent', 'copilot-001', 'rejected: Too costly.']]);
    assert.deepEqual(waiting(false), []);
    await call('await_answer', { id: 'RFC-1' });
    assert.deepEqual([picked(), waiting(true)], [[], []]);
  });

  it('are proposed with every field, hold work, and are related to the items they name', async () => {
    const { call, view, workspace, store } = await scene();
    const { text, status } = await call('propose_rfc', { ...design, ...asks });
    assert.equal(status, 'ok');
    assert.match(
      text,
      /^RFC-1 "Token design" is your draft\. Do not work on Login \(W1\) or what depends on it, and do not edit src\/tokens\/\*\*\. When it is complete, submit it with/,
    );
    const rfc = view();
    assert.deepEqual(
      rfc.sections.map(({ key, heading }) => `${key} ${heading}`),
      [
        'summary Summary',
        'motivation Motivation',
        'detailed_design Detailed design',
        'implementation_timeline Implementation timeline',
        'rollback_plan Rollback plan',
        'other Security',
      ],
    );
    assert.deepEqual(rfc.alternatives, [
      { name: 'Sessions', description: 'As now.', pros: ['Known'], cons: ['Slow'], effort_estimate: '1 d' },
    ]);
    assert.deepEqual(
      rfc.questions.map(({ text: asked, state }) => [asked, state]),
      [['Which library?', 'unanswered']],
    );
    assert.equal(askGate(workspace, { work: 'T1' }).verdict, 'deny');
    assert.equal(askGate(workspace, { files: ['src/tokens/a.ts'] }).verdict, 'deny');
    const related = relationshipsOf(store.read(), 'RFC-1').map(
      ({ from_id, relationship_type, to_id }) => `${from_id} ${relationship_type} ${to_id}`,
    );
    assert.deepEqual(related.sort(), ['RFC-1 blocks W1', 'RFC-1 references E-1', 'RFC-1 references E-2']);
    const denied = await call('update_work', { id: 'T1', status: 'in_progress' });
    assert.equal(denied.status, 'denied');
    assert.match(
      denied.text,
      /^Denied: API tokens \(T1\) is held by RFC-1 "Token design" \(a draft of copilot-001\)\. A human can approve it once copilot-001 has submitted it with .* If that is not you, take other work/,
    );
  });

  it('immediately ask a human the questions that their author marks HUMAN REQUIRED', async () => {
    const { call, view, store, decide } = await scene();
    const unresolved_questions = [
      'HUMAN REQUIRED: Who pays?',
      'Which library? (HUMAN REQUIRED)',
      'Is HUMAN REQUIRED a mark?',
    ];
    await call('propose_rfc', { ...design, unresolved_questions, submit: true });
    assert.deepEqual(
      view().questions.map(({ text, state, human }) => [text, state, human?.question_id]),
      [
        ['Who pays?', 'human_required', 'Q-1'],
        ['Which library?', 'human_required', 'Q-2'],
        ['Is HUMAN REQUIRED a mark?', 'unanswered', undefined],
      ],
    );
    await assert.rejects(async () => decide(approve), /2 questions for a human and 1 question without an answer open/);
    const file = '# T\n\n## Summary\n\nS.\n\n## Open questions\n\n- [x] **HUMAN REQUIRED** Which region?\n';
    assert.deepEqual(changedDocument(emptyDocument('T'), parseRfc(file)).questions, [
      { text: 'Which region?', answered: true, humanRequired: true },
    ]);
    assert.deepEqual(store.read().state.refusals, []);
  });

  it('are written part by part, submitted, approved with a condition, and implemented', async () => {
    const { call, view, decide, workspace, store } = await scene();
    const notices: Notification[] = [];
    workspace.onNotify((notification) => notices.push(notification));
    await call('propose_rfc', { title: 'Token design', affected_workflows: ['W1'] });
    await call('update_rfc', { id: 'RFC-1', motivation: 'Sessions do not scale.' });
    await call('update_rfc', { id: 'RFC-1', detailed_design: 'Sign them.', note: 'The design' });
    assert.equal(waitingCount(store.read().state), 0);
    const sent = await call('update_rfc', { id: 'RFC-1', submit: true });
    assert.match(
      sent.text,
      /^RFC-1 "Token design" waits for a human \(less than 1 min\)\. Do not work on Login \(W1\)/,
    );
    assert.equal(waitingCount(store.read().state), 1);
    assert.match((await call('await_answer', { id: 'RFC-1' })).text, /waits for a human/);
    assert.equal((await decide(approve)).outcome, 'decided');
    assert.equal((await decide(approve)).outcome, 'already');
    const got = await call('await_answer', { id: 'RFC-1' });
    assert.equal(got.data['outcome'], 'approved');
    assert.match(
      got.text,
      /^RFC-1 "Token design", revision 3, approved by Ada, 2026-03-02 09:00 UTC\. Conditions: "Limit the rate\." Constraints: "No new service\." Continue with Login \(W1\)\.$/,
    );
    const started = await call('update_work', { id: 'T1', status: 'in_progress' });
    assert.match(
      started.text,
      /is in progress\. Conditions: "Limit the rate\." Constraints: "No new service\." Set it done/,
    );
    assert.match((await call('check_gate', { work_id: 'T1' })).text, /^Allowed: .* Conditions: "Limit the rate\."/);
    const terms =
      'RFC-1 "Token design" was decided, with terms that are in force: "Limit the rate.", "No new service."';
    assert.ok((await call('get_briefing', {})).text.includes(terms), 'the briefing shows its foundations');
    assert.ok(!(await call('get_briefing', {}, agent('claude-002'))).text.includes(terms), 'and to no other agent');
    assert.ok((await call('get_briefing', { focus: 'src/auth/a.ts' }, agent('claude-002'))).text.includes(terms));
    assert.match((await call('update_rfc', { id: 'RFC-1', implemented: true })).text, /It is implemented\.$/);
    assert.equal(view().status, 'implemented');
    assert.deepEqual(
      view().revisions.map(({ number, note }) => [number, note]),
      [
        [1, null],
        [2, null],
        [3, 'The design'],
      ],
    );
    assert.deepEqual(
      view().sections.map(({ key, changed_in }) => [key, changed_in]),
      [
        ['motivation', 2],
        ['detailed_design', 3],
      ],
    );
    assert.deepEqual(
      notices.map(({ type }) => type),
      [
        'rfc_proposed',
        'rfc_revised',
        'rfc_revised',
        'rfc_submitted',
        'rfc_approved',
        'agent_resumed',
        'rfc_implemented',
      ],
    );
  });

  it('deliver a decision to the author and the assignees of the work, until each acts on it', async () => {
    const { call, decide } = await scene();
    await call('propose_rfc', { ...design, submit: true });
    await call('update_work', { id: 'T1', assigned_agent: 'claude-002' });
    await call('register_work', { id: 'T2', title: 'Docs', assigned_agent: 'builder-003' });
    await call('update_rfc', { id: 'RFC-1', add_tasks: ['T1'] });
    await decide(approve);
    const offers = async (name: string) => {
      const { text } = await call('list_questions', {}, agent(name, { session: name }));
      return /^Also: RFC-1 .*approved/m.test(text);
    };
    assert.deepEqual([await offers('builder-003'), await offers('claude-002')], [false, true]);
    assert.deepEqual(
      [await offers('claude-002'), await offers('copilot-001'), await offers('copilot-001')],
      [false, true, false],
    );
    await decide({ kind: 'withdraw', reason: 'x' });
    assert.equal(await offers('claude-002'), false, 'there is no new decision');
  });

  it('have feedback, which agents reply to and humans resolve', async () => {
    const { call, view, decide, store, human } = await scene();
    await call('propose_rfc', { ...design, submit: true });
    const hash = (kind: string, more: object = {}) => {
      const { state } = store.read();
      return shownRfcHash(state, state.rfcs.get('RFC-1')!, { kind, ...more } as never);
    };
    const section = { key: 'summary', heading: 'Summary' } as const;
    const seen = hash('rfc.commented', { revision: 1 });
    await commentOnRfc(
      signedBy(store, human),
      'RFC-1',
      { revision: 1, type: 'concern', section, quote: 'tokens', text: 'Which?', blocking: true },
      seen,
    );
    assert.deepEqual(view().missing, { threads: [1], questions: [], open: [] });
    await assert.rejects(async () => decide(approve), /cannot be approved yet: 1 blocking thread open/);
    const before = hash('rfc.threadResolved', { thread: 1 });
    await call('update_rfc', { id: 'RFC-1', replies: [{ thread: 1, text: 'Signed ones.' }] });
    await assert.rejects(
      async () => resolveThread(signedBy(store, human), 'RFC-1', 1, before),
      /has changed since it was shown/,
    );
    await replyToThread(
      signedBy(store, human),
      'RFC-1',
      { thread: 1, text: 'Good.' },
      hash('rfc.threadReplied', { thread: 1 }),
    );
    const [thread] = view().threads;
    assert.deepEqual(
      [thread, ...(thread?.replies ?? [])].map((said) => [said?.by, said?.by_kind, said?.signed, said?.text]),
      [
        ['Ada', 'human', true, 'Which?'],
        ['copilot-001', 'agent', false, 'Signed ones.'],
        ['Ada', 'human', true, 'Good.'],
      ],
    );
    await resolveThread(signedBy(store, human), 'RFC-1', 1, hash('rfc.threadResolved', { thread: 1 }));
    await assert.rejects(
      async () => resolveThread(signedBy(store, human), 'RFC-1', 1, hash('rfc.threadResolved', { thread: 1 })),
      /already resolved/,
    );
    assert.equal((await decide(approve)).outcome, 'decided');
    const unknown = await call('update_rfc', { id: 'RFC-1', replies: [{ thread: 9, text: 'x' }] });
    assert.match(unknown.text, /no thread 9/);
  });

  it('that are rejected cancel their open questions to humans', async () => {
    const { call, decide, store } = await scene();
    await call('propose_rfc', { ...design, ...asks, submit: true });
    await store.transact({ kind: 'reviewer', id: 'reviewer' }, () => ({
      records: [
        {
          kind: 'rfc.reviewed',
          v: 1,
          id: 'RFC-1',
          review: 1,
          revision: 1,
          model: null,
          prompt: null,
          verdict: null,
          stage: 'awaiting_human',
          answers: [{ question: 1, outcome: 'human_required' }],
        },
      ],
      result: null,
    }));
    await raiseHumanQuestions(store);
    await decide({ kind: 'reject', reason: 'No.', then: 'another_way' });
    const { state } = store.read();
    assert.deepEqual([state.questions.get('Q-1')?.resolution?.how, waitingCount(state)], ['cancelled', 0]);
  });

  describe('from a file', () => {
    const whole = '# From a file\n\n## Summary\n\nShort.\n\n## Open questions\n\n- [ ] Who?\n- [x] Why? Answer: so.\n';

    function write({ workspace }: Scene, name: string, content: string | Buffer): void {
      const file = path.join(workspace.location.worktree, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, content);
    }

    it('are imported completely, then section by section', async () => {
      const made = await scene();
      const { call, view } = made;
      write(made, 'docs/rfc.md', whole);
      write(made, 'docs/design.md', '## Detailed design\n\nLong.\n');
      write(made, 'docs/questions.md', '- [ ] How?\n');
      assert.equal((await call('propose_rfc', { file: 'docs/rfc.md', motivation: 'Ours.' })).status, 'ok');
      assert.deepEqual(
        view()
          .sections.map(({ key, text }) => [key, text])
          .slice(0, 1),
        [['summary', 'Short.']],
      );
      assert.deepEqual(
        [
          view().title,
          ...view().questions.map(({ text, state, author_answer }) => `${text} ${state} ${String(author_answer)}`),
        ],
        ['From a file', 'Who? unanswered null', 'Why? author_answered so.'],
      );
      await call('update_rfc', { id: 'RFC-1', file: 'docs/design.md', section: 'detailed_design' });
      await call('update_rfc', {
        id: 'RFC-1',
        file: path.join(made.workspace.location.worktree, 'docs/questions.md'),
        section: 'unresolved_questions',
      });
      assert.deepEqual(
        view().sections.map(({ key }) => key),
        ['summary', 'motivation', 'detailed_design', 'unresolved_questions'],
      );
      assert.deepEqual(
        view().questions.map(({ text }) => text),
        ['How?'],
      );
      await call('update_rfc', { id: 'RFC-1', file: 'docs/rfc.md', title: 'Renamed' });
      assert.deepEqual([view().title, view().revision], ['Renamed', 4]);
      await call('update_rfc', { id: 'RFC-1', file: 'docs/rfc.md', title: 'Renamed' });
      assert.equal(view().revision, 4, 'unchanged text creates no revision');
    });

    it('report the problems of the file', async () => {
      const made = await scene();
      const { call, workspace } = made;
      write(made, 'empty.md', ' \n');
      write(made, 'untitled.md', '## Summary\n\nShort.\n');
      write(made, 'binary.md', Buffer.from([0x23, 0x20, 0x00, 0x01]));
      write(made, 'latin1.md', Buffer.from([0x23, 0x20, 0xe4]));
      write(made, 'large.md', `# T\n\n${'x'.repeat(1024 * 1024)}`);
      write(made, 'deep.md', `# T\n\n${'- '.repeat(100_000)}x`);
      fs.writeFileSync(path.join(workspace.location.root, '..', 'outside.md'), whole);
      fs.symlinkSync('../outside.md', path.join(workspace.location.root, 'link.md'));
      const said = async (input: object) => (await call('propose_rfc', input)).text.slice(0, 200);
      assert.deepEqual(
        [
          await said({ file: 'empty.md' }),
          await said({ file: 'untitled.md' }),
          await said({ file: 'binary.md' }),
          await said({ file: 'latin1.md' }),
          await said({ file: 'large.md' }),
          await said({ file: 'gone.md' }),
          await said({ file: '.' }),
        ],
        [
          'File "empty.md": is empty.',
          'title: give one, or a file that begins with a heading.',
          'File "binary.md": is binary, not Markdown.',
          'File "latin1.md": is not UTF-8 text.',
          'File "large.md": is larger than 1 MiB (1048581 bytes): shorten it, or give its sections one by one.',
          'File "gone.md": there is no such file.',
          'File ".": cannot be read (EISDIR).',
        ],
      );
      for (const file of ['../outside.md', 'link.md', '/etc/passwd'])
        assert.match(await said({ file }), /must be inside the workspace/, file);
      assert.match(await said({ file: 'deep.md' }), /^File "deep\.md": nests too deeply\.$/);
      assert.match(await said({ file: 'untitled.md', title: 'Given' }), /^RFC-\d "Given" is your draft/);
    }).timeout(20_000);
  });

  it('report invalid calls', async () => {
    const { call } = await scene();
    const texts = [
      await call('propose_rfc', { summary: 'x' }),
      await call('propose_rfc', { title: 'x', affected_workflows: ['W9'] }),
      await call('propose_rfc', { title: 'x', blocked_tasks: ['W1'] }),
      await call('update_rfc', { id: 'RFC-9', summary: 'x' }),
      await call('get_rfc', { id: 'RFC-9' }),
      await call('await_answer', { id: 'RFC-9' }),
      await call('await_answer', { id: 'X-9' }),
    ].map(({ text, status }) => `${status}: ${text}`);
    assert.deepEqual(texts, [
      'error: title: give one, or a file that begins with a heading.',
      'error: Work item "W9" is not registered. Register it first: holdpoint_record_work {"id":"W9","title":"…"}.',
      'error: W1 is a workflow, not a task.',
      'error: There is no RFC-9. holdpoint_list_items {"what":"rfcs"} lists all.',
      'error: There is no RFC-9. holdpoint_list_items {"what":"rfcs"} lists all.',
      'error: There is no RFC-9. holdpoint_list_items {"what":"rfcs"} lists all.',
      'error: Nothing was done. id: must look like Q-12 or RFC-3.',
    ]);
  });

  it('are listed and read', async () => {
    const { call, decide } = await scene();
    await call('propose_rfc', { ...design, ...asks, submit: true });
    await call('propose_rfc', { title: 'Other' });
    const list = await call('list_rfcs');
    assert.deepEqual(list.text.split('\n'), [
      '2 RFCs, 1 waiting for a human',
      'RFC-2 · draft · revision 1 · copilot-001 · Other',
      'RFC-1 · under review · revision 1 · copilot-001 · holds W1 · Token design',
    ]);
    assert.equal((await call('list_rfcs', { status: 'draft' })).data['total'], 1);
    assert.equal((await call('list_rfcs', { work_id: 'W1' })).data['total'], 1);
    const { text } = await call('get_rfc', { id: 'RFC-1' });
    for (const part of [
      '## Summary\nUse tokens.',
      '### Sessions\n\nAs now.\n\nFor:\n\n- Known\n\nAgainst:\n\n- Slow\n\nEffort: 1 d',
      '1. Which library? (not answered yet)',
    ])
      assert.ok(text.includes(part), part);
    await call('update_rfc', { id: 'RFC-1', summary: 'Other words.', unresolved_questions: [] });
    assert.match(
      (await call('get_rfc', { id: 'RFC-1', revision: 1 })).text,
      /revision 1 of 2, by copilot-001\.\n## Summary\nUse tokens\./,
    );
    assert.equal((await call('get_rfc', { id: 'RFC-1', revision: 3 })).status, 'error');
    await decide(approve);
    assert.match((await call('get_rfc', { id: 'RFC-1' })).text, /is approved\..*\n.*Conditions: "Limit the rate\."/);
  });
});
