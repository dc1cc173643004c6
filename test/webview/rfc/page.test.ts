/** The review’s state without a browser: what it may send, how often, and what it keeps. */
import assert from 'node:assert/strict';
import type { RfcAct, RfcMessage } from '../../../src/ui/rfc/messages.ts';
import type { RfcSnapshot } from '../../../src/ui/rfc/model.ts';
import { linesOf, whyNotApproved } from '../../../webview/rfc/acts.ts';
import { createPage } from '../../../webview/rfc/page.ts';
import { parseSaved } from '../../../webview/rfc/saved.ts';
import { settleMs } from '../../../webview/shared/signing.ts';
import { approvable, full, small, snapshot, states, waivable } from './samples.ts';

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
  // A human has had time to read it.
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
  it('decides nothing in a panel that has just appeared under the pointer', () => {
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

  it('sends an approval with the revision and the rendering on the screen', () => {
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

  it('sends an approval only if it waives each unanswered question by name', () => {
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
    ['a read-only store', { missing: { threads: 0, questions: 0 }, locked: { why: 'Read only.' } }],
  ];
  for (const [name, change] of offs) {
    it(`disables the approval for ${name}, even if the panel is already open`, () => {
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

  it('sends nothing that a human may not do in the current status', () => {
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

  it('sends one act at a time', () => {
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
    // The host’s dwell time starts over after an act, so the page’s does too.
    page.overrule('1');
    assert.equal(acts().length, 1);
    pass(settleMs);
    page.overrule('1');
    assert.equal(acts().at(-1)?.type, 'overruleAnswer');
  });

  it('shows a refusal where the act was made, and keeps the draft', () => {
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

  it('discards only the draft of the act that was done', () => {
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

  it('names the line of too many or overlong conditions, and sends nothing', () => {
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

  it('announces what arrived during reading', () => {
    const { page } = open(snapshot(full()));
    page.receive(snapshot(full({ latest: 4 })));
    assert.equal(page.spoken(), 'Revision 4 is ready.');
  });

  it('gets its draft back from the host after a crash; another RFC starts empty', () => {
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

  it('ignores malformed state of an older version', () => {
    const good = parseSaved(open(snapshot(small())).saved());
    for (const state of [null, 7, [], { version: 2 }, { ...good, draft: 7 }, { ...good, unfolded: [1] }]) {
      const parsed = parseSaved(state);
      assert.ok(parsed === undefined || parsed.draft === null);
    }
  });

  it('drops blank lines', () => {
    assert.deepEqual(linesOf(' a\n\n\r\n\tb \r c'), ['a', 'b', 'c']);
  });
});
