/** The form's state without a browser: what may be sent, how often, and what is kept. */
import assert from 'node:assert/strict';
import type { Decision, QuestionMessage } from '../../../src/ui/answer/messages.ts';
import type { QuestionForm } from '../../../src/ui/answer/question.ts';
import type { Snapshot } from '../../../src/ui/answer/view.ts';
import { offered } from '../../../webview/question/acts.ts';
import { createPage } from '../../../webview/question/page.ts';
import { parseSaved } from '../../../webview/question/saved.ts';
import { settleMs } from '../../../webview/shared/signing.ts';
import { approval, asynchronous, full, plain, snapshot, states } from './samples.ts';

function open(first: Snapshot, kept?: unknown) {
  const posted: QuestionMessage[] = [];
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
    // All of it has been on the screen.
    watch: () => ({ isComplete: () => true, drawn: () => undefined, readOn: () => undefined }),
  });
  page.receive(first);
  // Somebody has had the time to see it.
  now += settleMs;
  return {
    page,
    posted,
    saved: () => saved,
    decisions: () => posted.filter((message): message is Decision => 'act' in message),
    pass: (ms: number) => {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      for (const one of due) timers.splice(timers.indexOf(one), 1);
      for (const { run } of due) run();
    },
  };
}

const labelled = (label: string) => ({ label, recommended: false });
const key = 'w1/Q-12';

describe('the form: state', () => {
  it('one decision at a time, however often it is asked for', () => {
    const { page, decisions } = open(snapshot(plain()));
    page.setText('UTC');
    for (let times = 0; times < 5; times++) page.decide();
    assert.equal(decisions().length, 1);
    page.openPanel('release');
    page.setText('and this?');
    page.decide();
    assert.equal(decisions().length, 1);
    assert.equal(decisions()[0]?.type, 'answer');
  });

  it('a confirmed assumption goes as words, with what was added', () => {
    const view = asynchronous();
    const { page, decisions } = open(snapshot(view));
    page.toggle(offered(view)[0]!);
    page.setText('Excel reads both.');
    page.decide();
    const [sent] = decisions();
    assert.ok(sent?.type === 'answer');
    assert.deepEqual(sent.choices, []);
    assert.match(sent.text, /Excel reads both\.$/);
    assert.equal(sent.text.split('\n')[0], offered(view)[0]!.label);
  });

  it('no assumption is offered where a yes is no answer, and once it is decided', () => {
    const assumption = { text: 'A' };
    const expired = {
      type: 'expired',
      at: '2026-11-20T14:00:00.000Z',
      failed: [],
      held: false,
    } satisfies QuestionForm['resolution'];
    for (const view of [asynchronous({ assumption }), asynchronous({ resolution: expired })])
      assert.deepEqual(offered(view), view.choices);
  });

  it('a critical refusal takes two steps, as a critical Yes does', () => {
    const { page, decisions, pass } = open(snapshot(approval()));
    for (const choice of ['Yes', 'No']) {
      page.back();
      pass(settleMs);
      page.toggle(labelled(choice));
      page.decide();
      assert.deepEqual(decisions(), []);
    }
    pass(settleMs);
    page.decide();
    const [sent] = decisions();
    assert.deepEqual(sent?.type === 'answer' && [sent.choices, sent.effect, sent.confirmed], [['No'], 'do_not', true]);
  });

  it('another question can be decided while one is on its way', () => {
    const { page, decisions, pass } = open(snapshot(plain()));
    page.setText('UTC');
    page.decide();
    page.receive(snapshot(plain({ key: 'w1/Q-20', shown: 's20', id: 'Q-20' })));
    pass(settleMs);
    page.setText('Yes');
    page.decide();
    assert.deepEqual(
      decisions().map((one) => one.key),
      [key, 'w1/Q-20'],
    );
  });

  it('what has just come under the pointer is not decided on', () => {
    const { page, decisions, pass } = open(snapshot(plain()));
    page.setText('UTC');
    page.receive(snapshot(plain({ shown: 'changed' })));
    page.decide();
    assert.deepEqual(decisions(), []);
    pass(settleMs);
    page.decide();
    assert.equal(decisions()[0]?.shown, 'changed');
  });

  it('a new rendering of the same thing is decided on at once, with its own mark', () => {
    const { page, decisions } = open(snapshot(plain()));
    page.setText('UTC');
    const again = snapshot(plain());
    page.receive(again);
    page.decide();
    assert.equal(decisions()[0]?.render, 'render' in again.view && again.view.render);
  });

  it('an outcome of another act frees nothing', () => {
    const { page } = open(snapshot(plain()));
    page.setText('UTC');
    page.decide();
    page.receive(snapshot(plain(), { outcome: { type: 'done', act: 'act-99' } }));
    assert.ok(page.flight());
    page.receive(snapshot(plain(), { outcome: { type: 'refused', act: 'act-1', reason: 'failed', text: 'No.' } }));
    assert.equal(page.flight(), undefined);
    assert.equal(page.refusal(), 'No.');
    page.setText('UTC!');
    assert.equal(page.refusal(), undefined);
  });

  it('silence: the same act again, as often as it takes', () => {
    const { page, decisions, pass } = open(snapshot(plain()));
    page.setText('UTC');
    page.decide();
    page.again();
    assert.equal(decisions().length, 1, 'not before it is slow');
    for (let times = 2; times < 4; times++) {
      pass(15_000);
      assert.equal(page.flight()?.slow, true);
      page.again();
      page.again();
      assert.equal(decisions().length, times);
    }
    assert.equal(new Set(decisions().map((one) => JSON.stringify(one))).size, 1);
  });

  it('settled by whomever: nothing is on its way any more; letting an expired one go still is', () => {
    const answering = open(snapshot(full()));
    answering.page.setText('mine');
    answering.page.decide();
    answering.page.receive(states['somebodyElse']!());
    assert.equal(answering.page.flight(), undefined);

    const expired = open(states['expired']!());
    expired.page.setText('go');
    expired.page.decide();
    expired.page.receive(states['expired']!());
    expired.page.decide();
    assert.equal(expired.decisions().length, 1);
  });

  it('nothing to decide: answered, read only, expired and free', () => {
    const free = states['expired']!();
    if (free.view.type === 'question' && free.view.resolution.type === 'expired') free.view.resolution.held = false;
    for (const value of [states['answered']!(), states['locked']!(), free, states['nothing']!()]) {
      const { page, decisions } = open(value);
      page.toggle(labelled('JWT'));
      page.setText('x');
      page.decide();
      page.enrol();
      page.recover();
      assert.deepEqual(decisions(), []);
    }
  });

  it('critical: the second step takes its time, and a change of the draft is not possible in it', () => {
    const { page, decisions, pass } = open(snapshot(approval()));
    page.toggle(labelled('Yes'));
    page.decide();
    page.decide();
    assert.deepEqual([page.step(), decisions()], ['confirm', []]);
    page.toggle(labelled('No'));
    pass(settleMs);
    page.decide();
    const [sent] = decisions();
    assert.deepEqual(sent?.type === 'answer' && [sent.choices, sent.confirmed], [['Yes'], true]);
  });

  it('a choice that was removed is not sent', () => {
    const { page, decisions, pass } = open(snapshot(full()));
    page.toggle(labelled('JWT'));
    page.receive(snapshot(full({ shown: 'changed', choices: [{ label: 'Sessions', recommended: false }] })));
    pass(settleMs);
    page.decide();
    assert.equal(page.hint()?.field, 'choices');
    assert.deepEqual(decisions(), []);
  });

  it('a draft goes when its answer is stored, and when its answer is what I gave elsewhere', () => {
    const here = open(snapshot(plain()));
    here.page.setText('UTC');
    here.page.decide();
    here.page.receive({ ...states['answeredWaiting']!(), outcome: { type: 'done', act: 'act-1' } });
    assert.deepEqual((here.saved() as { drafts: object }).drafts, {});

    const elsewhere = open(snapshot(plain()));
    elsewhere.page.setText('UTC, always. ');
    elsewhere.page.receive(states['answeredWaiting']!());
    assert.deepEqual((elsewhere.saved() as { drafts: object }).drafts, {});

    const other = open(snapshot(plain()));
    other.page.setText('Local time.');
    other.page.receive(states['answeredWaiting']!());
    assert.deepEqual(Object.keys((other.saved() as { drafts: object }).drafts), [key]);
  });

  it('a window that died: the host gives back what the page was writing, unless the page has something later', () => {
    const died = open(snapshot(plain()));
    died.page.setText('UTC, al');
    died.page.setText('UTC, always.');
    died.pass(1_000);
    const kept = died.posted.flatMap((message) => (message.type === 'keep' ? [message.saved] : []));
    assert.equal(kept.length, 1, 'what is typed quickly is kept once');
    const text = (page: typeof died.page) => page.draftOf(plain()).text.answer;
    assert.equal(text(open(snapshot(plain(), { kept: kept[0] })).page), 'UTC, always.');
    assert.equal(text(open(snapshot(plain(), { kept: 'not JSON' })).page), '');
    died.page.setText('UTC, or not?');
    assert.equal(text(open(snapshot(plain(), { kept: kept[0] }), died.saved()).page), 'UTC, or not?');
    died.page.receive(snapshot(plain(), { kept: kept[0] }));
    assert.equal(text(died.page), 'UTC, or not?');
  });
});
