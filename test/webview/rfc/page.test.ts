/** The review's state without a browser: what may be sent, how often, and what is kept. */
import assert from 'node:assert/strict';
import type { RfcAct, RfcMessage, RfcSnapshot } from '../../../src/protocol/rfc/rfc.ts';
import { linesOf, whyNotApproved } from '../../../webview/rfc/acts.ts';
import { createPage } from '../../../webview/rfc/page.ts';
import { parseSaved } from '../../../webview/rfc/saved.ts';
import { setLanguage } from '../../../webview/shared/strings.ts';
import { settleMs } from '../../../webview/shared/settling.ts';
import { english } from '../../../src/protocol/strings/strings.ts';
import { approvable, waivable, full, small, snapshot, states } from './samples.ts';

function open(first: RfcSnapshot, kept?: unknown) {
  const posted: RfcMessage[] = [];
  const timers: { at: number; run: () => void }[] = [];
  let now = 0;
  let acts = 0;
  let saved: unknown = kept;
  const page = createPage({
    host: {
      post: (message) => posted.push(message),
      restore: () => parseSaved(saved),
      save: (state) => {
        saved = JSON.parse(JSON.stringify(state));
      },
    },
    newAct: () => `act-${++acts}`,
    clock: () => now,
    later: (ms, run) => timers.push({ at: now + ms, run }),
    changed: () => undefined,
  });
  page.receive(first);
  // Somebody has had the time to see it.
  now += settleMs;
  return {
    page,
    posted,
    saved: () => saved,
    acts: () => posted.filter((message): message is RfcAct => 'act' in message),
    pass: (ms: number) => {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      for (const one of due) timers.splice(timers.indexOf(one), 1);
      for (const { run } of due) run();
    },
  };
}

describe('the review: state', () => {
  before(() => {
    setLanguage('en', english);
  });

  it('what has just come under the pointer decides nothing: the panel settles first', () => {
    const { page, acts, pass } = open(snapshot(approvable()));
    page.openPanel('approve');
    page.decide();
    assert.deepEqual(acts(), []);
    pass(settleMs);
    page.decide();
    page.decide();
    assert.deepEqual(
      acts().map(({ type }) => type),
      ['approve'],
    );
  });

  it('an approval names the revision and the rendering that were on the screen', () => {
    const { page, acts, pass } = open(snapshot(approvable()));
    page.openPanel('approve');
    page.setText('conditions', ' Tests first \n\n  an alarm\r\n');
    const again = snapshot(approvable());
    page.receive(again);
    pass(settleMs);
    page.decide();
    const [act] = acts();
    assert.deepEqual(act, {
      type: 'approve',
      act: 'act-1',
      key: '0/RFC-3',
      shown: 'sha256-rfc3-ready',
      render: 'render' in again.view && again.view.render,
      revision: 3,
      conditions: ['Tests first', 'an alarm'],
      constraints: [],
    });
  });

  it('an approval waives each question without an answer by name, or is not sent', () => {
    const { page, acts, pass } = open(snapshot(waivable()));
    page.openPanel('approve');
    pass(settleMs);
    page.decide();
    assert.deepEqual(acts(), []);
    assert.equal(page.at('bar').hint()?.field, 'waive');
    page.setWaived('6', true);
    page.setWaived('q-gone', true);
    page.decide();
    const [act] = acts();
    assert.deepEqual(act?.type === 'approve' && act.waived, ['6']);
  });

  const offs: [string, Parameters<typeof full>[0]][] = [
    ['a blocking thread', { missing: { threads: 1, questions: 0 } }],
    ['a question for a human', { missing: { threads: 0, questions: 1 } }],
    ['a later revision', { revision: 2, missing: { threads: 0, questions: 0 } }],
    ['what the host says', { missing: { threads: 0, questions: 0 }, notYet: ['Not yet.'] }],
    ['a store that is read only', { missing: { threads: 0, questions: 0 }, locked: { why: 'Read only.' } }],
  ];
  for (const [name, change] of offs) {
    it(`${name} keeps the approval off, also with the panel open before`, () => {
      const { page, acts, pass } = open(snapshot(approvable()));
      page.openPanel('approve');
      pass(settleMs);
      page.receive(snapshot(full(change)));
      pass(settleMs);
      page.decide();
      assert.deepEqual(acts(), []);
      assert.equal(whyNotApproved(full(change)).length, 1);
    });
  }

  it('what a human may not do in its present state is not sent', () => {
    for (const state of ['approved', 'rejected', 'withdrawn']) {
      const { page, acts, pass } = open(states[state]!());
      for (const panel of ['approve', 'requestChanges', 'reject', 'withdraw'] as const) {
        page.openPanel(panel);
        page.setText('reject', 'Because.');
        page.setText('withdraw', 'Because.');
        page.setText('requestChanges', 'Because.');
        pass(settleMs);
        page.decide();
      }
      assert.deepEqual(acts(), []);
    }
  });

  it('one act at a time, whatever it is', () => {
    const { page, acts, pass } = open(snapshot(full()));
    pass(settleMs);
    page.resolve('T-1');
    page.resolve('T-2');
    page.overrule('1');
    assert.deepEqual(
      acts().map((act) => act.type),
      ['resolveThread'],
    );
    page.receive(snapshot(full(), { outcome: { type: 'done', act: 'act-1' } }));
    // The host waits again after an act, so the page does.
    page.overrule('1');
    assert.equal(acts().length, 1);
    pass(settleMs);
    page.overrule('1');
    assert.equal(acts().at(-1)?.type, 'overruleAnswer');
  });

  it('a refusal is shown where the act was made, and keeps the draft', () => {
    const { page, pass } = open(snapshot(full()));
    page.openBox('comment:summary', true);
    page.setComment('summary', { text: 'How long?', blocking: true });
    pass(settleMs);
    page.sendComment('summary');
    page.receive(
      snapshot(full(), { outcome: { type: 'refused', act: 'act-1', reason: 'failed', text: 'Disk full.' } }),
    );
    assert.equal(page.at('comment:summary').refusal(), 'Disk full.');
    assert.equal(page.at('bar').refusal(), undefined);
    assert.equal(page.comment('summary').text, 'How long?');
  });

  it('done: its draft goes, and no other', () => {
    const { page, saved, pass } = open(snapshot(full()));
    page.setComment('summary', { text: 'one' });
    page.setComment('motivation', { text: 'two' });
    page.setReply('T-1', 'three');
    pass(settleMs);
    page.sendComment('summary');
    page.receive(snapshot(full(), { outcome: { type: 'done', act: 'act-1' } }));
    const { draft } = parseSaved(saved())!;
    assert.deepEqual([Object.keys(draft!.comments), draft!.replies], [['motivation'], { 'T-1': 'three' }]);
  });

  it('too many conditions, or one too long: said with its line, nothing sent', () => {
    const { page, acts, pass } = open(snapshot(approvable()));
    page.openPanel('approve');
    pass(settleMs);
    page.setText('constraints', 'x\n'.repeat(101));
    page.decide();
    assert.equal(page.at('bar').hint()?.text, '101 lines; the limit is 100.');
    page.setText('constraints', `short\n${'x'.repeat(10_001)}`);
    page.decide();
    assert.equal(page.at('bar').hint()?.text, 'Line 2 has 10,001 characters; the limit is 10,000.');
    assert.deepEqual(acts(), []);
  });

  it('says what has come while one reads', () => {
    const { page } = open(snapshot(full()));
    page.receive(snapshot(full({ latest: 4 })));
    assert.equal(page.spoken(), 'Revision 4 is ready.');
  });

  it('a window that died: the host gives back what the page was writing; another RFC begins empty', () => {
    const died = open(snapshot(small()));
    died.page.openPanel('requestChanges');
    died.page.setText('requestChanges', 'Say how');
    died.pass(1_000);
    const kept = died.posted.flatMap((message) => (message.type === 'keep' ? [message.saved] : [])).at(-1);
    const again = open(snapshot(small(), { kept: kept! }));
    assert.equal(again.page.draft().text.requestChanges, 'Say how');
    again.page.receive(snapshot(small({ key: '0/RFC-4' })));
    assert.equal(again.page.draft().text.requestChanges, '');
    assert.equal(open(snapshot(small(), { kept: '{' })).page.draft().panel, 'none');
  });

  it('whatever an older version has left does no harm', () => {
    const good = parseSaved(open(snapshot(small())).saved());
    for (const state of [null, 7, [], { version: 2 }, { ...good, draft: 7 }, { ...good, unfolded: [1] }]) {
      const parsed = parseSaved(state);
      assert.ok(parsed === undefined || parsed.draft === null);
    }
  });

  it('lines that say nothing are none', () => {
    assert.deepEqual(linesOf(' a\n\n\r\n\tb \r c'), ['a', 'b', 'c']);
  });
});
