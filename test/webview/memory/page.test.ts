/** The briefing’s state without a browser: what it may send, how often, and what it keeps. */
import assert from 'node:assert/strict';
import type { BriefingAct, BriefingMessage } from '../../../src/ui/briefing/messages.ts';
import type { BriefingSnapshot } from '../../../src/ui/briefing/model.ts';
import { createPage } from '../../../webview/memory/page.ts';
import { parseSaved, settleMs } from '../../../webview/shared/signing.ts';
import { event, full, proposed, reversible, snapshot } from './samples.ts';

function open(first: BriefingSnapshot, kept?: unknown) {
  const posted: BriefingMessage[] = [];
  const timers: { at: number; run: () => void }[] = [];
  let now = 1_000;
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
  const pass = (ms: number) => {
    now += ms;
    for (const one of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(one), 1);
      one.run();
    }
  };
  return {
    page,
    pass,
    saved: () => saved,
    acts: () => posted.filter((message): message is BriefingAct => 'act' in message),
  };
}

const key = reversible.key;

describe('the briefing: state', () => {
  it('resolves an event once, with the displayed content and its rendering', () => {
    const sent = snapshot(full());
    const { page, acts, pass } = open(sent);
    page.openClosing(reversible, 'resolve');
    pass(settleMs);
    page.sendClosing(reversible);
    assert.equal(page.at(key).hint()?.field, `${key}.text`, 'a reason is required');
    page.editClosing(reversible, { text: '  There is a way back. ' });
    for (let times = 0; times < 3; times++) page.sendClosing(reversible);
    const { render } = sent.view as { render: string };
    const closing = { how: 'resolved', reason: 'There is a way back.' } as const;
    assert.deepEqual(acts(), [{ type: 'close', act: 'act-1', key, shown: reversible.shown, render, closing }]);
  });

  it('supersedes an event by an existing one, or by a new one written in the form', () => {
    const { page, acts, pass } = open(snapshot(full()));
    page.openClosing(reversible, 'supersede');
    pass(settleMs);
    page.sendClosing(reversible);
    assert.equal(page.at(key).hint()?.field, `${key}.text`);
    page.editClosing(reversible, { text: 'They have a way back now.' });
    page.sendClosing(reversible);
    const closings = (all: readonly BriefingAct[]) => all.map((act) => act.type === 'close' && act.closing);
    assert.deepEqual(closings(acts()), [{ how: 'replaced', text: 'They have a way back now.' }]);
    const second = open(snapshot(full()));
    second.page.openClosing(reversible, 'supersede');
    second.page.editClosing(reversible, { by: 'E-3' });
    second.pass(settleMs);
    second.page.sendClosing(reversible);
    assert.deepEqual(closings(second.acts()), [{ how: 'superseded', by: 'E-3' }]);
  });

  it('accepts or declines a proposal, but not one that has just moved under the pointer', () => {
    const { page, acts, pass } = open(snapshot(full({ proposals: [proposed] })));
    page.receive(snapshot(full({ proposals: [{ ...proposed, shown: 'other' }] })));
    page.settle({ ...proposed, shown: 'other' }, 'accept');
    assert.deepEqual(acts(), []);
    pass(settleMs);
    page.settle({ ...proposed, shown: 'other' }, 'accept');
    page.settle({ ...proposed, shown: 'other' }, 'decline');
    assert.deepEqual(
      acts().map(({ type, shown }) => [type, shown]),
      [['accept', 'other']],
    );
  });

  it('signs nothing where signing is not possible', () => {
    const { page, acts } = open(snapshot(full({ locked: 'No.', proposals: [proposed] })));
    page.settle(proposed, 'accept');
    page.openPost();
    assert.equal(page.post(), undefined);
    assert.deepEqual(acts(), []);
  });

  it('sends the name along at first use', () => {
    const { page, acts } = open(snapshot(full({ proposals: [proposed], answersAs: { name: 'Ada', editable: true } })));
    page.settle(proposed, 'accept');
    assert.equal(acts()[0]?.name, 'Ada');
  });

  it('posts a new event about the focus', () => {
    const { page, acts, pass } = open(snapshot(full()));
    page.openPost();
    pass(settleMs);
    page.sendPost();
    assert.equal(page.at('0/memory').hint()?.field, 'post.text');
    page.editPost({ text: ' So. ', type: 'decision', scopes: 'src/a.ts\n\n src/b ' });
    page.sendPost();
    const [act] = acts();
    assert.ok(act?.type === 'post');
    assert.deepEqual(
      [act.event, act.priority, act.scopes, act.text],
      ['decision', 'normal', ['src/a.ts', 'src/b'], 'So.'],
    );
    page.receive(snapshot(full(), { outcome: { type: 'done', act: act.act } }));
    assert.equal(page.post(), undefined);
    assert.equal(page.done(), 'Posted.');
  });

  it('refuses overlong text before it is sent', () => {
    const { page, acts, pass } = open(snapshot(full()));
    page.openPost();
    pass(settleMs);
    page.editPost({ text: 'x'.repeat(10_001) });
    page.sendPost();
    page.editPost({ text: 'x', scopes: Array.from({ length: 101 }, (_, index) => `f${index}`).join('\n') });
    page.sendPost();
    assert.equal(page.at('0/memory').hint()?.field, 'post.scopes');
    assert.deepEqual(acts(), []);
  });

  it('starts with the place that the reader chose, and keeps what was written', () => {
    const compose = { token: 'a', type: 'warning' as const, scopes: ['src/a.ts'], text: '[a.ts:3](src/a.ts#L3): ' };
    const { page } = open(snapshot(full(), { compose }));
    assert.deepEqual(page.post(), { type: 'warning', priority: 'normal', scopes: 'src/a.ts', text: compose.text });
    page.editPost({ text: `${compose.text}never cleared` });
    page.receive(
      snapshot(full(), { compose: { ...compose, token: 'b', scopes: ['src/b.ts'], text: '[b.ts:1](src/b.ts#L1): ' } }),
    );
    assert.equal(page.post()?.scopes, 'src/a.ts\nsrc/b.ts');
    assert.match(page.post()?.text ?? '', /never cleared\n\n\[b\.ts:1\]/);
    page.receive(snapshot(full()));
    assert.match(page.post()?.text ?? '', /never cleared/);
  });

  it('keeps a started event in its folder, and posts it there', () => {
    const other = { key: '1/memory', folder: 'backend', focus: 'src/server.ts' };
    const compose = { token: 'a', type: 'warning' as const, scopes: ['src/a.ts'], text: '' };
    const { page, acts, pass, saved } = open(snapshot(full(), { compose }));
    page.editPost({ text: 'The cache is never cleared.' });
    page.receive(snapshot(full(other), { compose }));
    assert.equal(page.post(), undefined, 'not in the other folder');
    page.sendPost();
    page.openPost();
    page.editPost({ text: 'Another.' });
    pass(settleMs);
    page.sendPost();
    const [act] = acts();
    assert.ok(act?.type === 'post');
    assert.deepEqual([act.key, act.scopes, act.text], ['1/memory', ['src/server.ts'], 'Another.']);
    page.receive(snapshot(full()));
    assert.equal(page.post()?.text, 'The cache is never cleared.');
    page.receive(snapshot(full(), { outcome: { type: 'done', act: act.act } }));
    assert.equal(page.done(), undefined, 'said in the folder that it was posted to');
    assert.equal(page.post()?.text, 'The cache is never cleared.');
    const second = open(snapshot(full(other)), saved());
    assert.equal(second.page.post(), undefined);
    second.page.receive(snapshot(full()));
    second.pass(settleMs);
    second.page.sendPost();
    const [last] = second.acts();
    assert.ok(last?.type === 'post');
    assert.deepEqual([last.key, last.scopes], ['0/memory', ['src/a.ts']]);
  });

  it('keeps open, folded, filtered and written parts over a reload', () => {
    const first = open(snapshot(full()));
    first.page.unfold('E-1', true);
    first.page.fold('critical', true);
    first.page.setFilter('decision');
    first.page.openClosing(reversible, 'resolve');
    first.page.editClosing(reversible, { text: 'Half a' });
    const { page } = open(snapshot(full()), first.saved());
    assert.ok(page.isUnfolded('E-1') && page.isFolded('critical'));
    assert.equal(page.filter(), 'decision');
    assert.equal(page.closing(reversible)?.text, 'Half a');
    assert.equal(
      page.closing({ ...reversible, shown: 'new' })?.shown,
      reversible.shown,
      'started on an earlier content',
    );
  });

  it('shows why an act was refused, in its place', () => {
    const { page, acts, pass } = open(snapshot(full()));
    page.openClosing(reversible, 'resolve');
    page.editClosing(reversible, { text: 'So.' });
    pass(settleMs);
    page.sendClosing(reversible);
    const act = acts()[0]?.act ?? '';
    page.receive(snapshot(full(), { outcome: { type: 'refused', act, reason: 'changed', text: 'Look again.' } }));
    assert.equal(page.at(key).refusal(), 'Look again.');
    assert.equal(page.at('0/memory').refusal(), undefined);
    assert.equal(page.closing(reversible)?.text, 'So.', 'the text stays');
    assert.ok(page.at(key).back());
    assert.equal(page.closing(reversible), undefined);
    assert.ok(!page.at(key).back());
  });

  it('unfolds an event that is to be shown', () => {
    const { page } = open(snapshot(full(), { reveal: { token: 'r', id: 'E-2' } }));
    assert.ok(page.isUnfolded('E-2'));
    assert.equal(page.takeFocus(), 'E-2');
    assert.equal(page.takeFocus(), undefined);
    assert.equal(event(7, 'x').id, 'E-7');
  });
});
