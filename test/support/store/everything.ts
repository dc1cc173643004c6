/** A store with items of every kind, created by acts alone, for exports and fixtures. */
import { changePolicy, shownPolicyHash } from '../../../src/app/decision/decisions.ts';
import { acknowledgeOffered, recordOffer } from '../../../src/app/waiting/delivery.ts';
import { closeAsHuman, postAsHuman, shownEventHash } from '../../../src/app/memory/decisions.ts';
import { closeEvent, postEvent, eventView } from '../../../src/app/memory/events.ts';
import { replyToHuman, raiseQuestion } from '../../../src/app/question/questions.ts';
import { answerRequest, appoint, shownAppointmentHash, shownRequestHash } from '../../../src/app/request/decisions.ts';
import {
  createRequest,
  registerResponsibility,
  respondToRequest,
  type CreateInput,
} from '../../../src/app/request/requests.ts';
import { commentOnRfc, decideRfc, shownRfcHash } from '../../../src/app/rfc/decisions.ts';
import { proposeRfc, updateRfc } from '../../../src/app/rfc/rfcs.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import type { Interruptions } from '../../../src/core/records/policy.ts';
import { registerWork, updateWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { remark } from './rfcRecords.ts';
import { agent, askAgent, signedBy, cancel, decide, enrolledHuman } from './people.ts';
import { hour, type Clock } from './sandbox.ts';

export async function fillWithEverything(workspace: Workspace, clock: Clock): Promise<void> {
  const store = await workspace.store();
  const human = enrolledHuman(workspace);
  const bot = agent('copilot-001', { session: 's-1' });
  const other = agent('claude-002');
  const pass = (ms: number) => (clock.now += ms);

  await registerWork(store, bot, { id: 'W1', workKind: 'workflow', title: 'Sign-in' });
  await registerWork(store, bot, { id: 'T1', workKind: 'task', title: 'Tokens', workflow: 'W1', holds: ['src/auth'] });
  await registerWork(store, other, {
    id: 'T2',
    workKind: 'task',
    title: 'Docs',
    dependsOn: ['T1'],
    status: 'in_progress',
  });
  await registerWork(store, other, { id: 'T3', workKind: 'task', title: 'Done already' });
  await updateWork(store, other, { id: 'T3', status: 'in_progress', step: 'two of two' });
  await updateWork(store, other, { id: 'T3', status: 'done' });
  await registerWork(store, other, { id: 'T4', workKind: 'task', title: 'Old port' });

  const asked = { type: 'decision', urgency: 'high', mode: 'sync' } as const;
  pass(1_000);
  await raiseQuestion(store, bot, {
    ...asked,
    text: 'JWT or sessions?',
    work: 'T1',
    choices: [{ label: 'JWT', description: 'Signed.', recommended: true }, { label: 'Sessions' }],
    background: 'Both work.',
    files: [{ path: 'src/auth/login.ts', line: 3 }],
    alternatives: ['Neither'],
  });
  await decide(workspace, human, 'Q-1', { kind: 'answer', answer: { text: 'Stateless, please.', choices: ['JWT'] } });
  await recordOffer(store, bot, ['Q-1'], false);
  await acknowledgeOffered(store, bot);
  await raiseQuestion(store, other, { ...asked, text: 'Which port?', work: 'T4' });
  pass(25 * hour);
  await sweep(store);
  pass(1_000);
  await raiseQuestion(store, bot, {
    ...asked,
    text: 'Delete the old table?',
    type: 'approval',
    work: 'T1',
    holds: ['db/**'],
  });
  await raiseQuestion(store, other, { ...asked, text: 'Never mind?', work: null });
  await decide(workspace, human, 'Q-4', cancel);
  await raiseQuestion(store, other, {
    text: 'Keep logs how long?',
    type: 'clarification',
    urgency: 'low',
    mode: 'async',
    work: null,
    assumption: '30 days',
    for: 'security',
    payload: '{"ticket":"OPS-7","labels":["logs"]}',
  });
  await raiseQuestion(store, other, { ...asked, text: 'May I?', type: 'approval', work: 'T2', urgency: 'critical' });
  await askAgent(workspace, human, 'Q-3', 'Is there a backup?');
  await replyToHuman(store, bot, 'Q-3', 'Yes, of **last night**.');
  await askAgent(workspace, human, 'Q-3', 'Did you try to restore it?');
  await recordOffer(store, bot, ['Q-3'], false);
  await decide(workspace, human, 'Q-6', { kind: 'answer', answer: { text: 'Go on.', choices: ['Yes'] } });

  const sections = (text: string) => [{ key: 'summary' as const, heading: 'Summary', text }];
  const propose = async (title: string, more: Partial<Parameters<typeof proposeRfc>[2]> = {}) =>
    proposeRfc(store, bot, {
      title,
      sections: sections(`About ${title}.`),
      workflows: [],
      tasks: [],
      holds: [],
      contexts: [],
      submit: true,
      ...more,
    });
  const rule = async (id: string, verdict: Parameters<typeof decideRfc>[2]) => {
    const rfc = store.read().state.rfcs.get(id);
    if (rfc) await decideRfc(signedBy(store, human), id, verdict, shownRfcHash(store.read().state, rfc));
  };
  await propose('Rate limits', {
    workflows: ['W1'],
    alternatives: [{ name: 'None', pros: ['Simple'], cons: ['Abuse'] }],
  });
  const first = store.read().state.rfcs.get('RFC-1');
  if (first) {
    const comment = { revision: 1, type: 'concern', section: null, text: 'Per user?', blocking: false } as const;
    const seen = shownRfcHash(store.read().state, first, { kind: 'rfc.commented', ...comment, thread: 1 });
    await commentOnRfc(signedBy(store, human), 'RFC-1', comment, seen);
  }
  pass(1_000);
  await rule('RFC-1', { kind: 'approve', conditions: ['Log refusals.'], constraints: ['At most 10 a second.'] });
  await updateRfc(store, bot, 'RFC-1', {
    document: { sections: sections('Per user and address.') },
    note: 'As asked.',
  });
  await propose('A new queue', { tasks: ['T4'] });
  await rule('RFC-2', { kind: 'reject', reason: 'Too much.', then: 'another_way' });
  await propose('Sharding', {
    for: 'ada',
    tasks: ['T2'],
    holds: ['db/shards'],
    questions: [{ text: 'How many?', answered: false }],
  });
  const section = { key: 'summary', heading: 'Summary' } as const;
  await remark(store, other.actor, { id: 'RFC-3', type: 'question', section, text: 'Why now?' });
  await propose('Only a draft', { submit: false });

  await postEvent(store, bot, {
    type: 'warning',
    text: 'The cache is never cleared.',
    priority: 'critical',
    scopes: ['src'],
  });
  await postEvent(store, other, { type: 'decision', text: 'Use SQLite.', related: ['E-1'] });
  await postAsHuman(signedBy(store, human), {
    type: 'decision',
    text: 'Use PostgreSQL.',
    priority: 'high',
    scopes: [],
  });
  await closeEvent(store, other, 'E-2', { how: 'superseded', by: 'E-3' });
  await postEvent(store, bot, { type: 'mutation', text: 'Moved the cache.', scopes: ['src/cache.ts', 'src/index.ts'] });
  await closeEvent(store, bot, 'E-4', { how: 'resolved', reason: 'Moved back.' });
  await postEvent(store, bot, { type: 'discovery', text: 'Zürich — ünïcode 🙂' });
  await postAsHuman(signedBy(store, human), { type: 'outcome', text: 'Shipped.', priority: 'low', scopes: ['docs'] });
  const last = eventView(store.read(), 'E-6');
  if (last)
    await closeAsHuman(
      signedBy(store, human),
      'E-6',
      { how: 'resolved', reason: 'Old news.' },
      shownEventHash(store.read().state, last),
    );
  await closeEvent(store, other, 'E-3', { how: 'resolved', reason: 'An agent thinks so.' });

  await registerResponsibility(store, bot, { id: 'builder', kind: 'agent', name: 'Builder', agents: [] });
  await registerResponsibility(store, other, { id: 'writer', kind: 'agent', name: 'Writer', agents: ['claude-003'] });
  const person = { id: 'ada', kind: 'human', name: 'Ada', agents: [] } as const;
  await appoint(signedBy(store, human), person, shownAppointmentHash(store.read().state, person));
  const ask: CreateInput['ask'] = {
    type: 'request_for_action',
    payload: { suggested_actions: ['Write it'], links: [], tags: ['docs'] },
  };
  await createRequest(store, bot, {
    ask,
    target: 'writer',
    subject: 'Describe the API',
    summary: 'All of it.',
    responseSeconds: 600,
    payload: '{"ticket":"OPS-8"}',
  });
  await respondToRequest(store, other, 'R-1', { act: 'accept', note: 'Tomorrow.', work: [] });
  await createRequest(store, bot, { ask, target: 'ada', subject: 'Buy a domain', summary: 'Any.' });
  const shown = shownRequestHash(store.read().state, 'R-2');
  if (shown !== null)
    await answerRequest(signedBy(store, human), 'R-2', { act: 'reject', note: 'We have one.' }, shown);
  await createRequest(store, other, { ask, target: 'builder', subject: 'Fix the build', summary: 'It is red.' });

  const rules = [{ types: ['rfc' as const], globs: ['payments'], people: [human.name, 'Grace'], count: 2 }];
  const urgencies = { critical: 'now', high: 'now', medium: 'digest', low: 'silent' } as const;
  const interruptions: Interruptions = {
    ...{ urgencies, agents: [{ agent: 'build-bot', how: 'silent' }] },
    ...{ digestMinutes: 30, perHour: 20 },
  };
  const resuming = { hosts: ['codex', 'claude-code'] } as const;
  const life = { questionLifeHours: 48, onExpiry: 'expire' } as const;
  const fence = { heldFiles: true } as const;
  const policy = { ...life, quorum: { rules }, interruptions, resuming, fence } as const;
  await changePolicy(signedBy(store, human), policy, shownPolicyHash(store.read().state));
}
